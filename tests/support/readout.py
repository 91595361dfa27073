"""What the read-out says."""

from pe_explorer.model import Model
from pe_explorer.panels.readout import Readout


def describe(state, view="heatmap"):
    """Return the words of a new read-out for an exploration, while a view is active."""
    model, readout = Model(state, waits=False), Readout()
    readout.show_view(view)
    readout.attach(model)
    words = readout.label.text()
    readout.detach()
    model.close()
    return words
