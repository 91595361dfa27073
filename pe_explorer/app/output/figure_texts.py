"""The texts of figures: how wide they are, and how they are written at any size."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QFontMetricsF, QPainter

from pe_explorer.figures.page import RAISED_HEIGHT, RAISED_SIZE, Measure, Page, PageText, pieces
from pe_explorer.params import quoted

_FONT_PIXELS = 1000  # size of the font in which texts are measured and written


def measure_with(family: str) -> Measure:
    """Return the measure of texts in a font."""
    metrics = QFontMetricsF(_font(family))

    def measure(text: str, size: float) -> float:
        return _width(text, metrics) * size / _FONT_PIXELS

    return measure


def note_on_font(family: str) -> str:
    """Return a sentence that says which font is written instead of one that is not installed."""
    if QFontDatabase.hasFamily(family):
        return ""
    instead = QFontInfo(QFont(family)).family()
    return f"Font: {quoted(family)} is not installed here; {instead} is written instead."


def note_on_characters(page: Page) -> str:
    """Return a sentence that names characters of a page that no font here has, if there are any."""
    metrics = QFontMetricsF(_font(page.font))
    texts = [item.text for item in page.items if isinstance(item, PageText)]
    found = dict.fromkeys(character for text in texts for character in text)
    lacking = [each for each in found if each.isprintable() and not metrics.inFontUcs4(ord(each))]
    if not lacking:
        return ""
    named = quoted("".join(lacking))
    return f"No font here has {named}, drawn as boxes; install a font that has these characters."


class TextPainter:
    """Writes texts in the fonts of a family."""

    def __init__(self, family: str) -> None:
        self._fonts = {bold: _font(family, bold) for bold in (False, True)}

    def draw(self, painter: QPainter, text: PageText) -> None:
        """Write a text with a painter that counts points."""
        font = self._fonts[text.bold]
        metrics = QFontMetricsF(font)
        painter.save()
        painter.translate(text.x, text.y)
        if text.upward:
            painter.rotate(-90)
        painter.scale(text.size / _FONT_PIXELS, text.size / _FONT_PIXELS)
        painter.translate(-_width(text.text, metrics) * text.before, 0)
        painter.setPen(QColor(text.colour))
        painter.setFont(font)
        for piece, raised in pieces(text.text):
            painter.save()
            if raised:
                painter.translate(0, -RAISED_HEIGHT * _FONT_PIXELS)
                painter.scale(RAISED_SIZE, RAISED_SIZE)
            painter.drawText(QPointF(), piece)
            painter.restore()
            painter.translate(_advance(piece, raised, metrics), 0)
        painter.restore()


def _font(family: str, bold: bool = False) -> QFont:
    font = QFont(family)
    font.setPixelSize(_FONT_PIXELS)
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)  # it would leave colours
    return font


def _width(text: str, metrics: QFontMetricsF) -> float:
    """Return the width of a text, some of it raised."""
    return sum(_advance(piece, raised, metrics) for piece, raised in pieces(text))


def _advance(piece: str, raised: bool, metrics: QFontMetricsF) -> float:
    return metrics.horizontalAdvance(piece) * (RAISED_SIZE if raised else 1.0)
