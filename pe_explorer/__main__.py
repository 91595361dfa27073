"""`python -m pe_explorer` is the command `pe-explorer`."""

import gc
import signal
import sys
from collections.abc import Callable

_EXIT_INTERNAL_ERROR = 3


def main() -> int:
    """Run the command line; ask for a report of an internal error, which has its own exit code."""
    try:
        return _run()
    except Exception as error:
        import platform
        import traceback
        from contextlib import suppress

        from pe_explorer import __version__

        with suppress(OSError):  # nobody is reading
            if sys.stderr is not None:
                traceback.print_exception(error, file=sys.stderr)
                versions = f"pe-explorer {__version__}, Python {platform.python_version()}"
                print(
                    f"pe-explorer: internal error ({type(error).__name__}). This is a bug: please "
                    f"report it with the command and the traceback above ({versions}, "
                    f"{platform.platform()}).",
                    file=sys.stderr,
                    flush=True,
                )
        return _EXIT_INTERNAL_ERROR


def _run() -> int:
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
_run.__code__ = _run.__code__.replace(co_stacksize=20_000)


if __name__ == "__main__":
    sys.exit(main())
