"""Animation of several exhibits and views, which must not leak memory or print warnings."""

import ctypes
import gc
from contextlib import nullcontext
from functools import partial
from random import Random
from unittest.mock import patch

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent

from pe_explorer import pictures
from pe_explorer.app.application import Application
from pe_explorer.exploration import make_panes
from pe_explorer.gallery.exhibits import exhibits
from tests.endurance.desk import plain_window
from tests.endurance.faults import growth, memory

_SCENES, _FRAMES = 6, 20  # scenes per round, and frames per scene
_ROUND = _SCENES * _FRAMES
_MAX_GROWTH = 5 / 100_000  # MB per frame
_WARM_UP_FRAMES = 30 * _ROUND  # frames until each view exists and caches are full
_CACHE_SIZE = 100  # MB that the caches take
_NOISE = 4  # MB by which the minimum memory varies
_SPEED = 600.0  # positions per second, so that the cursor moves in each frame


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    pick, moved, used = Random(f"{seed} scenes"), 0, []
    chosen = pick.sample(list(exhibits()), _SCENES)
    views = [pick.sample(pictures.names(), pick.randint(1, 3)) for _ in chosen]
    with plain_window(1280, 800) as window:
        window.model.playhead.set_speed(_SPEED)
        for number, _ in faults.items("", size, plant, PLANTS):
            frame = number - 1
            if frame % _FRAMES == 0:
                scene = frame // _FRAMES % _SCENES
                window.exhibit_walk.open(chosen[scene])
                if scene % 2:  # shows other views than those of the exhibit
                    window.workspace.set_panes(make_panes(views[scene]))
                app.processEvents()
                window.model.playhead.set_loop(True)
                window.model.playhead.play()
            if frame % _ROUND == 0:
                used.append(_used_memory())
            before = window.model.state.position
            window.model.playhead.advance()
            app.processEvents()
            moved += window.model.state.position != before
        used.append(_used_memory())
        window.model.playhead.pause()
    if moved < size // 2:
        faults.add(f"the cursor moved in {moved} of {size} frames")
    grown, frames = growth(used), (len(used) + 1) // 4 * _ROUND
    most = _MAX_GROWTH * frames + (_NOISE if size > _WARM_UP_FRAMES else _CACHE_SIZE)
    if grown > most:
        faults.add("memory grows while it plays", f"{grown} MB in {frames} frames")


def _used_memory():
    """Return the used memory in MB, without memory that could be released."""
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    ctypes.CDLL(None).malloc_trim(0)
    return memory()


_alive = []
PLANTS = {
    "leak": lambda: nullcontext(_alive.append(np.ones(1 << 19))),
    "still": partial(patch, "pe_explorer.model.playhead.PlayHead.advance", lambda _: None),
}
