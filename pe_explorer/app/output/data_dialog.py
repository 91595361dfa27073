"""The dialog that writes the numbers of a view to a file."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer import quantities
from pe_explorer.analysis.comparison import Subject, chosen
from pe_explorer.app.output.export_dialog import ExportDialog
from pe_explorer.encodings import EncodingError, require_known
from pe_explorer.files import export
from pe_explorer.flags import CARRY, Request, export_line
from pe_explorer.model import Exploration, Model
from pe_explorer.model.chain import Steps
from pe_explorer.params import declared
from pe_explorer.progress import report
from pe_explorer.quantities import Asked, Data
from pe_explorer.views.distances import Distances
from pe_explorer.views.heatmap import Heatmap

__all__ = ["DataDialog"]


class DataDialog(ExportDialog):
    """Writes the numbers of a view to a file, with progress and cancel."""

    def __init__(
        self,
        parent: QWidget,
        model: Model,
        view: str,
        folder: str = "",
        *,
        extra: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """`extra` is what the opened session holds that is not known here.

        The session beside the data has it, too.
        """
        super().__init__(parent, model, "Export data", {".npy": "Arrays", ".csv": "Text"}, folder)
        self._extra = extra
        choices = declared(Request)
        what, show = _made_of(view, self._state)
        self.what = self.add_choice("&Write", choices["what"], what)
        self.of = self.add_choice("&Of", choices["show"], show)
        if not self._state.pins:
            self.form.setRowVisible(self.of, False)
        self.dtype = self.add_choice("&Numbers", choices["dtype"], choices["dtype"].default)
        self.carry = self.add_choice("S&ession", CARRY, CARRY.default)
        self.rows = QLabel()
        self.form.addRow(self.rows, QLabel(f"{self._state.count:,} from {self._state.start:,} on"))
        self._offer()
        if self._lack(what):
            there = [name for name in quantities.names() if not self._lack(name)]
            self.what.display(there[0] if there else what)
        self._name_rows()
        self.what.currentIndexChanged.connect(self._name_rows)
        self.of.currentIndexChanged.connect(self._offer)
        self.of.currentIndexChanged.connect(self._name_rows)
        self.finish(self.what)

    @Slot()
    def _name_rows(self) -> None:
        """Call the numbers of the range what they are for what is written."""
        subject = self._subject()
        rows = subject.encoding.rows.plural if subject else "positions"
        if quantities.find(self.what.currentData()).by_offset:
            rows = "offsets"
        self.rows.setText(rows.capitalize())

    @Slot()
    def _offer(self) -> None:
        """Grey out what there are no numbers of; the tooltips say why."""
        for name in quantities.names():
            self.what.withhold(name, self._lack(name))

    def _lack(self, what: str) -> str:
        """Return why there are no such numbers, or an empty text."""
        state, subject = self._state, self._subject()
        if subject is None:  # the export itself says so
            return ""
        asked = Asked(subject, state.positions, state.metric, state.reference)
        return quantities.lack(what, asked)

    def _subject(self) -> Subject | None:
        """Return what the numbers are of, None where that is not known here."""
        pinned = self._state.pin.encoding if self._state.pin else None
        try:
            return chosen(self.of.currentData(), self._state.encoding, pinned)
        except EncodingError:
            return None

    def check(self) -> None:
        state = self._state
        chosen = {"what": self.what, "show": self.of, "dtype": self.dtype, "carry": self.carry}
        self._request = Request.of(
            state, **{name: combo.currentData() for name, combo in chosen.items()}
        )
        self._data = self._request.data(state.encoding, state.positions, state.pins)

    def line(self, target: Path) -> str:
        return export_line(
            require_known(self._state.encoding),
            self._state.positions,
            self._request,
            target,
            self._state.pins,
        )

    def work(self, target: Path) -> Steps[None]:
        beside = export.session_beside(
            self._state, self._state.positions, self._request, target, self._extra
        )
        yield partial(_write, self._data, target, self._request.dtype, beside)


def _made_of(view: str, state: Exploration) -> tuple[str, str]:
    """Return what numbers a view is made of, and of which encoding they are, in the words of
    `Request`.
    """
    if view != Heatmap.name:
        return "distances" if view == Distances.name else "table", "current"
    return "angles" if state.options[view].quantity == "angle" else "table", state.show  # type: ignore[attr-defined]


def _write(
    data: Data, target: Path, dtype: str, beside: str | None, request: threading.Event
) -> None:
    """Write a file in the worker."""
    written = 0

    def progress(rows: int) -> None:
        nonlocal written
        written += rows
        report(request, written / len(data.index))

    export.write(data, target, dtype, progress, beside=beside)
