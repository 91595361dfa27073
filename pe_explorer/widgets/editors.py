"""Editors of single parameters, and the table of which kind of parameter has which editor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from pe_explorer.params import (
    Choice,
    FileName,
    Flag,
    Numbers,
    Optional,
    Parameter,
    Real,
    Span,
    Text,
    Whole,
)
from pe_explorer.widgets._choice_editors import ChoiceEditor, FlagEditor
from pe_explorer.widgets._editor import Editor
from pe_explorer.widgets._line_editors import (
    CHOOSE,
    LOCATE,
    FileEditor,
    LineEditor,
    NumberEditor,
)
from pe_explorer.widgets._optional_editor import OptionalEditor

__all__ = [
    "CHOOSE",
    "EDITORS",
    "LOCATE",
    "ChoiceEditor",
    "Editor",
    "FileEditor",
    "FlagEditor",
    "LineEditor",
    "NumberEditor",
    "OptionalEditor",
    "editor_for",
]


def _optional_editor(name: str, parameter: Optional, parent: QWidget) -> Editor:
    """Return a list of words where there are few, with auto as the first, otherwise a line."""
    if isinstance(parameter.inner, Choice | Flag):
        return ChoiceEditor(name, parameter, parent)
    inner = EDITORS[type(parameter.inner)](name, parameter, parent)
    assert isinstance(inner, LineEditor)
    return OptionalEditor(parameter, inner, parent)


EDITORS: dict[type[Parameter], Callable[[str, Any, QWidget], Editor]] = {
    Whole: NumberEditor,
    Real: NumberEditor,
    Choice: ChoiceEditor,
    Flag: FlagEditor,
    Numbers: LineEditor,
    Span: LineEditor,
    Text: LineEditor,
    FileName: FileEditor,
    Optional: _optional_editor,
}
"""What makes the editor of each kind of parameter."""


def editor_for(name: str, parameter: Parameter, parent: QWidget) -> Editor:
    """Return an editor that fits a parameter's kind."""
    return EDITORS[type(parameter)](name, parameter, parent)
