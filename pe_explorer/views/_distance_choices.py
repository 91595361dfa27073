"""Header fields for the metric and the reference."""

from dataclasses import replace

from PySide6.QtCore import QObject

from pe_explorer.analysis.distance import choose_preposition
from pe_explorer.encodings import LIMIT, Axis, Encoding, Unknown, find_axes
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, Parameter, declared
from pe_explorer.views.view import View
from pe_explorer.widgets.line_fields import NumberField

_NO_REFERENCE_REASON = (
    "the histogram measures all pairs of positions; show the curve to use a reference"
)
_FIELD_WIDTH = 58  # width in pixels of the field for the reference; longer text scrolls
_ALL_ROWS = range(-LIMIT, LIMIT + 1)


class DistanceChoices(QObject):
    """The fields for the metric and the reference in the header of a view."""

    def __init__(self, view: View) -> None:
        header = view.header
        super().__init__(header)
        self._rows = Encoding.rows, _ALL_ROWS  # noun for rows, and range of valid references
        metric = declared(Exploration)["metric"]
        assert isinstance(metric, Choice)
        self.metric_box = header.add_choice("metric", metric, view.set_option, has_label=False)
        self.reference = NumberField(_make_reference_parameter(*self._rows))
        self._preposition_label = header.add_line_fields(
            "from", _FIELD_WIDTH, reference=self.reference
        )

    def show(self, state: Exploration, *, is_from_reference: bool) -> None:
        """Show the metric and the reference, which is disabled unless `is_from_reference`."""
        e = state.encoding
        rows = find_axes(e)[0], _ALL_ROWS if isinstance(e, Unknown) else e.domain
        if rows != self._rows:
            self._rows = rows
            self.reference.set_parameter(_make_reference_parameter(*rows))
        self.metric_box.display(state.metric)
        self._preposition_label.setText(choose_preposition(state.metric))
        self.reference.display(state.reference)
        self.reference.setEnabled(is_from_reference)
        self.reference.show_reason("" if is_from_reference else _NO_REFERENCE_REASON)


def _make_reference_parameter(rows: Axis, domain: range) -> Parameter:
    kind, low, high = declared(Exploration)["reference"], domain[0], domain[-1]
    text = (
        f"The {rows.name} from which distances are measured; double-click in the curve to set it."
    )
    limits = {"low": low, "high": high, "default": min(max(kind.default, low), high)}
    return replace(kind, unit=rows.name, help=text, **limits)
