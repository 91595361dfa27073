"""Frames of play over several exhibits and sets of views: they leave no memory, and no warning."""

import ctypes
import gc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, qWarning

from pe_explorer import pictures
from pe_explorer.app.application import Application
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import panes_of
from pe_explorer.gallery.exhibits import exhibits
from tests.endurance.desk import plain_window
from tests.endurance.faults import Faults, memory

_SCENES, _FRAMES = 6, 20  # in a round, and frames in a scene, after which others follow
_ROUND = _SCENES * _FRAMES
_MOST_GROWTH = 5 / 100_000  # MB for each frame
_WARM = 10 * _ROUND  # frames after which each view is built and caches are full
_FILLING = 100  # MB by which they fill before that
_NOISE = 4  # MB by which the least memory differs from time to time
_SPEED = 600.0  # positions in a second: the cursor moves in each frame

_kept: list[object] = []


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Play so many frames; what is planted happens in each scene."""
    app = Application("light")
    scenes = _scenes(Random(f"{seed} scenes"))
    moved = 0
    used: list[int] = []
    with plain_window(1280, 800) as window:
        window.model.playhead.set_speed(_SPEED)
        for frame in range(size):
            faults.event = frame + 1
            scene, number = divmod(frame, _FRAMES)
            if number == 0:
                _show(window, *scenes[scene % _SCENES])
                for name in plant:
                    PLANTS[name]()
            if frame % _ROUND == 0:
                used.append(_used())
            before = window.model.state.position
            window.model.playhead.advance()
            app.processEvents()
            moved += window.model.state.position != before
        used.append(_used())
        window.model.playhead.pause()
    if moved < size // 2:
        faults.add(f"the cursor moved in {moved} of {size} frames")
    if details := _growth(used):
        faults.add("memory grows while it plays", details)


def _scenes(pick: Random) -> list[tuple[str, tuple[str, ...]]]:
    """Return exhibits, each with the views that are shown of it; none for its own."""
    chosen = pick.sample(list(exhibits()), _SCENES)
    views = pictures.names()
    found: list[tuple[str, tuple[str, ...]]] = []
    for number, name in enumerate(chosen):
        own = number % 2 == 0
        found.append((name, () if own else tuple(pick.sample(views, pick.randint(1, 3)))))
    return found


def _show(window: MainWindow, exhibit: str, views: Sequence[str]) -> None:
    """Show an exhibit, perhaps in other views, and let it play."""
    window.exhibit_walk.open(exhibit)
    if views:
        window.workspace.set_panes(panes_of(list(views)))
    QCoreApplication.processEvents()
    window.model.playhead.set_loop(True)
    window.model.playhead.play()


def _growth(used: Sequence[int]) -> str:
    """Return how memory grew from round to round, if it did so by more than it should.

    The first third does not count. Of the rest, the least of the first half is compared with the
    least of the second: at times there is more, while another thread computes.
    """
    counted = used[len(used) // 3 :]
    middle = len(counted) // 2
    if not middle:
        return ""
    frames = middle * _ROUND
    grown = min(counted[middle:]) - min(counted[:middle])
    most = _NOISE if len(used) * _ROUND > 3 * _WARM else _FILLING
    if grown <= most + _MOST_GROWTH * frames:
        return ""
    return f"{grown} MB in {frames} frames"


def _used() -> int:
    """Return the memory in use in MB, without what could be given back."""
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    ctypes.CDLL(None).malloc_trim(0)
    return memory()


# -- planted ---------------------------------------------------------------------------------------


def _leak() -> None:
    _kept.append(np.ones(1 << 21))


PLANTS: Mapping[str, Callable[[], None]] = {
    "leak": _leak,
    "warning": lambda: qWarning("planted message"),
}
