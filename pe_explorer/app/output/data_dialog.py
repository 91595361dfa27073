"""The dialog that writes the values of a view to a file."""

import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel

from pe_explorer import flags, pictures, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.app.output.work_dialog import DialogContext, FileDialog
from pe_explorer.encodings import EncodingError, require_known
from pe_explorer.exploration import ResolvedState, make_subject_names
from pe_explorer.files import export
from pe_explorer.model.steps import Steps
from pe_explorer.params import declared
from pe_explorer.progress import PartialProgress
from pe_explorer.quantities import QuantityInput
from pe_explorer.widgets.editors import Editor, make_editor

_CURVES_NOTE = (
    "<p><b>No effect now:</b> the file contains all curves. To choose one, set Curves to “one”.</p>"
)


class DataDialog(FileDialog):
    """A dialog that writes the values of a view to a file; writing can be cancelled."""

    FILE_KIND = "data"

    def __init__(self, context: DialogContext) -> None:
        super().__init__(context, "Export data", {".npy": "Arrays", ".csv": "Text"})
        view = self._view = context.view
        parameters = declared(flags.ExportRequest)
        picture = pictures.make_picture(view, self._state)
        name = picture.quantity_name()
        self.quantity = self.add_choice("&Write", parameters["what"], name)
        self.subject = self.add_choice("&Of", parameters["show"], picture.show)
        self._subject_help = self.subject.toolTip()
        self.subject.rename_items(make_subject_names(self._state))
        if not self._state.pins:
            self.form.setRowVisible(self.subject, False)
        word = "all" if flags.has_several_curves(view, self._state, name) else "one"
        self.curves = self.add_choice("C&urves", parameters["curves"], word)
        self._options: dict[str, Any] = {}
        self._editors: dict[str, Editor] = {}
        for quantity in map(quantities.find, quantities.names()):
            for option, parameter in quantity.options.items() if not quantity.view else ():
                if option not in self._editors:
                    editor = self._editors[option] = make_editor(option, parameter, self)
                    editor.edited.connect(self._receive_option)
                    editor.refused.connect(self.message.setText)
                    self.form.addRow(parameter.label, editor.main)
        self.dtype = self.add_choice("&Numbers", parameters["dtype"])
        self.carry = self.add_choice("Include s&ession", flags.SESSION_CHOICE)
        self.rows = QLabel()
        count, start = self._state.count, self._state.start
        self.form.addRow(self.rows, QLabel(f"{count:,}, starting at {start:,}"))
        if self._find_unavailable_reason(name):
            names = (name for name in quantities.names() if not self._find_unavailable_reason(name))
            self.quantity.display(next(names, name))
        self.omissions = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.form.addRow(self.omissions)
        self._show_choice()
        for combo in (self.quantity, self.subject, self.curves):
            combo.currentIndexChanged.connect(self._show_choice)
        self.finish(self.quantity)

    @Slot(str, object)
    def _receive_option(self, name: str, value: object) -> None:
        self._options[name] = value
        self.clear_message()

    @Slot()
    def _show_choice(self) -> None:
        for name in quantities.names():
            self.quantity.set_unavailable(name, self._find_unavailable_reason(name))
        state, quantity = self._state, quantities.find(self.quantity.currentData())
        subject = self._find_subject(quantity.name)
        rows = subject.encoding.rows.plural if subject else "positions"
        self.rows.setText("Offsets" if quantity.has_offsets else rows.capitalize())
        for name, editor in self._editors.items():
            self.form.setRowVisible(editor.main, name in quantity.options)
        has_second_window = pictures.find("heatmap")(state).options.second is not None
        can_choose_curves = bool(
            (quantity.curve_axis and state.pins)
            or (quantity.can_have_second_window and has_second_window)
            or flags.has_several_curves(self._view, state, quantity.name)
        )
        self.form.setRowVisible(self.curves, can_choose_curves)
        request = self._make_request()
        has_every_curve = can_choose_curves and request.has_all_curves
        self.subject.setEnabled(not has_every_curve)
        self.subject.setToolTip(f"{self._subject_help}{_CURVES_NOTE if has_every_curve else ''}")
        sentences = flags.omissions(request, self._view, state)
        sentences += request.find_missing_curves(state.encoding, state.positions, state.pins)
        self.omissions.setText(" ".join(sentences))
        self.form.setRowVisible(self.omissions, bool(sentences))

    def _find_unavailable_reason(self, name: str) -> str:
        state, subject = self._state, self._find_subject(name)
        if subject is None:  # exporting reports why the encoding is not supported
            return ""
        inputs = QuantityInput(subject, state.positions, state.metric, state.reference)
        return quantities.unavailable_reason(name, inputs)

    def _find_subject(self, name: str) -> Subject | None:
        """Return the encoding to compute a quantity for, or None if the encoding is unsuitable."""
        encoding, pin, show = self._state.encoding, self._state.pin, self.subject.currentData()
        try:
            return quantities.select_subject(name, show, encoding, pin.encoding if pin else None)
        except EncodingError:
            return None

    def _make_request(self) -> flags.ExportRequest:
        combos = {"what": self.quantity, "show": self.subject, "curves": self.curves}
        combos |= {"dtype": self.dtype, "carry": self.carry}
        words = {name: combo.currentData() for name, combo in combos.items()}
        return flags.ExportRequest.from_exploration(self._state, **words, options=self._options)

    def check(self) -> None:
        self._request = self._make_request()
        self._request.check(self._state.encoding, self._state.positions, self._state.pins)

    def command(self, target: Path) -> str:
        state, request = self._state, self._request
        encoding = require_known(state.encoding)
        return flags.format_export_line(encoding, state.positions, request, target, state.pins)

    def work(self, target: Path) -> Steps[None]:
        yield partial(_write, self._request, self._state, target, self._extra_fields)


def _write(
    request: flags.ExportRequest,
    state: ResolvedState,
    target: Path,
    extra: Mapping[str, Any],
    progress: threading.Event,
) -> None:
    preparation_progress = PartialProgress(progress, 0.0, 0.9)
    data = request.data(state.encoding, state.positions, state.pins, preparation_progress)
    session = export.make_data_session(state, state.positions, request, target, extra, data.curves)
    export.write(data, target, request.dtype, progress, session_text=session)
