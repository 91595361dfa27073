"""The stage of a view of plots: a row of choices, the plots, and a sentence on top of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from pe_explorer.params import Choice, Declared, declared
from pe_explorer.pictures.pixels import Size
from pe_explorer.views.view import View
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.fields import Combo
from pe_explorer.widgets.plot import RangePlot
from pe_explorer.widgets.theme import colours

__all__ = ["Stage"]


_NOTE_WIDTH = 420  # pixels, where there is room
_CORNER = 4  # pixels between the edges and what stands in a corner


class Stage(QObject):
    """Lays out a view: its choices, its plots side by side, its sentence on top of them."""

    accepted = Signal()
    """The offer beside the sentence was taken."""

    def __init__(
        self,
        view: View,
        plots: Sequence[RangePlot],
        choices: Sequence[str],
        choose: Callable[[str, object], None],
    ) -> None:
        super().__init__(view)
        self._view, self._plots = view, plots
        self._over: RangePlot | None = None
        self.header = QWidget()
        self.row = QHBoxLayout(self.header)
        self.row.setContentsMargins(8, 4, 8, 2)
        self.row.setSpacing(5)
        self.combos: dict[str, Combo] = {}
        self.labels: dict[str, QLabel] = {}
        self._options: tuple[Declared | None, Collection[str]] = (None, ())
        self.row.addStretch(1)
        for field in choices:
            self.add_option(field, choose)
        self.canvas = pg.GraphicsLayoutWidget()
        # Its background fills it.
        self.canvas.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.ci.layout.setContentsMargins(4, 6, 4, 4)
        self.canvas.ci.layout.setHorizontalSpacing(6)
        for column, plot in enumerate(plots):
            self.canvas.addItem(plot, 0, column)
        layout = QVBoxLayout(view)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.canvas, 1)
        self._make_note()
        self._refining = QLabel("Refining…", self.canvas)
        self._refining.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._refining.setAccessibleName("Refining")
        self._refining.hide()
        for part in (self.canvas, self.canvas.viewport(), self.header):
            part.installEventFilter(self)

    def add_option(
        self, field: str, choose: Callable[[str, object], None], *, labelled: bool = True
    ) -> None:
        """Add a combo box for one of the view's own options."""
        parameter = declared(self._view.picture.Options)[field]
        assert isinstance(parameter, Choice)
        self.combos[field] = self.add_choice(field, parameter, choose, labelled=labelled)

    def add_choice(
        self,
        field: str,
        parameter: Choice,
        choose: Callable[[str, object], None],
        *,
        labelled: bool = True,
    ) -> Combo:
        """Add a combo box for a declared choice to the row above the plots."""
        editor = ChoiceEditor(field, parameter, self.header)
        editor.edited.connect(choose)
        combo = editor.combo
        combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys with the picture
        combo.fit()
        if labelled:
            self.labels[field] = QLabel(parameter.label)
            self.labels[field].setBuddy(combo)
            self.add(self.labels[field])
        self.add(combo)
        return combo

    def add(self, widget: QWidget) -> None:
        """Add a widget to the row above the plots."""
        self.row.insertWidget(self.row.count() - 1, widget)

    def _make_note(self) -> None:
        self._note = QFrame(self.canvas)
        self._note.setObjectName("note")
        self._note.setAccessibleName("Note")
        self._sentence = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._button = QPushButton()
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.clicked.connect(self.accepted)
        self._offers = True
        """Whether there may be a button below the sentence."""
        column = QVBoxLayout(self._note)
        column.setContentsMargins(16, 12, 16, 12)
        column.addWidget(self._sentence)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._note.hide()

    def hide_controls(self) -> None:
        """Leave the plots and the sentence alone: a figure has no buttons."""
        self.header.hide()
        self._offers = False
        self._button.hide()
        self._place_note()

    def show_message(
        self, sentence: str, *, offer: str = "", over: RangePlot | None = None
    ) -> None:
        """Show a sentence over all plots or one of them; an empty one hides it.

        `offer` is the text of a button below the sentence, empty for none.
        """
        self._over = over
        if not sentence and self._note.isHidden():
            return
        self._sentence.setText(sentence)
        self._button.setText(offer)
        self._button.setVisible(bool(offer) and self._offers)
        self._note.setVisible(bool(sentence))
        self._place_note()

    def show_refining(self, refining: bool) -> None:
        """Show in a corner, beside the picture, whether a finer one is on its way."""
        if refining:
            self._place_refining()
        self._refining.setVisible(refining)

    def _place_refining(self) -> None:
        self._refining.adjustSize()
        top = self.canvas.height() - self._refining.height() - _CORNER
        self._refining.move(_CORNER, top)

    @property
    def sentence(self) -> str:
        """The sentence shown, or an empty text."""
        return self._sentence.text()

    def show_options(self, options: Declared, hidden: Collection[str] = ()) -> None:
        """Show what is chosen, and only the choices that matter now."""
        if (options, hidden) == self._options:
            return
        self._options = (options, hidden)
        for field, combo in self.combos.items():
            combo.display(getattr(options, field))
            combo.setVisible(field not in hidden)
            if field in self.labels:
                self.labels[field].setVisible(field not in hidden)

    def pixels(self, plot: RangePlot, ratio: float) -> Size:
        """Return the size of a plot's area in device pixels."""
        self.canvas.ci.layout.activate()
        plot.layout.activate()
        area = plot.box.size()
        return Size(round(area.width() * ratio), round(area.height() * ratio))

    def dress(self) -> None:
        """Take the colours of the palette."""
        palette = self._view.palette()
        c = colours(palette)
        self.canvas.setBackground(c.base)
        for plot in self._plots:
            plot.dress(palette, self._view.ratio)
        ground = (
            f"#note {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: 6px; }}"
        )
        self._refining.setStyleSheet(f"color: {c.muted}; font-size: 8pt")
        # Below a style sheet the palette is that of the application.
        self._note.setStyleSheet(f"{ground} #note QLabel {{ color: {c.text}; }}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and watched is self.canvas.viewport():
            # The plots get no such event by themselves when the mouse moves on to the note.
            self.canvas.scene().leaveEvent(event)
        if event.type() == QEvent.Type.Resize and watched is not self.canvas.viewport():
            self._place_note()
            self._place_refining()
            self._view.redraw()
        return super().eventFilter(watched, event)

    def _place_note(self) -> None:
        over = self._plots[0] if len(self._plots) == 1 else self._over
        area = over.box.sceneBoundingRect().toRect() if over else self.canvas.rect()
        width = min(_NOTE_WIDTH, max(_NOTE_WIDTH // 3, area.width() - 20))
        self._note.ensurePolished()  # its edge takes room as well
        height = max(self._note.heightForWidth(width), self._note.sizeHint().height())
        self._note.setFixedSize(width, height)
        left = area.center().x() - width // 2
        top = area.center().y() - height // 2
        self._note.move(left, max(0, top))
