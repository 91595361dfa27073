"""What was chosen of the looks of widgets, as it is on record beside the tests of a room."""

import json
import os
import re
from collections import Counter
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QToolButton,
    QWidget,
)

OF_ALL = ("isEnabled", "autoFillBackground", "hasMouseTracking", "contentsMargins", "focusPolicy")
OF_KINDS = {
    QAbstractButton: ("iconSize", "isCheckable", "isChecked"),
    QToolButton: ("autoRaise", "toolButtonStyle", "popupMode"),
    QPushButton: ("autoDefault", "isDefault"),
    QLabel: ("wordWrap", "textFormat", "alignment", "textInteractionFlags", "hasScaledContents"),
    QLineEdit: ("maxLength", "isClearButtonEnabled", "alignment", "isReadOnly"),
    QFrame: ("frameShape", "lineWidth"),
    QAbstractScrollArea: ("horizontalScrollBarPolicy", "verticalScrollBarPolicy"),
    QScrollArea: ("widgetResizable",),
    QPlainTextEdit: ("lineWrapMode", "isReadOnly", "tabChangesFocus"),
    QTabWidget: ("documentMode",),
    QHeaderView: ("minimumSectionSize", "maximumSectionSize", "highlightSections"),
    QAbstractItemView: ("editTriggers", "selectionMode", "verticalScrollMode", "tabKeyNavigation"),
}
"""What is on record of widgets of some kinds."""
WORDS = ("toolTip", "accessibleName", "accessibleDescription", "objectName", "placeholderText")
"""Texts of which it is on record whether there is one, as words may be chosen better."""
ATTRIBUTES = ("TransparentForMouseEvents", "DeleteOnClose", "OpaquePaintEvent")
_PYTHONS = re.compile(r"<?PySide6[\w.]*\(|\)( at 0x\w+>)?$")
"""What Python writes around numbers of Qt."""


def looks(root):
    """Count widgets by what was chosen of their looks: margins, gaps, sizes, fonts, keys."""
    found = Counter()
    for widget in (root, *root.findChildren(QWidget)):
        font, own = widget.font(), QApplication.font()
        facts = [type(widget).__name__, font.bold(), f"{font.pointSizeF() / own.pointSizeF():.3f}"]
        facts += [getattr(widget, name)() for name in OF_ALL]
        facts += [int(bool(getattr(widget, name, str)())) for name in WORDS]
        attributes = [getattr(Qt.WidgetAttribute, f"WA_{name}") for name in ATTRIBUTES]
        facts += [int(widget.testAttribute(attribute)) for attribute in attributes]
        facts += [widget.sizePolicy().horizontalPolicy(), widget.sizePolicy().verticalPolicy()]
        if not widget.isWindow():  # whose words count
            facts += [widget.minimumSize(), widget.maximumSize()]
        for kind, names in OF_KINDS.items():
            facts += [getattr(widget, name)() for name in names if isinstance(widget, kind)]
        if isinstance(widget, QLabel):
            facts += [widget.palette().windowText().color().name(), int(bool(widget.buddy()))]
        inside = widget.layout()
        for layout in (inside, *inside.findChildren(QLayout)) if inside else ():
            grid = isinstance(layout, QGridLayout)
            gaps = (layout.horizontalSpacing(), layout.verticalSpacing()) if grid else ()
            facts += [layout.contentsMargins(), layout.spacing(), *gaps]
            for place in range(layout.count()):
                item = layout.itemAt(place)
                facts += [item.alignment(), *([item.sizeHint()] if item.spacerItem() else ())]
                facts += [layout.stretch(place)] if isinstance(layout, QBoxLayout) else []
                facts += [layout.getItemPosition(place)] if grid else []
        if not widget.objectName().startswith("qt_"):  # what Qt makes
            found[" ".join(_PYTHONS.sub("", f"{each}") for each in facts)] += 1
    return dict(sorted(found.items()))


def assert_recorded(file, name, root):
    """Check that nothing looks different than on record, in `looks.json` beside a file of tests.

    With RECORD_LOOKS=1 the tests write that file anew, which shows what has changed.
    """
    path = Path(file).with_name("looks.json")
    recorded = json.loads(path.read_text()) if path.exists() else {}
    if "RECORD_LOOKS" in os.environ:
        recorded[name] = looks(root)
        lines = [f"{json.dumps(each)}: {json.dumps(recorded[each])}" for each in sorted(recorded)]
        path.write_text("{" + ",\n".join(lines) + "}\n")
    assert looks(root) == recorded[name]
