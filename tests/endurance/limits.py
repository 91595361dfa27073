"""What one step of a long test may take, and the sentences that it may end with."""

import gc
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.endurance.faults import Faults, memory

MOST_SECONDS = 2.0  # of work
MOST_MEMORY = 200  # MB more than before
PATIENCE = 30.0  # seconds, also of those in which nothing is done
_LONGEST_SENTENCE = 1000  # letters, besides the names in it
_PEAK = Path("/proc/self/clear_refs")
_FORGET_PEAK = "5"


class HungError(BaseException):
    """Something does not come to an end; no `Exception`, which somebody might catch."""


def watched(
    faults: Faults,
    what: str,
    act: Callable[[], object],
    details: str = "",
    *,
    limited: bool = True,
) -> bool:
    """Do something, and return whether it neither raises nor hangs.

    Where it is `limited`, it must not work long or take much memory either. What it does is noted
    as a fault: what it was, and details with which it can be done again.
    """
    before = _memory_from_now_on() if limited else 0
    begin = time.process_time()
    found: list[tuple[str, str]] = []
    try:
        with ended_after(PATIENCE):
            act()
    except (Exception, HungError) as error:
        kind, trace = type(error).__name__, "".join(traceback.format_exception(error))
        found.append((f"{kind} in {what}: {str(error)[:200]}", trace))
    seconds = time.process_time() - begin
    if limited and seconds > MOST_SECONDS:
        found.append((f"more than {MOST_SECONDS:g} s of work in {what}", f"{seconds:.1f} s"))
    grown = memory("VmHWM") - before if limited else 0
    if grown > MOST_MEMORY:
        found.append((f"more than {MOST_MEMORY} MB of memory in {what}", f"{grown} MB"))
    for fault, more in found:
        faults.add(fault, f"{details}\n{more}")
    return not found


def _memory_from_now_on() -> int:
    """Forget how much memory there was at most, and return how much there is."""
    gc.collect()
    _PEAK.write_text(_FORGET_PEAK)
    return memory()


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Raise `HungError` in a block that takes too long, whether or not it does anything."""
    before = signal.signal(signal.SIGALRM, _end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _end(_number: int, _frame: FrameType | None) -> None:
    raise HungError("it does not come to an end")


def check_sentence(text: str, *names: Path | str) -> None:
    """Raise `AssertionError` for what nobody can read: several lines, or more than fits there."""
    rest = text
    for name in names:
        rest = rest.replace(str(name), "")
    assert text.strip(), "an error without words"
    assert "Traceback" not in text, text
    assert "\n" not in rest, f"several lines: {text}"
    assert len(rest) < _LONGEST_SENTENCE, f"{len(rest)} letters: {text[:300]}"
