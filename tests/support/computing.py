"""Other functions in the place of those that compute pictures."""

import threading

from pe_explorer import pictures
from pe_explorer.pictures import cost
from pe_explorer.progress import report


def compute_with(view, compute):
    """Let a view, and no other, compute its picture with another function."""
    own = view.picture
    view.picture = type(own.__name__, (own,), {"compute": staticmethod(compute)})
    view._drawing.picture = view.picture


def stop_in_worker(monkeypatch, names=("heatmap",)):
    """Let pictures of views stop in the worker until they are let go on or cancelled.

    Returns an event that is set when one is computed, one that lets them go on, and their sizes.
    """
    computing, go_on, sizes = threading.Event(), threading.Event(), []
    for kind in map(pictures.find, names):

        def slowed(state, size, cancelled, own=kind.compute):
            sizes.append(size)
            computing.set()
            while not go_on.wait(0.005):
                report(cancelled, 0.5)
            return own(state, size, cancelled)

        monkeypatch.setattr(kind, "compute", staticmethod(slowed))
    monkeypatch.setattr(cost, "_INLINE_COST", -1)
    return computing, go_on, sizes
