"""What the rules raise.

RulesError
 |- FenError        a text is not a FEN
 |- NotationError   a text is not a point, move or game in that notation
 |- IllegalMove     a move that the rules of movement do not allow, where only a legal one will do
 |- ProfileError    a rules edition or one of its values is unknown or out of range
"""


class RulesError(Exception):
    """Anything the rules package raises on purpose."""


class FenError(RulesError):
    """The text is not a position in FEN."""


class NotationError(RulesError):
    """The text is not a point, move or game in that notation."""


class IllegalMove(RulesError):
    """The move is not allowed by the rules of movement."""


class ProfileError(RulesError):
    """The rules edition, or a value of it, is unknown or out of range."""
