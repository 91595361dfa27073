"""The panel on the left with the encoding, its parameters and the positions."""

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
from pe_explorer.params import Declared, FileName, Numbers, capitalise, declared, sections
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.editors import FileEditor
from pe_explorer.widgets.form import LABEL_WIDTH, FormFields
from pe_explorer.widgets.labels import TintedLabel, add_breaks, format_paragraph, make_bold_label
from pe_explorer.widgets.layouts import Separator, lay_out_column, make_scroll_area
from pe_explorer.words.templates import format_value

_PRESET_HELP = (
    "Choose an exhibit or a published model. A preset replaces all settings and views; undo to "
    "restore them."
)


class PresetCombo(Combo):
    """A combo box with some exhibits and models, and “Custom” for any other state."""

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText("Custom")
        self.setAccessibleName("Preset")
        self.setToolTip(format_paragraph(_PRESET_HELP))
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
        title = self.currentText()  # the box may be too narrow for it
        self.setToolTip(
            format_paragraph(title) + help_text if title else format_paragraph(_PRESET_HELP)
        )


def facts(encoding: Encoding | Unknown) -> str:
    """Return a description of an encoding's wavelengths, or why it has no wavelengths."""
    try:
        e = require_known(encoding)
        reason = needs.steady(e)
        if isinstance(e, Steady) and not reason:
            return _describe_waves(e)
        sentence = f"{capitalise(reason)}."
        if not isinstance(e, Stored):
            return sentence if e.value_range else f"{sentence} The values are unbounded."
        table = e.file_table
        shape = f"{table.rows:,} rows of {table.columns:,} numbers, {table.dtype}"
        if table.nonfinite_count:
            shape += f"; {table.nonfinite_count:,} values are NaN or infinite"
        if table.trailing_size:
            shape += f"; {table.trailing_size:,} trailing bytes ignored"
        return f"{shape}\n{sentence}"
    except EncodingError as error:
        return error.sentence


def _describe_waves(e: Steady) -> str:
    waves = e.wavelengths()
    if e.pairs:
        composition = f"{e.pairs:,} sine-cosine pair{'s' * (e.pairs > 1)}"
        if len(waves) > e.pairs:
            composition += " and a single wave"
    else:
        composition = f"No pairs: {len(waves):,} single wave{'s' * (len(waves) > 1)}"
    finite_waves = waves[np.isfinite(waves)]
    if 0 < len(finite_waves) < len(waves):
        composition += f", of which {len(waves) - len(finite_waves):,} never turn"
    if not len(finite_waves):
        return f"{composition}\nAll waves are constant"
    min_text, max_text = (
        format_value(float(finite_waves.min())),
        format_value(float(finite_waves.max())),
    )
    if min_text == max_text:
        return f"Wavelength: {min_text} positions\n{composition}"
    return f"Wavelengths from {min_text} to {max_text} positions\n{composition}"


class FactsNote(TintedLabel):
    """Facts about the encoding, or the reason why the last input was refused."""

    def __init__(self) -> None:
        super().__init__(scale=0.9)
        self.is_showing_error = False
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
        # Reserve space for the longest sentence, so that the panel does not move.
        self.setFixedHeight(4 * self.fontMetrics().lineSpacing() + 14)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def display(self, text: str, *, is_error: bool = False) -> None:
        self.is_showing_error = is_error
        self.setText(add_breaks(text))
        self.set_shade("reference" if is_error else "muted")

    @Slot(str)
    def show_error(self, sentence: str) -> None:
        self.display(sentence, is_error=True)


_RANGE_FIELDS = sections(Exploration)["positions"]


class EncodingPanel(ModelPanel):
    """A panel with presets, the choice of an encoding, its parameters, and the positions."""

    refused = Signal(str)  # reason why typed text is invalid; the state is unchanged
    settled = Signal()  # refused text was corrected or discarded
    requested = Signal(str)  # the name of the panel to open
    finished = Signal()  # the user has finished choosing with the mouse, so the views get the focus

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
        self.rows_heading = make_bold_label("Positions")
        self.positions_form = FormFields(Exploration, _RANGE_FIELDS)
        self.note = FactsNote()
        for form in (self.form, self.positions_form):
            form.refused.connect(self.refused)
            form.settled.connect(self._show_facts)
            form.settled.connect(self.settled)
        for chooser in (self.form, self.encoding_combo):
            chooser.picked.connect(self._finish_choice)
        self.preset_combo.picked.connect(self.finished)
        choice_grid = QGridLayout()
        choice_grid.setHorizontalSpacing(5)
        choice_grid.setVerticalSpacing(4)
        choice_grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        choice_grid.setColumnStretch(1, 1)
        combos = {"Preset": self.preset_combo, "Encoding": self.encoding_combo}
        for row, (text, combo) in enumerate(combos.items()):
            label = QLabel(text)
            label.setBuddy(combo)
            label.setToolTip(combo.toolTip())
            choice_grid.addWidget(label, row, 0)
            choice_grid.addWidget(combo, row, 1)
        content = QWidget()
        self._column = lay_out_column(content, spacing=6, margins=(10, 10, 4, 8))
        self._column.addLayout(choice_grid)
        for part in (Separator(), self.form, Separator(), self.rows_heading, self.positions_form):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self._scroll_area = area = make_scroll_area(content, "Parameters")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the area needs no focus to scroll to a widget
        lay_out_column(self, area, Separator(), self.note, spacing=0).setStretch(0, 1)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._receive_change),
            (model.refused, self.note.show_error),
            (self.preset_combo.currentIndexChanged, self._choose_preset),
            (self.encoding_combo.currentIndexChanged, self._choose_encoding),
            (self.form.edited, self._edit_encoding),
            (self.positions_form.edited, self._edit_positions),
        ]

    def synchronise(self) -> None:
        self._display(self.model.state)
        self._show_facts()

    @Slot(str)
    def go_to(self, name: str) -> None:
        self.requested.emit("encoding")
        form = self.form if name in self.form.names else self.positions_form
        editor = form.go_to(name)
        self._column.activate()  # lay out a section that was just unfolded
        self._scroll_area.ensureWidgetVisible(editor)

    @Slot(int)
    def _choose_preset(self, index: int) -> None:
        name = self.preset_combo.itemData(index)  # None for the heading between presets and models
        preset = name and (models().get(name) or presets()[name].exhibit)
        if preset:
            self.model.apply(preset.exploration, preset.step)

    @Slot(int)
    def _choose_encoding(self, index: int) -> None:
        self.model.choose_encoding(self.encoding_combo.itemData(index))
        # Display the new encoding immediately, because the next edit applies to it.
        self._display(self.model.state)

    @Slot(bool)
    def _finish_choice(self, is_by_mouse: bool) -> None:
        if is_by_mouse:
            self.finished.emit()

    @Slot(str, object)
    def _edit_encoding(self, name: str, value: Any) -> None:
        self._show_facts()
        # Ignore edits of an encoding that is no longer selected.
        scheme = self.form.edited_class or Declared
        is_current = scheme is type(self.model.state.intention.encoding)
        if is_current and self.model.set_encoding(**{name: value}):
            return
        self._display(self.model.state)
        if is_current and isinstance(declared(scheme)[name], Numbers):
            # Keep the rejected text, so that the user can correct it.
            self.form.editor(name).display(value)

    @Slot(str, object)
    def _edit_positions(self, name: str, value: Any) -> None:
        self._show_facts()
        if not self.model.set(**{name: value}):
            self._display(self.model.state)

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if not changes(old, new) and old.encoding == new.encoding:  # for example during playback
            return
        self._display(new)
        if old.encoding != new.encoding or self.note.is_showing_error:
            self._show_facts()

    def _display(self, state: Exploration) -> None:
        e = state.intention.encoding
        self.rows_heading.setText(encodings.find_axes(e)[0].plural.capitalize())
        if isinstance(e, Unknown):
            self.encoding_combo.setPlaceholderText(e.label)
            self.encoding_combo.display(None)
            self.encoding_combo.setToolTip(format_paragraph(facts(e)))
            self.form.set_class(Declared)
        else:
            self.encoding_combo.display(e.name)
            self.encoding_combo.setToolTip(f"<p>{e.summary()}.</p>")
            if self.form.edited_class is not type(e):
                self.form.set_class(type(e))
                # Otherwise, Tab would visit the new fields after the widgets below the form.
                for before, after in pairwise([self.encoding_combo, *self.form.tab_stops]):
                    self.setTabOrder(before, after)
            self.form.display(e.parameters)
            self.form.set_unavailable(e.ineffective_parameters)
        encoding = state.encoding
        missing_field = encoding.missing_file_parameter if isinstance(encoding, Unknown) else ""
        for name, editor in self._find_file_editors().items():
            editor.show_unavailable(name == missing_field)  # shown on the editor's button
        self.positions_form.display({name: getattr(state, name) for name in _RANGE_FIELDS})
        self.preset_combo.display_match(state)

    def _find_file_editors(self) -> dict[str, FileEditor]:
        parameters = declared(self.form.edited_class or Declared).items()
        names = [name for name, parameter in parameters if isinstance(parameter, FileName)]
        editors = {name: self.form.editor(name) for name in names}
        return {name: e for name, e in editors.items() if isinstance(e, FileEditor)}

    @Slot()
    def locate(self) -> None:
        e, editors = self.model.state.encoding, self._find_file_editors()
        if isinstance(e, Unknown) and e.missing_file_parameter in editors:
            editors[e.missing_file_parameter].choose()

    @Slot()
    def _show_facts(self) -> None:
        self.note.display(facts(self.model.state.encoding) if self._model else "")
