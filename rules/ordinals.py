"""English ordinals: 1st, 2nd, 3rd, 11th."""


def ordinal(number: int) -> str:
    """A number's place in a row, in figures."""
    last_two = number % 100
    suffix = "th" if 11 <= last_two <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
