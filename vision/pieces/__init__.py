"""Single pieces: where they are and what they are."""
