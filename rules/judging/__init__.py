"""The parts of the judge, one idea each; rules.arbiter puts them together."""
