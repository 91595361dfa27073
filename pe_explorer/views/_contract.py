"""What every view defines: how its picture is put on the screen. `View` decides when."""

from collections.abc import Collection
from typing import Any, ClassVar, NamedTuple

from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pe_explorer import pictures
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Exploration, Resolved
from pe_explorer.exploration.panes import put_in, swapped
from pe_explorer.panels.follower import Follower
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.gestures import Fields
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._header import Header
from pe_explorer.widgets.editors import CHOOSE, LOCATE
from pe_explorer.widgets.keys import MOVES


class Target(NamedTuple):
    """What a view is drawn for: by default, the screen.

    Attributes
    ----------
    density : float or None
        Device pixels per pixel, None for those of the screen.
    marks_cursor : bool
        Whether the cursor is marked; in a figure it need not be.
    driven : bool
        Whether somebody else has its pictures computed: see `View.next_job`.
    """

    density: float | None = None
    marks_cursor: bool = True
    driven: bool = False


class Contract(Follower):
    """The Qt half of a picture: a subclass names the picture and shows its figure."""

    picture: ClassVar[type[AnyPicture]]
    header: Header
    """The few choices that are made most often; the pane of the view has a place for it."""

    status_changed = Signal(str)
    """What a pixel stands for, in a sentence."""

    figure_changed = Signal(object, object)
    """The state and the figure that are shown of it, None where a sentence stands in its place."""

    locate_asked = Signal()
    """The user wants to choose the file that the encoding is read from."""

    @property
    def options(self) -> Any:
        """The options of its picture."""
        return self.picture.options(self.model.state)

    @Slot(str, object)
    def set_option(self, field: str, value: object) -> None:
        """Change one option, or a field of the exploration that the picture is of."""
        if field not in self.picture.fields:
            self.set_options(**{field: value})
        elif self.attached:
            self.model.set(**{field: value})

    def set_options(self, **fields: object) -> None:
        """Change options, or show those that there are again."""
        if not self.model.set_options(self.picture.name, **fields):
            self.redraw()

    def redraw(self) -> None:
        """Draw everything again soon, once for any number of calls."""
        raise NotImplementedError

    def change(self, fields: Fields) -> None:
        """Change fields of the exploration, and among them the view's own options."""
        self.model.try_change(_with_fields, self.picture.name, fields)

    def seen(self, state: Resolved) -> Resolved:
        """Return a state whose picture shows what is on the screen, in a figure of any size."""
        return state

    def size_in_pixels(self) -> Size:
        """Return the size of the picture's area in device pixels."""
        raise NotImplementedError

    def make_room(self, frame: Figure) -> None:
        """Give the axes of an empty figure the room that their numbers need."""

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        """Put a figure of `state` on the screen; while `refining`, a finer one will follow."""
        raise NotImplementedError

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        """Put a sentence on an empty figure: why `state` has no picture."""
        raise NotImplementedError

    def show_cursor(self, state: Exploration) -> None:
        """Mark the cursor."""

    def show_preview(self, state: Exploration | None) -> None:
        """Mark lightly what the mouse points at in any view, the cursor of `state`; or nothing."""

    favoured: Collection[str] = ()
    """The panels that words are about, to be shown where there is no room for all."""

    def favour(self, panels: Collection[str]) -> None:
        """Show some panels rather than others where there is no room for all."""
        self.favoured = panels

    def place_of(self, panel: str, x: float, y: float) -> QPointF | None:
        """Return where a point of a panel is in the view, in pixels; None where it is not seen.

        `x` and `y` are those of a `pictures.spots.Spot`.
        """
        return None

    def show_message(self, sentence: str) -> None:
        """Show a sentence over the picture, until the next picture comes."""
        raise NotImplementedError

    def show_phase(self, sentence: str) -> None:
        """Show what is being done for the next picture, until it comes."""
        self.show_message(sentence)

    def show_refining(self, refining: bool) -> None:
        """Show beside the picture whether it is coarse, and a finer one on its way."""

    def apply_theme(self) -> None:
        """Take the colours of the palette, and draw lines for the screen's device pixels."""

    def hide_controls(self) -> None:
        """Hide buttons and boxes: they do not belong in a figure."""

    def offer_of_lack(self, state: Exploration) -> str:
        """Return the text of a button beside the sentence of a lack, empty for none."""
        e = state.encoding
        if isinstance(e, Unknown):
            if not e.locate:
                return ""
            return LOCATE if e.parameters[e.locate] else CHOOSE
        if any(isinstance(each, Unknown) for each in self.picture.needed(state).values()):
            return ""  # a pin's file is missing, as the sentence says
        other = pictures.instead_of(self.picture.name, state)
        return f"Show {pictures.find(other).title.lower()}" if other else ""

    @Slot()
    def take_offer(self) -> None:
        """Do what the button beside the sentence of a lack offers."""
        state = self.model.state
        if isinstance(state.encoding, Unknown):
            self.locate_asked.emit()
            return
        own, other = self.picture.name, pictures.instead_of(self.picture.name, state)
        panes = state.panes
        if other and panes is not None:  # another view takes this one's place
            is_here = own in panes.views
            self.model.set(panes=swapped(panes, own, other) if is_here else put_in(panes, other))


def _with_fields(state: Exploration, picture: str, fields: Fields) -> Exploration:
    changed = dict(fields)
    own = changed.pop("options", {})
    options = pictures.with_options(state, picture, **own).options
    return state.with_(options=options, **changed)


class ScreenEvents(Contract):
    """A view that draws again where its size, its palette or its screen has changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.target = Target()
        self._dressed_for = self.ratio
        """The ratio of device pixels to pixels that lines are drawn for."""

    @property
    def ratio(self) -> float:
        """Device pixels per pixel."""
        return self.target.density or self.devicePixelRatioF()

    def follow_ratio(self) -> None:
        """Draw lines as wide as the screen wants them, if that has changed."""
        if self.ratio != self._dressed_for:
            self._dressed_for = self.ratio
            self.apply_theme()

    def refresh_soon(self) -> None:
        """Draw what is out of date, once for any number of calls."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = MOVES.get(Qt.Key(event.key()))
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if move is None or self._model is None or control:
            super().keyPressEvent(event)
            return
        what, steps = move
        self.model.playhead.step(steps, what)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.redraw()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh_soon()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._model is not None:
            self._model.point_at()  # the mouse cannot be over it any more
            self._model.gesture.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.apply_theme()
            self.redraw()
