"""What one step of a long test may take, and the sentences that it may end with."""

import gc
import signal
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

from tests.endurance.faults import memory

MOST_SECONDS = 2.0  # of work
MOST_MEMORY = 200  # MB more than before
PATIENCE = 30.0  # seconds, also of those in which nothing is done
_LONGEST_SENTENCE = 1000  # letters, besides the names in it


class HungError(BaseException):
    """Something does not end. It is no `Exception`, because somebody might catch that."""


def watched(faults, what, act, details="", *, limited=True):
    """Do something, and return whether it neither raises nor hangs.

    Where it is `limited`, it must not work long or take much memory either. Faults are noted with
    what it was, and details with which it can be done again.
    """
    before = 0
    if limited:  # forget the most memory that there was
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")
        before = memory()
    begin = time.process_time()
    found = []
    try:
        with ended_after(PATIENCE):
            act()
    except (Exception, HungError) as error:
        trace = "".join(traceback.format_exception(error))
        found.append((f"{type(error).__name__} in {what}: {str(error)[:200]}", trace))
    seconds = time.process_time() - begin
    if limited and seconds > MOST_SECONDS:
        found.append((f"more than {MOST_SECONDS:g} s of work in {what}", f"{seconds:.1f} s"))
    grown = memory("VmHWM") - before if limited else 0
    if grown > MOST_MEMORY:
        found.append((f"more than {MOST_MEMORY} MB of memory in {what}", f"{grown} MB"))
    for fault, more in found:
        faults.add(fault, f"{details}\n{more}")
    return not found


@contextmanager
def ended_after(seconds):
    """Raise `HungError` in a block that takes too long, whether or not it does anything."""

    def end(number, frame):
        raise HungError("it does not come to an end")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def check_sentence(text, *names):
    rest = text
    for name in names:
        rest = rest.replace(str(name), "")
    assert text.strip(), "an error without words"
    assert "Traceback" not in text, text
    assert "\n" not in rest, f"several lines: {text}"
    assert len(rest) < _LONGEST_SENTENCE, f"{len(rest)} letters: {text[:300]}"
