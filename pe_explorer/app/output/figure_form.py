"""What the dialogs for figures have in common: the form, the preview and the drawing."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLineEdit, QVBoxLayout, QWidget

from pe_explorer import pictures
from pe_explorer.app.output import figure_order
from pe_explorer.app.output.figure_order import Order
from pe_explorer.app.output.figure_preview import FigurePreview
from pe_explorer.app.output.figure_texts import note_on_font
from pe_explorer.app.output.work_dialog import DialogContext, WorkDialog
from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.exploration import Resolved
from pe_explorer.figures.page import Page, Source
from pe_explorer.figures.size import POINTS, PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.flags import PLATE, without_effect
from pe_explorer.model.steps import Steps
from pe_explorer.params import Choice, ParameterError, declared
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.labels import CutLabel
from pe_explorer.widgets.scrolling import scroll_area

if TYPE_CHECKING:
    Dialog = WorkDialog
else:
    Dialog = object  # as Qt takes over the signals of only one of several dialogs

_OWN_SIZE = "own"
_FORM_WIDTH = 330  # pixels
_LABEL_WIDTH = 108  # pixels
_PREFERRED_SIZE = QSize(940, 620)  # pixels
_BAR_WIDTH = 120  # pixels


class FigureForm(QWidget):
    """Puts rows for a figure into the form of a dialog, and shows it beside its style."""

    ordered = Signal(str, object)
    """The figure and its settings; see `FigureChoices`."""
    changed = Signal()
    """Another figure is chosen, or one that is impossible."""

    def __init__(self, dialog: WorkDialog, about: DialogContext, choices: FigureChoices) -> None:
        """Offer a figure of a view; it begins with `choices`."""
        super().__init__(dialog)
        self._dialog, self._state = dialog, about.state
        self._style, self._size = choices.style, choices.size
        self.refusal = ""
        """Why the chosen figure is impossible; empty where it is possible."""
        self._left_out = ""
        """A sentence on what has no room in the figure that is shown."""
        self._idle: Mapping[str, str] = {}
        """Names of fields without effect on the chosen figure, with the reasons."""
        self._idle_in_file: Mapping[str, str] = {}
        """Names of fields without effect on the file or paper, with the reasons."""
        self._parts = _what_is_drawn(about.state)
        drawn = {name: _help(*part) for name, part in self._parts.items()}
        what = Choice(about.view, drawn, label="Draw", help="What to draw.")
        self.what = dialog.add_choice("&Draw", what, about.view)
        self._add_size()
        self.preview = FigurePreview(about.model, self)
        self.fields = FormFields(Style, parent=self, label_width=_LABEL_WIDTH, live=True)
        self.fields.display(vars(self._style))
        self._lay_out()
        for signal, slot in (
            (self.what.currentIndexChanged, self.update_preview),
            (self.preset.currentIndexChanged, self._take_preset),
            (self.size_text.textChanged, self.update_preview),
            (self.size_text.editingFinished, self._show_size),
            (self.fields.edited, self._edit),
            (self.fields.refused, self.update_preview),
            (self.fields.settled, self._update_mended),
            (self.preview.drawn, self._note),
            (self.preview.refused, self._refuse),
            (self.preview.replaced, self._replace_text),
        ):
            signal.connect(slot)

    def _add_size(self) -> None:
        """Add the named sizes, and the line in which any size is typed."""
        sizes = {name: f"{size}" for name, size in PRESETS.items()}
        sizes[_OWN_SIZE] = "the size in the field"
        named = Choice(_OWN_SIZE, sizes, label="Size", help="Sizes that have a name.")
        self.preset = ChoiceEditor("Size", named, self).combo
        self.preset.display(_name_of(str(self._size)))
        self.preset.fit()
        self.size_text = QLineEdit(str(self._size))
        self.size_text.setAccessibleName("Width and height")
        self.size_text.setToolTip(
            "Width and height, such as 84x60mm, 3.3x2.4in, or 1600x900 in pixels."
        )
        row = QHBoxLayout()
        row.addWidget(self.preset)
        row.addWidget(self.size_text, 1)
        self._dialog.add_row("&Size", row, self.preset)
        self.size_note = CutLabel()
        self.size_note.setAccessibleName("What the size is")
        self._dialog.form.addRow("", self.size_note)

    def _lay_out(self) -> None:
        """Put the form of the dialog and the style beside the preview."""
        self._scroll = scroll_area(self.fields, "Style")
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout()
        column.addLayout(self._dialog.form)
        column.addWidget(self._scroll, 1)
        left = QWidget()
        left.setLayout(column)
        left.setFixedWidth(_FORM_WIDTH)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(left)
        row.addWidget(self.preview, 1)

    # -- choices --------------------------------------------------------------------------------

    @property
    def style_and_size(self) -> tuple[Style, FigureSize]:
        """The style that is chosen, and the last size that was one."""
        return self._style, self._size

    @property
    def note(self) -> str:
        """Why the chosen figure is impossible, or else how it will differ from the choice."""
        notes = (self._left_out, note_on_font(self._style.font))
        return self.refusal or " ".join(filter(None, notes))

    def take_order(self) -> Order:
        """Take what is typed, and return the figure that is chosen.

        Raises `ParameterError` if there is none, and moves the keyboard to what is refused.
        """
        self.fields.commit()
        try:
            return self._order()
        except ParameterError:
            if bad := self.fields.bad:
                self._scroll.ensureWidgetVisible(self.fields.go_to(bad[0]))
            raise

    def _order(self) -> Order:
        """Return the chosen figure; raise `ParameterError` if it is impossible."""
        self._size = parse_figure_size(self.size_text.text())
        view, only = self._parts[self.what.currentData()]
        order = Order(view, self._state, self._style, self._size, only=only)
        figure_order.check(order)
        self.fields.check()
        return order

    def withhold(self, reasons: Mapping[str, str]) -> None:
        """Grey out what has no effect on a figure, or on what is made of it for these reasons."""
        self._idle_in_file = reasons
        self.fields.withhold({**self._idle, **reasons})

    @Slot()
    def update_preview(self) -> None:
        """Show the figure, or why there is none."""
        self.preset.display(_name_of(self.size_text.text()))
        with suppress(ParameterError):
            self._size = parse_figure_size(self.size_text.text())
        view, only = self._parts[self.what.currentData()]
        self._idle = without_effect(view, self._state, only)
        self.withhold(self._idle_in_file)
        self.changed.emit()  # what has no effect at this size is no reason to refuse it
        try:
            order = self._order()
        except ParameterError as error:
            self.preview.show_sentence(error.sentence, view, only)
            self._refuse(error.sentence)
        else:
            self.preview.show_figure(order)
            self._refuse("")
        self.size_note.setText(self._note_on_size())
        self.size_note.setToolTip(self.size_note.text())

    def _note_on_size(self) -> str:
        """Return how large a figure is on paper and as a picture."""
        try:
            size = parse_figure_size(self.size_text.text())
        except ParameterError:
            return ""
        order = Order("", self._state, self._style, size)
        millimetres = " × ".join(f"{side / POINTS['mm']:.4g}" for side in size.in_points)
        pixels = " × ".join(f"{side:,}" for side in order.pixels)
        if size.unit == "px":
            return f"{pixels} pixels; {millimetres} mm"
        return f"{millimetres} mm; as PNG {pixels} pixels"

    @Slot()
    def _update_mended(self) -> None:
        """Show the figure once nothing that is typed is refused any more."""
        if not self.fields.bad:
            self.update_preview()

    @Slot(str)
    def _note(self, left_out: str) -> None:
        """Say what has no room in the figure, unless there is another message."""
        before, self._left_out = self.note, left_out
        if self._dialog.message.text() == before:
            self._dialog.clear_message()

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        """Show why the chosen figure is impossible, instead of an older message."""
        self.refusal = sentence
        self._dialog.clear_message()

    @Slot()
    def _show_size(self) -> None:
        """Show the numbers of a size that was typed in another way, such as 2^10x3*256."""
        with suppress(ParameterError):
            self.size_text.setText(str(parse_figure_size(self.size_text.text())))

    @Slot(str, object)
    def _edit(self, name: str, value: Any) -> None:
        self._style = replace(self._style, **{name: value})
        self.update_preview()

    @Slot(object, str)
    def _replace_text(self, source: Source, new: str) -> None:
        """Write another text in the place of one of the figure, or its own again."""
        texts = {old: text for old, text in self._style.texts if old != source.key}
        if new.strip():
            texts[source.key] = new
        else:  # also where it stood for several
            texts = {old: text for old, text in texts.items() if text != source.text}
        try:
            taken = declared(Style)["texts"].check("Own texts", texts)
        except ParameterError as error:
            self._refuse(error.sentence)
            return
        self._style = replace(self._style, texts=taken)
        self.fields.display(vars(self._style))
        self.update_preview()

    @Slot()
    def _take_preset(self) -> None:
        if size := PRESETS.get(self.preset.currentData()):
            self.size_text.setText(str(size))


def _what_is_drawn(state: Resolved) -> dict[str, tuple[str, str]]:
    """Return the possible subjects of a figure, a view and its part, by file name."""
    parts: dict[str, tuple[str, str]] = {}
    for view in pictures.names():
        parts[view] = (view, "")
        for only in figure_order.part_names(view, state):
            parts[f"{view}-{only}"] = (view, only)
    return {**parts, PLATE: (PLATE, "")}


def _help(view: str, only: str) -> str:
    if view == PLATE:
        return "All panes side by side, each with a letter."
    help_ = pictures.find(view).help
    return f"Only the {only} of it. {help_}" if only else help_


def _name_of(text: str) -> str:
    """Return the name of the size that is typed, or of one's own size."""
    named = {preset: name for name, preset in PRESETS.items()}
    try:
        return named.get(parse_figure_size(text), _OWN_SIZE)
    except ParameterError:
        return _OWN_SIZE


class FigureWork(Dialog):
    """What makes a dialog one about a figure: it goes before that dialog among the bases."""

    figure_form: FigureForm
    order: Order
    """The figure that was chosen when it was last checked."""

    def lay_out(self) -> None:
        super().lay_out()
        self.prefer_size(_PREFERRED_SIZE)
        self.figure_form.update_preview()

    def body(self) -> QLayout:
        """Return the form and the style beside the preview."""
        row = QHBoxLayout()
        row.addWidget(self.figure_form)
        return row

    def foot(self) -> QLayout:
        """Return messages and progress beside the buttons, where they cost the preview nothing."""
        row = QHBoxLayout()
        row.addWidget(self.message, 1)
        row.addWidget(self.bar)
        row.addWidget(self.buttons)
        self.bar.setFixedWidth(_BAR_WIDTH)
        return row

    @property
    def note(self) -> str:
        return self.figure_form.note

    @property
    def choices(self) -> FigureChoices:
        """The choices to remember; a subclass defines them."""
        raise NotImplementedError

    def check(self) -> None:
        self.order = self.figure_form.take_order()

    def page(self, *, vector: bool = True) -> Steps[Page]:
        """Draw the figure that was checked; see `figure_order.laid_out`."""
        self.figure_form.preview.stop()
        self.figure_form.ordered.emit(self.order.what, self.choices)
        self.show_progress("Drawing the figure…")
        page = yield from figure_order.laid_out(self.order._replace(vector=vector))
        return page

    def _receive_error(self, error: Exception) -> None:
        self.figure_form.update_preview()  # which was stopped
        super()._receive_error(error)

    def done(self, result: int) -> None:
        self.figure_form.preview.stop()
        super().done(result)
