"""What menus and keys do with the positions and the encoding shown."""

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.exploration import Exploration, back_to_0, centred, first_shown, pinned, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.heatmap import Heatmap

_ZOOM_FACTOR = 0.5  # of a zoom by menu or key


class Navigation(QObject):
    """Zooms and moves through the positions of a model, and pins its encoding."""

    reported = Signal(str)
    """A sentence on what was done."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._model = model

    @Slot()
    def zoom_in(self) -> None:
        """Show half as many positions."""
        self._model.set(**zoomed(self._model.state, _ZOOM_FACTOR))

    @Slot()
    def zoom_out(self) -> None:
        """Show twice as many positions."""
        self._model.set(**zoomed(self._model.state, 1 / _ZOOM_FACTOR))

    @Slot()
    def to_cursor(self) -> None:
        """Centre the shown positions on the cursor."""
        self._model.set(**centred(self._model.state))

    @Slot()
    def to_zero(self) -> None:
        """Show positions from 0 on, or offsets up to 0."""
        self._model.set(**back_to_0(self._model.state))

    @Slot()
    def all_dimensions(self) -> None:
        """Show all dimensions in the heatmap."""
        self._model.set_options(Heatmap.name, first=0, dimensions=0)

    @Slot()
    def reset_zoom(self) -> None:
        """Show as many positions as at the start, from their first, and all dimensions."""
        self._model.set(**first_shown(self._model.state))
        self.all_dimensions()

    @Slot()
    def set_reference(self) -> None:
        """Measure distances from the cursor."""
        self._model.set(reference=self._model.state.position)

    @Slot()
    def pin(self) -> None:
        """Pin the present encoding, to compare others with it."""
        before = self._model.state.pins
        self._model.set(**pinned(self._model.state))
        self._model.announce()
        pins = self._model.state.pins
        if pins != before:  # the number of pins is limited
            self.reported.emit(f"Pinned as {pins[-1].name}.")

    @Slot()
    def reset(self) -> None:
        """Go back to how the program starts."""
        self._model.playhead.pause()
        self._model.apply(Exploration(opened=self._model.state.opened), "reset everything")
