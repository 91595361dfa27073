"""The panel on the left: the encoding, its parameters and the positions."""

from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from pe_explorer import encodings
from pe_explorer.encodings import Encoding, EncodingError, Steady, Stored, Unknown, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import changes
from pe_explorer.gallery.models import NOTE, models
from pe_explorer.gallery.start_here import presets
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import ModelPanel
from pe_explorer.params import Declared, FileName, Numbers, capitalised, declared, sections
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.editors import FileEditor
from pe_explorer.widgets.form import LABEL_WIDTH, FormFields
from pe_explorer.widgets.labels import TintedLabel, bold_label, paragraph, with_breaks
from pe_explorer.widgets.layouts import Separator, column_in, scroll_area
from pe_explorer.words.templates import readable

_HELP = (
    "Choose an exhibit or a published model. A preset replaces all settings and views; undo to "
    "restore them."
)


class PresetCombo(Combo):
    """A choice of some exhibits and models, with “Custom” for any other state."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Custom")
        self.setAccessibleName("Preset")
        self.setToolTip(f"<p>{_HELP}</p>")
        for preset in presets().values():
            self.add(preset.title, preset.id, preset.note)
        self.add_heading("Models")
        for model in models().values():
            self.add(model.title, model.name, NOTE)
        self.setCurrentIndex(-1)

    def display_match(self, state: Exploration) -> None:
        choices: dict[str, Any] = {**presets(), **models()}
        key = next((key for key, choice in choices.items() if choice.matches(state)), None)
        self.display(key)
        help_text = self.itemData(self.currentIndex(), Qt.ItemDataRole.ToolTipRole)
        self.setToolTip(help_text or paragraph(_HELP))


def facts(encoding: Encoding | Unknown) -> str:
    """Return facts about an encoding: its wavelengths, or why it has no wavelengths."""
    try:
        e = require_known(encoding)
        reason = needs.steady(e)
        if isinstance(e, Steady) and not reason:
            return _wave_facts(e)
        sentence = f"{capitalised(reason)}."
        if not isinstance(e, Stored):
            return sentence if e.value_range else f"{sentence} Its values are unbounded."
        table = e.file_table
        shape = f"{table.rows:,} rows of {table.columns:,} numbers, {table.dtype}"
        if table.nonfinite_count:
            shape += f"; {table.nonfinite_count:,} are NaN or infinite"
        if table.trailing_bytes:
            shape += f"; {table.trailing_bytes:,} trailing bytes ignored"
        return f"{shape}\n{sentence}"
    except EncodingError as error:
        return error.sentence


def _wave_facts(e: Steady) -> str:
    waves = e.wavelengths()
    if e.pairs:
        composition = "1 sine-cosine pair" if e.pairs == 1 else f"{e.pairs:,} sine-cosine pairs"
        if len(waves) > e.pairs:
            composition += " and a single wave"
    else:
        kind = "single wave" if len(waves) == 1 else "single waves"
        composition = f"No pairs: {len(waves):,} {kind}"
    turning = waves[np.isfinite(waves)]
    if 0 < len(turning) < len(waves):
        composition += f", of which {len(waves) - len(turning):,} never turn"
    if not len(turning):
        return f"{composition}\nNone of them turns"
    shortest, longest = readable(float(turning.min())), readable(float(turning.max()))
    return f"Wavelengths from {shortest} to {longest} positions\n{composition}"


class FactsNote(TintedLabel):
    """Facts about the encoding, or the reason why the last input was refused."""

    def __init__(self) -> None:
        super().__init__(scale=0.9)
        self.complains = False  # whether a refusal is shown
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setContentsMargins(10, 6, 10, 6)
        self.setAccessibleName("Facts about the encoding")
        self.setToolTip(
            "<p>Facts about the encoding, or why the last input was rejected.</p><p>A pair "
            "is a sine and a cosine of the same frequency, or two channels that rotate "
            "together.</p>"
        )
        # Reserve room for the longest sentence.
        self.setFixedHeight(4 * self.fontMetrics().lineSpacing() + 14)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def display(self, encoding: Encoding | Unknown | None) -> None:
        self._write("" if encoding is None else facts(encoding), complains=False)

    @Slot(str)
    def complain(self, sentence: str) -> None:
        self._write(sentence, complains=True)

    def _write(self, text: str, *, complains: bool) -> None:
        self.complains = complains
        self.setText(with_breaks(text))
        self.set_shade("reference" if complains else "muted")


_POSITIONS = sections(Exploration)["positions"]


class EncodingPanel(ModelPanel):
    """Presets, the choice of an encoding, its parameters, and the positions shown."""

    refused = Signal(str)  # reason why typed text is invalid; the state is unchanged
    settled = Signal()  # refused text was corrected or discarded
    requested = Signal(str)  # the name of the panel to open
    finished = Signal()  # a choice with the mouse is complete; the views get the focus

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(260)
        self.preset_combo = PresetCombo()
        self.encoding_combo = Combo()
        self.encoding_combo.setAccessibleName("Encoding")
        for name in encodings.names():
            scheme = encodings.find(name)
            self.encoding_combo.add(scheme.title(), name, scheme.summary())
        self.form = FormFields()
        self.rows_heading = bold_label("Positions")
        self.positions_form = FormFields(Exploration, _POSITIONS)
        self.note = FactsNote()
        for form in (self.form, self.positions_form):
            form.refused.connect(self.refused)
            form.settled.connect(self._settle)
            form.settled.connect(self.settled)
        for chooser in (self.form, self.encoding_combo):
            chooser.picked.connect(self._leave_keys)
        self.preset_combo.picked.connect(self.finished)
        choosers = QGridLayout()
        choosers.setHorizontalSpacing(5)
        choosers.setVerticalSpacing(4)
        choosers.setColumnMinimumWidth(0, LABEL_WIDTH)
        choosers.setColumnStretch(1, 1)
        combos = {"Preset": self.preset_combo, "Encoding": self.encoding_combo}
        for row, (text, combo) in enumerate(combos.items()):
            label = QLabel(text)
            label.setBuddy(combo)
            label.setToolTip(combo.toolTip())
            choosers.addWidget(label, row, 0)
            choosers.addWidget(combo, row, 1)
        content = QWidget()
        self._column = column_in(content, spacing=6, margins=(10, 10, 4, 8))
        self._column.addLayout(choosers)
        for part in (Separator(), self.form, Separator(), self.rows_heading, self.positions_form):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self._area = scroll_area(content, "Parameters")
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the area scrolls to the focused widget
        column_in(self, self._area, Separator(), self.note, spacing=0).setStretch(0, 1)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._receive_change),
            (model.refused, self.note.complain),
            (self.preset_combo.currentIndexChanged, self._choose_preset),
            (self.encoding_combo.currentIndexChanged, self._choose_encoding),
            (self.form.edited, self._edit_encoding),
            (self.positions_form.edited, self._edit_positions),
        ]

    def synchronise(self) -> None:
        self._display(self.model.state)
        self._settle()

    @Slot(str)
    def go_to(self, name: str) -> None:
        """Focus the editor of a parameter or of a position setting."""
        self.requested.emit("encoding")
        form = self.form if name in self.form.names else self.positions_form
        editor = form.go_to(name)
        self._column.activate()  # lay out a section that was just unfolded
        self._area.ensureWidgetVisible(editor)

    @Slot(int)
    def _choose_preset(self, index: int) -> None:
        name = self.preset_combo.itemData(index)  # None for the heading between presets and models
        preset = name and (models().get(name) or presets()[name].exhibit)
        if preset:
            self.model.apply(preset.exploration, preset.step)

    @Slot(int)
    def _choose_encoding(self, index: int) -> None:
        self.model.choose_encoding(self.encoding_combo.itemData(index))
        # Display the state now, because the next edit belongs to the new encoding.
        self._display(self.model.state)

    @Slot(bool)
    def _leave_keys(self, with_mouse: bool) -> None:
        if with_mouse:
            self.finished.emit()

    @Slot(str, object)
    def _edit_encoding(self, name: str, value: Any) -> None:
        self._settle()
        # Ignore an edit of an encoding that is no longer selected.
        edits = self.form.edits or Declared
        is_current = edits is type(self.model.state.intention.encoding)
        if is_current and self.model.set_encoding(**{name: value}):
            return
        self._display(self.model.state)
        if is_current and isinstance(declared(edits)[name], Numbers):
            # Keep the rejected text, so that the user can correct it.
            self.form.editor(name).display(value)

    @Slot(str, object)
    def _edit_positions(self, name: str, value: Any) -> None:
        self._settle()
        if not self.model.set(**{name: value}):
            self._display(self.model.state)

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if not changes(old, new) and old.encoding == new.encoding:  # for example during playback
            return
        self._display(new)
        if old.encoding != new.encoding or self.note.complains:
            self._settle()

    def _display(self, state: Exploration) -> None:
        self._display_encoding(state.intention.encoding)
        missing_file = state.encoding.locate if isinstance(state.encoding, Unknown) else ""
        for name, editor in self._file_editors().items():
            editor.show_unavailable(name == missing_file)  # shown on the button of the editor
        self.positions_form.display({name: getattr(state, name) for name in _POSITIONS})
        self.preset_combo.display_match(state)

    def _display_encoding(self, e: Encoding | Unknown) -> None:
        if isinstance(e, Unknown):
            self.encoding_combo.setPlaceholderText(e.label)
            self.encoding_combo.display(None)
            self.encoding_combo.setToolTip(paragraph(facts(e)))
            self.form.set_class(Declared)
            self.rows_heading.setText(Encoding.rows.plural.capitalize())
            return
        self.encoding_combo.display(e.name)
        self.encoding_combo.setToolTip(f"<p>{e.summary()}.</p>")
        if self.form.edits is not type(e):
            self.form.set_class(type(e))
            # By default, Tab visits the form last, because the form is newer than the widgets
            # below.
            for before, after in pairwise([self.encoding_combo, *self.form.stops]):
                self.setTabOrder(before, after)
        self.form.display(e.parameters)
        self.form.withhold(e.without_effect)
        self.rows_heading.setText(e.rows.plural.capitalize())

    def _file_editors(self) -> dict[str, FileEditor]:
        editors: dict[str, FileEditor] = {}
        for name, parameter in declared(self.form.edits or Declared).items():
            if isinstance(parameter, FileName):
                editor = self.form.editor(name)
                assert isinstance(editor, FileEditor)
                editors[name] = editor
        return editors

    @Slot()
    def locate(self) -> None:
        e = self.model.state.encoding
        if isinstance(e, Unknown) and e.locate in self._file_editors():
            self._file_editors()[e.locate].choose()

    @Slot()
    def _settle(self) -> None:
        self.note.display(self.model.state.encoding if self._model else None)
