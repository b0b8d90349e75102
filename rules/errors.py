"""What the rules raise.

RulesError
 |- FenError        a text is not a FEN
 |- NotationError   a text is not a point, move or game in that notation
 |- IllegalMove     a move that the rules of movement do not allow, where only a legal one will do
 |- ProfileError    a rules edition or one of its values is unknown or out of range
"""

SHOWN_CHARACTERS = 300
"""Of a message: the offending value ends it, and may be megabytes that nobody wants on a terminal."""


class RulesError(Exception):
    """Anything the rules package raises on purpose."""

    def __str__(self) -> str:
        text = super().__str__()
        return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}... ({len(text)} characters)"


class FenError(RulesError):
    """The text is not a position in FEN."""


class NotationError(RulesError):
    """The text is not a point, move or game in that notation."""


class IllegalMove(RulesError):
    """The move is not allowed by the rules of movement."""


class ProfileError(RulesError):
    """The rules edition, or a value of it, is unknown or out of range."""
