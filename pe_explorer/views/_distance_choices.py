"""Header fields for the metric and the reference."""

from dataclasses import replace

from PySide6.QtCore import QObject

from pe_explorer.analysis.distance import preposition_of
from pe_explorer.encodings import LIMIT, Axis, Encoding, Unknown, axes_of
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, Parameter, declared
from pe_explorer.views.view import View
from pe_explorer.widgets.line_fields import NumberField

_NO_REFERENCE = "the histogram measures all pairs of positions; show the curve to use a reference"
_FIELD_WIDTH = 58  # width in pixels of the field for the reference; longer text scrolls
_EVERY_ROW = range(-LIMIT, LIMIT + 1)


class DistanceChoices(QObject):
    """The fields for the metric and the reference in the header of a view."""

    def __init__(self, view: View) -> None:
        header = view.header
        super().__init__(header)
        self._rows = Encoding.rows, _EVERY_ROW  # noun for rows, and range of valid references
        metric = declared(Exploration)["metric"]
        assert isinstance(metric, Choice)
        self.metric_box = header.add_choice("metric", metric, view.set_option, has_label=False)
        self.reference = NumberField(_reference(*self._rows))
        self._joining_word = header.add_lines("from", _FIELD_WIDTH, reference=self.reference)

    def show(self, state: Exploration, *, measures_from_reference: bool) -> None:
        """Show the metric and the reference, with the encoding's noun and range of rows.

        Disable the field for the reference unless `measures_from_reference`.
        """
        e = state.encoding
        rows = axes_of(e)[0], _EVERY_ROW if isinstance(e, Unknown) else e.domain
        if rows != self._rows:
            self._rows = rows
            self.reference.set_parameter(_reference(*rows))
        self.metric_box.display(state.metric)
        self._joining_word.setText(preposition_of(state.metric))
        self.reference.display(state.reference)
        self.reference.setEnabled(measures_from_reference)
        self.reference.show_reason("" if measures_from_reference else _NO_REFERENCE)


def _reference(rows: Axis, domain: range) -> Parameter:
    kind, low, high = declared(Exploration)["reference"], domain[0], domain[-1]
    text = (
        f"The {rows.name} from which distances are measured; double-click in the curve to set it."
    )
    limits = {"low": low, "high": high, "default": min(max(kind.default, low), high)}
    return replace(kind, unit=rows.name, help=text, **limits)
