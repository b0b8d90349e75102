"""The nets that read pieces, with the one preprocessing that training and reading share."""
