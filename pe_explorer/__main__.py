"""`python -m pe_explorer` is the command `pe-explorer`."""

import gc
import signal
import sys
from collections.abc import Callable


def main() -> int:
    """Run the command line; Ctrl-C ends it quietly from its first moment on."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as it is in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until something runs that has to tidy up
    gc.disable()  # what is imported stays: there is nothing to collect in it
    run: Callable[[], int]
    if len(sys.argv) > 1:
        from pe_explorer.commandline.main import main as run
    else:  # the window opens sooner without all flags
        from pe_explorer.commandline.window import main as run

    gc.freeze()
    gc.enable()
    return run()


# Python keeps the frames of its calls in chunks of 16 KiB, and gives each back as soon as it is
# left. Where the edge of one lies in a busy loop, such as that of events, memory is asked for
# and given back thousands of times. A frame as large as this has a chunk with room for all calls.
main.__code__ = main.__code__.replace(co_stacksize=20_000)


if __name__ == "__main__":
    sys.exit(main())
