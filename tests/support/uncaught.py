"""Exceptions that nobody catches, and the log that has them."""

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
    """Let go of exceptions, which Python and pytest-qt keep, and with them what they are of."""
    caught.clear()
    for kept in ("last_value", "last_traceback", "last_exc"):
        vars(sys).pop(kept, None)
