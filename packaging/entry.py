"""What the packed program runs: the same as the command `pe-explorer`."""

import sys

from pe_explorer.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
