"""What a model's configuration means, in numbers and findings: a page that can be copied."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QMimeData, Qt, QUrl, Signal, Slot
from PySide6.QtWidgets import QFrame, QTextBrowser, QVBoxLayout, QWidget

from pe_explorer.analysis.sheet_words import rows_of
from pe_explorer.configs import ERROR, WARNING, Finding
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.panels.described_model import DescribedModel, edits
from pe_explorer.panels.follower import Follower
from pe_explorer.params import capitalised, declared, one_line
from pe_explorer.widgets.labels import escaped
from pe_explorer.widgets.theme import colours

_VIEW, _PARAMETER = "view", "parameter"
"""Schemes of links: to a view, and to the editor of a parameter."""
_VIEWS = {
    "positions per turn": "frequencies",
    "at the length looked at": "frequencies",
    "the same, unscaled": "frequencies",
    "pairs changed": "frequencies",
    "pairs that never turned": "frequencies",
    "pairs with new angles": "frequencies",
    "attention factor": "heatmap",
}
"""The view that shows the numbers of a row of the sheet."""
_SIGNS = {ERROR: "✖", WARNING: "⚠"}
_NOTE_SIGN = "ℹ"
_BREAK = "\u200b"  # where a long name may be broken; it has no width


class _Text(QTextBrowser):
    """Text with long names that may be broken; what is copied of it has no marks for that."""

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText().replace(_BREAK, ""))
        return data


class ModelPage(Follower):
    """What misleads in a configuration, its sheet, and notes; links lead to parameters and views.

    It stays while parameters are edited, and says what is another here than in the file.
    """

    parameter_asked = Signal(str)
    """The name of a parameter whose editor is wanted."""
    view_asked = Signal(str)
    """The name of a view that is wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._described: DescribedModel | None = None
        self.text = _Text()
        self.text.setAccessibleName("What the model's configuration means")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.anchorClicked.connect(self._follow_link)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._changed)]

    def synchronise(self) -> None:
        self._display()

    def tell(self, described: DescribedModel | None) -> None:
        """Be about another configuration, or about none."""
        self._described = described
        self._display()

    @Slot(object, object)
    def _changed(self, old: Exploration, new: Exploration) -> None:
        if old.intention.encoding != new.intention.encoding:
            self._display()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._display()

    def _display(self) -> None:
        """Write the page anew; it stays where it was scrolled to."""
        described = self._described
        if described is None or not self.attached:
            self.text.clear()
            return
        bar = self.text.verticalScrollBar()
        before = bar.value()
        now = self.model.state.intention.encoding
        parts = [_title(described), *map(_paragraph, edits(described, now))]
        findings = described.checked.findings
        parts += [self._finding(each, now) for each in findings if each.level in _SIGNS]
        parts += self._sheet(described)
        parts += [self._finding(each, now) for each in findings if each.level not in _SIGNS]
        self.text.setHtml("".join(parts))
        bar.setValue(before)

    def _sheet(self, described: DescribedModel) -> list[str]:
        """Return the numbers of each layer type, one table after the other."""
        muted = colours(self.palette()).muted
        check, tables = described.checked, []
        rows_of_all = rows_of(check)
        for number, sheet in enumerate(check.sheets):
            rows = [
                f'<tr><td style="color: {muted}; padding-right: 8px">{_label(label)}</td>'
                f"<td>{escaped(cells[number])}</td></tr>"
                for label, cells in rows_of_all
                if cells[number]
            ]
            heading = f"<h4>{escaped(one_line(sheet.layer))}</h4>"
            tables.append(f"{heading}<table>{''.join(rows)}</table>")
        return tables

    def _finding(self, finding: Finding, now: object) -> str:
        """Return a finding: its level in colour, what happens and why, and what sort it is."""
        shades = colours(self.palette())
        grave = finding.level in (ERROR, WARNING)
        colour = shades.reference if grave else shades.accent
        sign = _SIGNS.get(finding.level, _NOTE_SIGN)
        word = f"{sign} {capitalised(finding.level)}, {finding.kind.replace('-', ' ')}"
        name = finding.field.rpartition(".")[2]
        field = _breakable(one_line(finding.field).replace(".", f".{_BREAK}"))
        if isinstance(now, Encoding) and name in declared(type(now)):
            field = f'<a href="{_PARAMETER}:{name}">{field}</a>'
        why = f"; {escaped(finding.why)}" if finding.why else ""
        head = f'<span style="color: {colour}"><b>{word}</b></span>'
        return f"<p>{head}<br>{field}: {escaped(finding.happens)}{why}</p>"

    @Slot(QUrl)
    def _follow_link(self, link: QUrl) -> None:
        asked = self.parameter_asked if link.scheme() == _PARAMETER else self.view_asked
        asked.emit(link.path())


def _title(described: DescribedModel) -> str:
    check = described.checked
    model = one_line(check.model_type) or "a model"
    read_as = f"{model}, as transformers {check.semantics} reads it"
    return f"<h3>{escaped(one_line(described.name))}</h3>{_paragraph(read_as)}"


def _paragraph(text: str) -> str:
    return f"<p>{escaped(text)}</p>"


def _label(label: str) -> str:
    """Return what a row is called, as a link to the view that shows its numbers."""
    view, text = _VIEWS.get(label), _breakable(label)
    return f'<a href="{_VIEW}:{view}">{text}</a>' if view else text


def _breakable(name: str) -> str:
    """Return rich text that shows a name, in several lines where one has no room for it."""
    return escaped(name).replace("_", f"_{_BREAK}")
