"""Entry point for `python -m pe_explorer` and the command `pe-explorer`."""

import gc
import signal
import sys
from collections.abc import Callable

_INTERNAL_ERROR_CODE = 3


def main() -> int:
    """Run the program and return its exit code; print a traceback on an internal error."""
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
                version_text = f"pe-explorer {__version__}, Python {platform.python_version()}"
                print(
                    f"pe-explorer: internal error ({type(error).__name__}). This is a bug: please "
                    f"report it with the command and the traceback above ({version_text}, "
                    f"{platform.platform()}).",
                    file=sys.stderr,
                    flush=True,
                )
        return _INTERNAL_ERROR_CODE


def _run() -> int:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # Exit without a traceback on Ctrl-C. Commands that need to clean up set their own handler.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Imported objects are never freed, so collecting garbage would only slow down the imports.
    gc.disable()
    run: Callable[[], int]
    if len(sys.argv) > 1:
        from pe_explorer.commandline.main import find_command, import_command, main as run

        if command := find_command(sys.argv[1:]):
            import_command(command)
    else:  # the window opens faster if the command line is not imported
        from pe_explorer.commandline.window import main as run

    gc.freeze()
    gc.enable()
    return run()


# Python allocates stack frames in chunks of 16 KiB and frees a chunk when its last frame ends. If a
# chunk boundary falls within a busy loop, such as the event loop, Python allocates and frees a
# chunk thousands of times. A large first frame makes Python allocate one chunk that is large enough
# for all calls.
_run.__code__ = _run.__code__.replace(co_stacksize=20_000)


if __name__ == "__main__":
    sys.exit(main())
