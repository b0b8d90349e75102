"""Where the shared test material lies, and the message when it does not."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the shared test material is not at {DATA}")
"""Mark for tests that read the shared material in place."""
