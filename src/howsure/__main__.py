"""``python -m howsure`` is the command line."""

import sys

from howsure.cli import main

sys.exit(main())
