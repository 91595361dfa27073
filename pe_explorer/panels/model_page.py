"""A page with the values and findings of a model's configuration, which can be copied."""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser

from pe_explorer.analysis.configuration import FINDING_LEVELS
from pe_explorer.analysis.sheet_words import format_heading, list_differences, list_rows
from pe_explorer.configs import ERROR, UNKNOWN_CLASS, WARNING, Finding
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.model import Model
from pe_explorer.panels.follower import ModelFollower
from pe_explorer.panels.inspector import replace_text
from pe_explorer.params import capitalise, declared, find_used_parameters, to_one_line, with_remedy
from pe_explorer.pictures.context import Context
from pe_explorer.widgets.icons import picture
from pe_explorer.widgets.labels import escape_html, format_paragraph
from pe_explorer.widgets.layouts import lay_out_column
from pe_explorer.widgets.theme import colours

_VIEW_SCHEME, _PARAMETER_SCHEME = "view", "parameter"
"""URL schemes of links to a view or one of its options, and to a parameter's editor."""
_ROW_VIEWS = {
    "window": "distances",
    "training length": "context#trained",
    "positions per turn": "frequencies",
    "positions per turn at target length": "frequencies",
    "unscaled positions per turn": "frequencies",
    "pairs changed": "frequencies",
    "pairs that never turned": "context",
    "pairs with unseen angles": "context",
    "attention factor": "heatmap",
}
"""Views that show the values of rows, by row label. An option of the view follows ``#``."""
_TRAINING_LENGTH_LINK = f'<a href="{_VIEW_SCHEME}:context#trained">Trained</a>'
_FLAG_REPLACEMENTS = {
    "--trained": "if this length was raised by hand, enter the original length as "
    f"{_TRAINING_LENGTH_LINK} in Context"
}  # rich text that replaces the instructions for a command-line flag in the window
_ICON_SCHEME = "icon"  # URL scheme of icons, with one URL for each level of findings
_ICON_SIDE, _PIXEL_RATIO = 14, 3.0  # side in points, and pixels per point, so that icons are sharp
_SERIOUS_LEVELS = (ERROR, WARNING)
_BREAK_CHARACTER = "\u200b"  # zero-width space, which allows a line break in a long name
_ICON_CHARACTER = "\ufffc"  # placeholder for an icon in plain text


class _ModelText(QTextBrowser):
    """Text with icons, and with line breaks in long names; copied text omits both."""

    def createMimeDataFromSelection(self) -> QMimeData:
        data = super().createMimeDataFromSelection()
        text = self.textCursor().selection().toPlainText()
        for character in (f"{_ICON_CHARACTER} ", _ICON_CHARACTER, _BREAK_CHARACTER):
            text = text.replace(character, "")
        replace_text(data, text)
        return data


class ModelPage(ModelFollower):
    """The findings and values of a configuration, with links, and the edits since opening."""

    parameter_requested = Signal(str)  # name of the parameter to edit
    view_requested = Signal(str, str)  # a view, and one of its options or an empty string

    def __init__(self) -> None:
        super().__init__()
        self._opened_model: OpenedModel | None = None
        self._current_model: OpenedModel | None = None  # with the current training length
        # Build the page after the views are drawn, and once for several changes.
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._build)
        self.text = _ModelText(openLinks=False)
        self.text.setAccessibleName("Meaning of the model's configuration")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        keyboard_flag = Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.text.setTextInteractionFlags(self.text.textInteractionFlags() | keyboard_flag)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.anchorClicked.connect(self._follow_link)
        lay_out_column(self, self.text)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._receive_change)]

    def display_model(self, model: OpenedModel | None) -> None:
        """Show a configuration from the top, or an empty page if `model` is None."""
        self._opened_model = self._current_model = model
        self.text.clear()  # links of the previous model must not stay clickable
        self.synchronise()

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        before = Context(old).options.trained, old.intention.encoding
        if before != (Context(new).options.trained, new.intention.encoding):
            self.synchronise()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.synchronise()

    def synchronise(self) -> None:
        self._timer.start()

    @Slot()
    def _build(self) -> None:
        """Rebuild the page without changing the scroll position."""
        if self._opened_model is None or self._current_model is None or not self.is_attached:
            self.text.clear()
            return
        trained = Context(self.model.state).options.trained
        current_model = self._current_model = self._current_model.with_training_length(trained)
        bar = self.text.verticalScrollBar()
        scroll_position = bar.value()
        encoding = self.model.state.intention.encoding
        document, kind = self.text.document(), QTextDocument.ResourceType.ImageResource
        for level in FINDING_LEVELS:
            pixmap = picture(f"finding-{level}", self._find_colour(level), _ICON_SIDE, _PIXEL_RATIO)
            document.addResource(kind, QUrl(f"{_ICON_SCHEME}:{level}"), pixmap)
        findings = current_model.checks[0].findings
        unknown_class_findings = [finding for finding in findings if finding.kind == UNKNOWN_CLASS]
        findings = tuple(finding for finding in findings if finding not in unknown_class_findings)
        heading = format_paragraph(format_heading(current_model.checks[0]))
        parts = [f"<h3>{escape_html(to_one_line(current_model.name))}</h3>{heading}"]
        border = f"border: 1px solid {self._find_colour(WARNING)}; padding: 2px 6px"
        for finding in unknown_class_findings:
            cell = f'<td style="{border}">{self._format_finding(finding, encoding)}</td>'
            parts.append(f'<table width="100%" cellspacing="0"><tr>{cell}</tr></table>')
        parts += map(format_paragraph, _describe_edits(current_model, encoding))
        serious_findings = [finding for finding in findings if finding.level in _SERIOUS_LEVELS]
        parts += [self._format_finding(finding, encoding) for finding in serious_findings]
        for model in current_model.compared:
            parts.append(format_paragraph(self._opened_model.verdict(model)))
            if rows := list_differences(self._opened_model.checks[0], model.checks[0]):
                title = f"Differences in {escape_html(model.name)}"
                parts.append(f"<h4>{title}</h4>{self._format_table(rows)}")
        parts += self._format_sheets(current_model, encoding)
        parts += self._format_other_versions(current_model)
        minor_findings = [finding for finding in findings if finding not in serious_findings]
        parts += [self._format_finding(finding, encoding) for finding in minor_findings]
        self.text.setHtml("".join(parts))
        bar.setValue(scroll_position)

    def _find_colour(self, level: str) -> str:
        shades = colours(self.palette())
        return shades.reference if level in _SERIOUS_LEVELS else shades.accent

    def _format_sheets(self, model: OpenedModel, encoding: object) -> list[str]:
        """Return an HTML table for each layer type, with links to views and parameter editors."""
        check, (original, *_) = model.checks[0], model.layers.values()
        rows, tables = list_rows(check), []
        for number, sheet in enumerate(check.sheets):
            editable_encoding = encoding if sheet.encoding == original else None
            texts = [(label, cells[number]) for label, cells in rows if cells[number]]
            table = self._format_table(texts, has_links=True, encoding=editable_encoding)
            tables.append(f"<h4>{escape_html(to_one_line(sheet.layer))}</h4>{table}")
        return tables

    def _format_table(
        self, rows: Iterable[tuple[str, str]], *, has_links: bool = False, encoding: object = None
    ) -> str:
        """Return an HTML table of labels and values, whose links work if `has_links` is set."""
        style, cells = f"color: {colours(self.palette()).muted}; padding-right: 8px", []
        for label, text in rows:
            value = _format_link(label, text, encoding) if has_links else escape_html(text)
            name = _make_breakable(label)
            cells.append(f'<tr><td style="{style}">{name}</td><td>{value}</td></tr>')
        return f"<table>{''.join(cells)}</table>"

    def _format_other_versions(self, model: OpenedModel) -> list[str]:
        first, *other_checks = model.checks
        parts = ["<h4>Other versions of transformers</h4>"]
        versions: dict[str, list[tuple[str, str]]] = {first.semantics: []}
        for check in other_checks:
            rows = list_differences(first, check)
            version = next((name for name, known in versions.items() if known == rows), None)
            versions[check.semantics] = rows
            if version is not None:
                parts.append(
                    format_paragraph(f"{check.semantics}: the same values as with {version}")
                )
            else:
                head = format_paragraph(f"{check.semantics}: different values")
                parts.append(f"{head}{self._format_table(rows)}")
        return parts

    def _format_finding(self, finding: Finding, encoding: object) -> str:
        source = f"{_ICON_SCHEME}:{finding.level}"
        size = f'width="{_ICON_SIDE}" height="{_ICON_SIDE}"'
        icon_html = f'<img src="{source}" {size} style="vertical-align: middle">'
        word = f"{capitalise(finding.level)}, {finding.kind.replace('-', ' ')}"
        name = finding.field.rpartition(".")[2]
        field = _make_breakable(to_one_line(finding.field).replace(".", f".{_BREAK_CHARACTER}"))
        if _has_editor(name, encoding):
            field = f'<a href="{_PARAMETER_SCHEME}:{name}">{field}</a>'
        elif finding.field in _FLAG_REPLACEMENTS:
            field = _TRAINING_LENGTH_LINK
        why = _FLAG_REPLACEMENTS.get(finding.flag, "") if finding.flag else escape_html(finding.why)
        colour = self._find_colour(finding.level)
        head = f'{icon_html} <span style="color: {colour}"><b>{word}</b></span>'
        return f"<p>{head}<br>{field}: {with_remedy(escape_html(finding.happens), why)}</p>"

    @Slot(QUrl)
    def _follow_link(self, link: QUrl) -> None:
        if link.scheme() == _PARAMETER_SCHEME:
            self.parameter_requested.emit(link.path())
        else:
            self.view_requested.emit(link.path(), link.fragment())


def _describe_edits(model: OpenedModel, current: Encoding | Unknown) -> list[str]:
    original, *_ = model.layers.values()
    trained, sentences = model.configuration.trained, []
    if model.trained is not None:
        length = f"{model.trained:,} here and {f'{trained:,}' if trained else 'unknown'}"
        sentences.append(f"The training length is {length} in the file.")
    if isinstance(current, Unknown) or type(original) is not type(current):
        return [*sentences, f"The encoding is {current.name} here."]
    for name, kind in {**find_used_parameters(original), **find_used_parameters(current)}.items():
        current_value, file_value = getattr(current, name), getattr(original, name)
        if current_value != file_value:
            text = f"{kind.format(current_value)} here, but {kind.format(file_value)} in the file"
            sentences.append(f"{name} is {text}.")
    return sentences


def _format_link(label: str, text: str, encoding: object) -> str:
    """Return the HTML of a value, with a link to its view or editor if it has one.

    `encoding` is the current encoding if the value belongs to it, otherwise None. If it is
    None, links to the heatmap and to editors are omitted, because the heatmap and the
    editors show only the current encoding.
    """
    view = _ROW_VIEWS.get(label, "")
    if view and (view != "heatmap" or encoding is not None):
        return f'<a href="{_VIEW_SCHEME}:{view}">{escape_html(text)}</a>'
    if _has_editor(label, encoding):
        return f'<a href="{_PARAMETER_SCHEME}:{label}">{escape_html(text)}</a>'
    return escape_html(text)


def _has_editor(name: str, encoding: object) -> bool:
    return isinstance(encoding, Encoding) and name in declared(type(encoding))


def _make_breakable(name: str) -> str:
    return escape_html(name).replace("_", f"_{_BREAK_CHARACTER}")
