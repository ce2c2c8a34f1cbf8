"""``python -m howsure.cli`` is the command line."""

import sys

from howsure.cli import main

sys.exit(main())
