"""How hypothesis works in every test; tests/rules has more to say."""

from hypothesis import settings

# Another load on the machine is not a failure.
settings.register_profile("any load", deadline=None)
settings.load_profile("any load")
