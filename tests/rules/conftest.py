"""How hypothesis searches here: quickly; `QIYAN_HYPOTHESIS=thorough pytest tests/rules` looks longer and shrinks."""

import os

from hypothesis import Phase, settings

# No deadline: another load on the machine is not a failure. No shrinking, which on a busy machine takes minutes.
settings.register_profile(
    "quick", deadline=None, max_examples=60, phases=(Phase.explicit, Phase.reuse, Phase.generate), print_blob=True
)
settings.register_profile("thorough", deadline=None, max_examples=500, print_blob=True)
settings.load_profile(os.environ.get("QIYAN_HYPOTHESIS", "quick"))
