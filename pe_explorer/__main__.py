"""`python -m pe_explorer` is the command `pe-explorer`."""

import gc
import signal
import sys


def main() -> int:
    """Run the command line; Ctrl-C ends it quietly from its first moment on."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as it is in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until something runs that has to tidy up
    gc.disable()  # what is imported stays: there is nothing to collect in it
    from pe_explorer.commandline.main import main as run

    gc.freeze()
    gc.enable()
    return run()


if __name__ == "__main__":
    sys.exit(main())
