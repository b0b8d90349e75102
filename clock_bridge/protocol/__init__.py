"""Push parsers for the languages of clocks."""
