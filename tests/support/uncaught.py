"""Uncaught exceptions, and the log that contains them."""

import sys


def raise_uncaught(error, times=1):
    for _ in range(times):
        try:
            raise type(error)(*error.args)
        except BaseException:
            caught = sys.exc_info()
        sys.excepthook(*caught)


def log_of(folder):
    return (folder / "state" / "log" / "pe-explorer.log").read_text(encoding="utf-8")


def forget(caught):
    """Release exceptions that Python and pytest-qt store, and the objects that they refer to."""
    caught.clear()
    for kept in ("last_value", "last_traceback", "last_exc"):
        vars(sys).pop(kept, None)
