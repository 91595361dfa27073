"""Entry point of `python -m pe_explorer` and of the command `pe-explorer`."""

import gc
import signal
import sys
from collections.abc import Callable

_EXIT_INTERNAL_ERROR = 3


def main() -> int:
    """Run the command line and return the exit code; print a traceback for an internal error."""
    try:
        return _run()
    except Exception as error:
        import platform
        import traceback
        from contextlib import suppress

        from pe_explorer import __version__

        with suppress(OSError):  # standard error may be closed
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
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # End without a traceback after Ctrl-C; a command with clean-up sets another handler.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Objects that exist after the imports are never freed, so searching for garbage is pointless.
    gc.disable()
    run: Callable[[], int]
    if len(sys.argv) > 1:
        from pe_explorer.commandline.main import main as run
    else:  # the window opens faster without the command line
        from pe_explorer.commandline.window import main as run

    gc.freeze()
    gc.enable()
    return run()


# Python allocates stack frames in chunks of 16 KiB and frees a chunk when its last frame ends. If a
# chunk boundary falls into a busy loop, such as the event loop, Python allocates and frees a chunk
# thousands of times. A large first frame makes Python allocate one chunk for all calls.
_run.__code__ = _run.__code__.replace(co_stacksize=20_000)


if __name__ == "__main__":
    sys.exit(main())
