"""One file a command; each is loaded only when it is called."""
