"""Editors in which a value is chosen or ticked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.params import Choice, Optional, Parameter
from pe_explorer.widgets._editor import Editor
from pe_explorer.widgets.fields import Box, Combo

__all__ = ["ChoiceEditor", "FlagEditor"]


class ChoiceEditor(Editor):
    """One of several words, each with a tooltip that explains it."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.combo = Combo(parent)
        self._describe(self.combo)
        texts = parameter.texts if isinstance(parameter, Choice) else {}
        for word, meaning in _words(parameter).items():
            self.combo.add(texts.get(word, word), word, meaning)
        self.combo.currentIndexChanged.connect(self._chosen)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        self.combo.display(self.parameter.format(value))

    def rename(self, word: str, text: str) -> None:
        """Show another text for a word."""
        self.combo.rename(word, text)

    def withhold_words(self, words: Collection[str], why: str = "") -> None:
        """Grey out the words that would have no effect, with the reason, and offer all others."""
        for row in range(self.combo.count()):
            word = self.combo.itemData(row)
            self.combo.withhold(word, why if word in words else "")

    @Slot(int)
    def _chosen(self, index: int) -> None:
        if index >= 0:
            word = self.combo.itemData(index)
            value = self.parameter.parse(self.parameter.label, word)
            self.edited.emit(self.name, value)


class FlagEditor(Editor):
    """A box to tick."""

    def __init__(self, name: str, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(name, parameter, parent)
        self.main = self.box = Box(parent)
        self._describe(self.box)
        self.box.toggled.connect(self._edit)
        self.display(parameter.default)

    def display(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(value)
        self.box.setText(self.parameter.format(value))

    @Slot(bool)
    def _edit(self, value: Any) -> None:
        super()._edit(value)


def _words(parameter: Parameter) -> dict[str, str]:
    """Return the words of a choice or of a flag, and what each means."""
    if isinstance(parameter, Optional):
        return {parameter.word: f"{parameter.auto}.", **_words(parameter.inner)}
    if isinstance(parameter, Choice):
        return dict(parameter.choices)
    return {parameter.format(value): parameter.help for value in (True, False)}
