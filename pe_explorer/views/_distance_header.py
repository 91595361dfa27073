"""The row above the distances: metric, reference, and the distance of two typed positions."""

from __future__ import annotations

import math
import threading
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel

from pe_explorer.analysis import distance
from pe_explorer.encodings import LIMIT, Axis, Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import Choice, Parameter, ParameterError, declared
from pe_explorer.pictures.cost import takes_long
from pe_explorer.pictures.distances import pairs_cost
from pe_explorer.views._stage import Stage
from pe_explorer.widgets.fields import NumberField

__all__ = ["DistanceHeader", "neighbours"]

_FIELD = 58  # pixels for a typed position; longer ones scroll
_READING = 112  # pixels for a distance, so that other numbers move nothing
_OWNER = "distance of two"  # of a task of the worker
_PAGES = 10  # large steps of a typed position through those shown
_EVERY_ROW = range(-LIMIT, LIMIT + 1)


class DistanceHeader(QObject):
    """Metric, reference and two positions to type, and the distance of the two."""

    refused = Signal(str)
    """A sentence on what was typed and cannot be taken."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self._model: Model | None = None
        self._rows = (Encoding.rows, _EVERY_ROW)
        """What the positions are called, and which there are."""
        metric = declared(Exploration)["metric"]
        assert isinstance(metric, Choice)
        self.metric_box = stage.add_choice("metric", metric, self._set_metric)
        of_reference, of_first, of_second = _parameters(*self._rows)
        self.reference = self._add_field("from", of_reference)
        self.first = self._add_field("d(", of_first)
        self.second = self._add_field(",", replace(of_second, default=1))
        self.fields = (self.reference, self.first, self.second)
        self.reading = QLabel(") = ")
        self.reading.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reading.setFixedWidth(_READING)
        self.reading.setAccessibleName("Distance of the two positions")
        stage.add(self.reading)
        for field in (self.first, self.second):
            field.textChanged.connect(self._measure)

    def _add_field(self, title: str, parameter: Parameter) -> NumberField:
        field = NumberField(parameter)
        field.setFixedWidth(_FIELD)
        label = QLabel(title)
        label.setBuddy(field)
        self._stage.add(label)
        self._stage.add(field)
        return field

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot that make up the attachment to a model."""
        return [
            (model.worker.done, self._receive),
            (self.reference.entered, self._set_reference),
            *((field.refused, model.refused) for field in self.fields),
            *((field.stepped, self._step) for field in self.fields),
        ]

    def attach(self, model: Model) -> None:
        """Read and change the fields of a model."""
        self._model = model

    def detach(self) -> None:
        """Leave the model."""
        if self._model is not None:
            self._model.worker.cancel(_OWNER)
        self._model = None

    def show(self, state: Exploration) -> None:
        """Show metric and reference, and the distance of the two positions typed."""
        self._limit(state)
        self.metric_box.display(state.metric)
        self.reference.display(state.reference)
        self._measure()

    def _limit(self, state: Exploration) -> None:
        """Call the fields as the rows are called, and let them take those that there are."""
        e = state.encoding
        rows, domain = Encoding.rows, _EVERY_ROW
        if not isinstance(e, Unknown):
            rows, domain = e.rows, e.domain
        if (rows, domain) == self._rows:
            return
        other_meaning = rows != self._rows[0]
        self._rows = (rows, domain)
        for field, parameter in zip(self.fields, _parameters(rows, domain), strict=True):
            field.set_parameter(parameter)
        self.reading.setAccessibleName(f"Distance of the two {rows.plural}")
        pair = (self.first, self.second)
        if other_meaning and any(field.value not in state.positions for field in pair):
            for field, value in zip(pair, neighbours(state.positions), strict=True):
                field.display(value)

    @Slot(str, object)
    def _set_metric(self, field: str, value: object) -> None:
        if self._model is not None:
            self._model.set(**{field: value})

    @Slot(object)
    def _set_reference(self, reference: int) -> None:
        if self._model is not None:
            self._model.set(reference=reference)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        field = self.sender()
        assert isinstance(field, NumberField)
        assert self._model is not None
        steps = max(self._model.state.count // _PAGES, 1) if page else 1
        domain = self._rows[1]
        wanted = field.value + direction * steps
        field.enter(min(max(wanted, domain[0]), domain[-1]))

    # -- the distance of two -------------------------------------------------------------------

    @Slot()
    def _measure(self) -> None:
        """Show the distance of the two positions typed, or have it computed."""
        if self._model is None:
            return
        state, worker = self._model.state, self._model.worker
        try:
            e = require_known(state.encoding)
            p = self.first.read()
            q = self.second.read()
        except ParameterError as error:
            worker.cancel(_OWNER)
            self._show_lack(error.sentence)
            return
        task = partial(_between, e, p, q, state.metric)
        if takes_long(pairs_cost(e, state.metric, (1, 1), (1, 1))):
            self.reading.setText(") = …")
            worker.request(_OWNER, task)
        else:
            worker.cancel(_OWNER)
            self._receive(_OWNER, task(threading.Event()))

    @Slot(str, object)
    def _receive(self, owner: str, answer: float | str) -> None:
        """Show a distance, or the sentence that says why there is none."""
        if owner != _OWNER or self._model is None:
            return
        if isinstance(answer, str):
            self._show_lack(answer)
            return
        metric = self._model.state.metric
        if math.isfinite(answer):
            self.reading.setText(f") = {answer:.8g}")
            self.reading.setToolTip(f"{answer!r}, {metric}")
            return
        self.reading.setText(") is undefined")
        if metric == "cosine":
            self.reading.setToolTip("One of the two rows has only zeros, so it has no angle.")
        else:
            self.reading.setToolTip("Numbers of the two rows are too large, or not finite.")

    def _show_lack(self, sentence: str) -> None:
        """Show that there is no distance, and why."""
        self.reading.setText(") = ?")
        self.reading.setToolTip(sentence)


def neighbours(shown: range) -> tuple[int, int]:
    """Return two rows side by side of those shown, from 0 on where that is one of them."""
    one = 0 if 0 in shown else shown[0]
    if one == shown[-1] and len(shown) > 1:
        return one, one - 1
    return one, one + 1


def _parameters(rows: Axis, domain: range) -> tuple[Parameter, Parameter, Parameter]:
    """Return the declarations of reference and pair, named after the rows, within a domain."""
    kinds, name = declared(Exploration), rows.name
    line = f"The {name} that the curve measures from, the dashed line; double-click sets it, too."
    pair = f"one of the two {rows.plural} whose distance is shown."
    of_reference = replace(kinds["reference"], unit=name, help=line)
    of_first = replace(
        kinds["position"], unit=name, label=f"First {name}", help=f"The first, {pair}"
    )
    of_second = replace(of_first, label=f"Second {name}", symbol="q", help=f"The second, {pair}")
    return _within(of_reference, domain), _within(of_first, domain), _within(of_second, domain)


def _within(kind: Parameter, domain: range) -> Parameter:
    """Return a kind of number that takes those of a domain."""
    low, high = domain[0], domain[-1]
    default = min(max(kind.default, low), high)
    return replace(kind, default=default, low=low, high=high)  # type: ignore[call-arg]


def _between(e: Encoding, p: int, q: int, metric: str, cancelled: threading.Event) -> float | str:
    """Return the distance of two positions, or the sentence that says why there is none."""
    if cancelled.is_set():
        raise CancelledError
    try:
        return distance.between(e, p, q, metric)
    except EncodingError as error:  # no row there, or its file is gone
        return error.sentence
