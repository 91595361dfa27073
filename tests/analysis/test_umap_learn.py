"""UMAP with the real umap-learn: `pytest -m umap -n 0`."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pe_explorer.analysis import umap_process
from pe_explorer.analysis.umap_process import Umap
from pe_explorer.progress import CancelledError, Progress
from tests.support.measures import share_of_neighbours
from tests.support.processes import comes_true, is_running
from tests.support.progress import RecordedProgress
from tests.support.sinusoids import sinusoid
from tests.support.umap_stand_in import PHASES

pytestmark = pytest.mark.umap

PATIENCE = 120.0


@pytest.fixture(scope="module")
def umap():
    """The shared process, because each start takes long."""
    return umap_process.shared_process


def test_umap_arranges_positions_on_a_line(umap):
    points = umap.embed(sinusoid(range(1000), 1024))
    assert (points.shape, points.dtype) == ((1000, 2), np.float64)
    assert share_of_neighbours(points) >= 0.97
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert steps.max() < 5 * np.median(steps)  # the line has no gap


def test_umap_is_reproducible_and_reports_phases(umap):
    assert umap_process.unavailable_reason() == ""
    rows, first, heard = sinusoid(range(300), 64), Umap(), RecordedProgress()
    try:
        points = first.embed(rows, request=heard)
        assert heard.share == 1.0
        assert list(dict.fromkeys(phase for _, phase in heard.reports if phase)) == PHASES
        np.testing.assert_array_equal(umap.embed(rows), points)
        number = umap.number
        assert not np.array_equal(umap.embed(rows, seed=1), points)
        assert umap.number == number
    finally:
        first.end()


def test_four_rows_are_enough(umap):
    assert np.isfinite(umap.embed(sinusoid(range(4), 8))).all()


@pytest.mark.parametrize("moment", [0.3, 1.5, 4.0])
def test_a_real_fit_can_be_cancelled(moment):
    one, request = Umap(), Progress()
    with ThreadPoolExecutor() as threads:
        fit = threads.submit(one.embed, sinusoid(range(3000), 1024), request=request)
        time.sleep(moment)
        since = time.monotonic()
        request.set()
        with pytest.raises(CancelledError):
            fit.result(PATIENCE)
        assert time.monotonic() - since < 1.0
    one.end()


FITS = """
import threading, time
from pe_explorer.analysis.umap_process import Umap
from pe_explorer import encodings
one, rows = Umap(), encodings.create("sinusoidal", dim=1024).table(range(3000))
threading.Thread(target=one.embed, args=(rows,), daemon=True).start()
while not one.number:
    time.sleep(0.01)
print(one.number, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("moment", [1.0, 6.0])
def test_the_process_exits_if_the_program_is_killed(moment):
    with subprocess.Popen([sys.executable, "-c", FITS], stdout=subprocess.PIPE, text=True) as run:
        number = int(run.stdout.readline())
        time.sleep(moment)
        assert is_running(number)
        run.kill()
    assert comes_true(lambda: not is_running(number))
