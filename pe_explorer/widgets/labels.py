"""Labels and tooltips: tinted, elided, or with plain text inside rich text."""

import re
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from pe_explorer.params import Parameter, printed
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.theme import colours

Shade = Literal["text", "muted", "accent", "reference"]  # names of colours of the theme

_INDEX_PATTERN = re.compile(r"(\w)_([0-9]+)")
_EXPONENT_PATTERN = re.compile(r"\^(?:\(([^()]*)\)|(\w+))")
_POWER_BASE_PATTERN = re.compile(r"(?<![\w.])([0-9.]+e-?[0-9]+)\^")
_WHOLE_NUMBER_PATTERN = re.compile(r"(?<![\w.^])[0-9]{4,}(?![\w.^])")
_LONG_WORD_PATTERN = re.compile(r"\S{20}")
_MAX_VALUE_LENGTH = 400  # maximum number of characters; longer values are truncated
_JOINED_SPACE_PATTERN = re.compile(r"(?<=\d) (?=[%°])| (?=≈)|(?<=≈) |(?<=\bsin|\bcos) (?=\d)")
_BREAK_POINT_PATTERN = re.compile(r"[^\s\w]|\w{20}")

# Like `html.escape`, but without importing 2,231 character names.
_HTML_ENTITIES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
)


class TintedLabel(QLabel):
    """A label in a colour of the theme, which follows theme changes."""

    _shade: Shade = "muted"

    def __init__(self, text: str = "", *, scale: float = 1, parent: QWidget | None = None) -> None:
        """Create a muted label with a font of `scale` times the normal size."""
        super().__init__(text, parent)
        if scale != 1:
            font = self.font()
            font.setPointSizeF(font.pointSizeF() * scale)
            self.setFont(font)
        self._tint()

    def set_shade(self, shade: Shade) -> None:
        if shade != self._shade:
            self._shade = shade
            self._tint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        palette = self.palette()
        colour = getattr(colours(palette), self._shade)
        palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
        self.setPalette(palette)


class WrappedLabel(TintedLabel):
    """A label that wraps plain text, but never between a number and its unit."""

    def __init__(self, *, scale: float = 1) -> None:
        super().__init__(scale=scale)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:
        super().setText(_JOINED_SPACE_PATTERN.sub("\u00a0", text))

    def text(self) -> str:
        """Return the text with ordinary spaces."""
        return super().text().replace("\u00a0", " ")


def make_text_label(
    shade: Shade, text: str = "", *, scale: float = 1.0, bold: bool = False
) -> WrappedLabel:
    """Return a label that wraps plain text."""
    label = WrappedLabel(scale=scale)
    label.setText(text)
    label.set_shade(shade)
    if bold:
        set_bold(label)
    return label


def make_bold_label(text: str) -> QLabel:
    """Return a label in bold."""
    label = QLabel(text)
    set_bold(label)
    return label


class ElidedLabel(QLabel):
    """A label that wraps its text if it has the height, or else elides one line.

    `text` returns the full text.
    """

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def elided_text(self) -> str:
        if self._wraps:
            return self.text()
        end, width = Qt.TextElideMode.ElideRight, self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), end, width)

    @property
    def _wraps(self) -> bool:
        """Whether the text has several lines that all fit."""
        metrics, rect = self.fontMetrics(), self.contentsRect()
        place = metrics.boundingRect(rect, Qt.TextFlag.TextWordWrap, self.text())
        return place.height() > metrics.height() and rect.contains(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        rect, flags, palette = self.contentsRect(), int(self.alignment()), self.palette()
        role, text = self.foregroundRole(), self.elided_text
        if self._wraps:
            flags |= Qt.TextFlag.TextWordWrap
        painter = QPainter(self)
        self.style().drawItemText(painter, rect, flags, palette, self.isEnabled(), text, role)
        painter.end()


def add_breaks(text: str) -> str:
    """Add break opportunities to long words, which would otherwise be clipped."""
    return _LONG_WORD_PATTERN.sub("\\g<0>\u200b", text)


def escape_html(text: str) -> str:
    """Return plain text escaped for rich text."""
    return text.translate(_HTML_ENTITIES)


def format_formula(formula: str) -> str:
    """Return a formula as rich text; ``ω_26`` gets a subscript and ``10^(-5)`` a superscript."""
    text = _POWER_BASE_PATTERN.sub(
        "(\\1)^", formula
    )  # 10⁶ with a superscript 2 would look like 10⁶²
    text = _WHOLE_NUMBER_PATTERN.sub(lambda match: printed.format_plain_number(match[0]), text)
    html = _INDEX_PATTERN.sub("\\1<sub>\\2</sub>", escape_html(printed.text(text)))
    return _EXPONENT_PATTERN.sub(lambda m: f"<sup>{(m[1] or m[2]).replace('-', '−')}</sup>", html)


def format_paragraph(text: str) -> str:
    """Return plain text as a rich text paragraph, so that a tooltip wraps its lines."""
    return f"<p>{escape_html(text)}</p>"


def make_parameter_tooltip(parameter: Parameter, reason: str = "") -> str:
    """Return the tooltip of a parameter; `reason` says why the parameter has no effect."""
    head = f"<b>{escape_html(parameter.label)}</b>"
    if parameter.symbol:
        head += f" <i>{escape_html(parameter.symbol)}</i>"
    if parameter.unit:
        head += f" ({escape_html(parameter.unit)})"
    tooltip = f"<p>{head}<br>{escape_html(parameter.help)}</p>"
    tooltip += format_paragraph(f"{parameter.limits}; default {format_default(parameter)}")
    if reason:
        tooltip += f"<p><b>No effect now:</b> {escape_html(reason)}.</p>"
    return tooltip


def format_default(parameter: Parameter) -> str:
    """Return the default of a parameter as text for a sentence."""
    return parameter.format(parameter.default) or "none"


def format_value_html(text: str) -> str:
    """Return a value, truncated if long, as rich text with break opportunities for paths."""
    if len(text) > _MAX_VALUE_LENGTH:
        text = f"{text[:_MAX_VALUE_LENGTH]}…"
    return escape_html(_BREAK_POINT_PATTERN.sub("\\g<0>\u200b", text))
