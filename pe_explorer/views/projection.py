"""The projection on the screen: its points, and what the mouse does there."""

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.exploration import Exploration
from pe_explorer.pictures.figure import Figure, Note
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.projection import ProjectionPicture
from pe_explorer.views._comparing_view import ComparingView
from pe_explorer.views._curves import Curves
from pe_explorer.widgets.axes import ValueAxis
from pe_explorer.widgets.trail import TrailPlot

_AXIS_WIDTH = 60  # pixels for the numbers of the upright axis


class ProjectionView(ComparingView):
    """Every position as a point in the plane."""

    picture = ProjectionPicture

    def __init__(self, parent: QWidget | None = None) -> None:
        self.plot = TrailPlot(ValueAxis("left"), ValueAxis("bottom"))
        self.plot.left.setWidth(_AXIS_WIDTH)
        super().__init__({"points": self.plot}, parent)
        self.curves: Curves | None = None
        """The points of a pin, joined, once one is shown beside the current encoding."""
        self.lack = QLabel()
        """Why it is not the chosen method that is shown; its tooltip says what to do."""
        self.header.add(self.lack)
        self.add_comparison()

    def size_in_pixels(self) -> Size:
        self.stage.keep_square(self.plot, at_bottom=False)
        return self.stage.pixels(self.plot, self.ratio)

    def make_room(self, frame: Figure) -> None:
        """Give the bar its room; titles, of which a frame knows less, take the same."""
        (panel,) = frame.panels
        if panel.trail:
            self.plot.make_room_for(panel.trail.counted)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self._show_points(state, figure)

    def draw(self, state: Exploration) -> None:
        self.header.show_choice("method", self.picture.options(state).method)
        super().draw(state)

    def show_phase(self, sentence: str) -> None:
        self._note = Note(sentence, "Show PCA instead")
        self._show_note(self._note, self.picture.frame(self.model.state).panels[0])

    def follow(self, note: Note) -> None:
        if self.model.worker.busy(self.picture.name):  # the note says how far UMAP is
            self.set_option("method", "pca")
        else:
            super().follow(note)

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self._show_points(state, frame)

    def _show_points(self, state: Exploration, figure: Figure) -> None:
        (panel,) = figure.panels
        x, y = panel.x, panel.y
        if self.curves is None and panel.curves:
            self.curves = Curves(self.plot)
        if self.curves is not None:
            self.curves.show(panel, self.palette())
        self.plot.show_trail(panel.trail, QRectF(x.low, y.low, x.length, y.length))
        self.stage.keep_square(self.plot, at_bottom=False)
        substitute = figure.substitute
        method = substitute.shown if substitute else self.picture.options(state).method
        self.header.show_choice("method", method)
        why = substitute.why if substitute else ""
        self.lack.setText(why.partition(".")[0])
        self.lack.setToolTip(f"{why}." if why else "")

    # -- the cursor ----------------------------------------------------------------------------

    def show_cursor(self, state: Exploration) -> None:
        _, preview = self.plot.item.marked
        self.plot.item.mark(self._place(state), preview)

    def show_preview(self, state: Exploration | None) -> None:
        cursor, _ = self.plot.item.marked
        self.plot.item.mark(cursor, self._place(state) if state else None)

    def _place(self, state: Exploration) -> int | None:
        """Return the point of the cursor's position, None where there is none."""
        trail = self.plot.item.trail
        return trail.place_of(state.position) if trail else None
