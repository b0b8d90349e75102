"""The live pages: broadcast overlay, arbiter's console, set-up."""
