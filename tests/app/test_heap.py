"""What is freed goes back to the system, though it lies between things in use."""

import sys

import pytest

from tests.support.processes import run_python

_HOLES = """
import threading
from pathlib import Path
import numpy as np
from PySide6.QtCore import QTimer
from pe_explorer.app.application import Application

def megabytes():
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index("VmRSS:") + 1]) / 1024

def thread_heaps():
    starts = [line.partition("-")[0] for line in open("/proc/self/maps")]
    return sum(int(start, 16) % (64 << 20) == 0 for start in starts)

def allocate():
    meet.wait()  # so that they allocate at the same time
    for _ in range(1000):
        blocks.append(np.ones(8 << 10))  # 64 kB
        kept.append([np.ones(64)])

app = Application("light")
blocks, kept, meet, before = [], [], threading.Barrier(3), thread_heaps()
threads = [threading.Thread(target=allocate) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
others = thread_heaps() - before
full = megabytes()
blocks.clear()
left = full - megabytes()
QTimer.singleShot(5000, app.quit)
app.exec()
print(left, full - megabytes(), others)
"""


@pytest.mark.sampled(0)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc is told")
def test_an_application_at_rest_returns_the_holes_in_its_heap():
    done = run_python(_HOLES)
    assert done.returncode == 0, done.stderr
    before, after, other_heaps = map(float, done.stdout.split())
    assert before < 100 < after  # MB, of 190 that were freed
    assert other_heaps == 0
