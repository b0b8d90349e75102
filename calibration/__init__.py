"""The board in the picture: finding it, following it, storing it."""
