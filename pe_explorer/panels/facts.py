"""Facts that follow from the parameters of an encoding, and the note that shows them."""

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSizePolicy

from pe_explorer.encodings import Encoding, EncodingError, Stored, Unknown, Waves, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.gallery.sentences import readable
from pe_explorer.params import capitalised
from pe_explorer.tables import Table
from pe_explorer.widgets.labels import TintedLabel, with_breaks

_LINES = 4


def facts(encoding: Encoding | Unknown) -> str:
    """Return facts on an encoding: its wavelengths, or why it has none."""
    try:
        return _facts(require_known(encoding))
    except EncodingError as error:
        return error.sentence


def _facts(e: Encoding) -> str:
    lack = needs.waves(e)
    if isinstance(e, Waves) and not lack:
        return _waves(e)
    sentence = f"{capitalised(lack)}."
    if isinstance(e, Stored):
        return f"{_table(e.stored)}\n{sentence}"
    return sentence if e.value_range else f"{sentence} Its values have no bound."


def _table(table: Table) -> str:
    shape = f"{table.rows:,} rows of {table.columns:,} numbers, {table.dtype}"
    if table.not_finite:
        shape = f"{shape}; {table.not_finite:,} not finite"
    return f"{shape}; {table.surplus:,} trailing bytes ignored" if table.surplus else shape


def _waves(e: Waves) -> str:
    waves = e.wavelengths()
    if e.pairs:
        made_of = "1 sine-cosine pair" if e.pairs == 1 else f"{e.pairs:,} sine-cosine pairs"
        if len(waves) > e.pairs:
            made_of += " and a lone wave"
    else:
        kind = "single wave" if len(waves) == 1 else "single waves"
        made_of = f"No pairs: {len(waves):,} {kind}"
    turning = waves[np.isfinite(waves)]
    if 0 < len(turning) < len(waves):
        made_of += f", of which {len(waves) - len(turning):,} never turn"
    if not len(turning):
        return f"{made_of}\nNone of them ever turns"
    shortest, longest = readable(float(turning.min())), readable(float(turning.max()))
    return f"Wavelengths from {shortest} to {longest} positions\n{made_of}"


class FactsNote(TintedLabel):
    """Facts on the encoding, or a sentence on the last input, if it was refused."""

    def __init__(self) -> None:
        super().__init__(scale=0.9)
        self.complains = False
        """Whether it shows a refusal."""
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setContentsMargins(10, 6, 10, 6)
        self.setAccessibleName("Facts about the encoding")
        self.setToolTip(
            "<p>What follows from the parameters, or what was wrong with the last input.</p>"
        )
        # Room for the longest sentence.
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 14)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def display(self, encoding: Encoding | Unknown | None) -> None:
        """Show the facts on an encoding, or nothing."""
        self._write("" if encoding is None else facts(encoding), complains=False)

    @Slot(str)
    def complain(self, sentence: str) -> None:
        """Show a sentence on input that was refused."""
        self._write(sentence, complains=True)

    def _write(self, text: str, *, complains: bool) -> None:
        self.complains = complains
        self.setText(with_breaks(text))
        self.set_shade("reference" if complains else "muted")
