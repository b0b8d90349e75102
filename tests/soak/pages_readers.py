"""The readers of tests.soak.pages: `python -m tests.soak.pages_readers PORT SECONDS`, figures as JSON."""

import asyncio
import json
import sys

from tests.soak.pages import readers

if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(readers(int(sys.argv[1]), float(sys.argv[2])))))
