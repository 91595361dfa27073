import gc
import weakref
from dataclasses import dataclass
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
)

from pe_explorer import encodings
from pe_explorer.model import Exploration
from pe_explorer.params import Choice, Declared, Real, Whole, declare, declared
from pe_explorer.widgets.theme import apply_theme
from tests.support.forms import show_form, write
from tests.support.gestures import turn_wheel

CLASSES = {name: encodings.find(name) for name in encodings.names()} | {"exploration": Exploration}
FIELDS = [(cls, name) for cls in CLASSES.values() for name in declared(cls)]
NUMBERS = [(cls, name) for cls, name in FIELDS if isinstance(declared(cls)[name], Whole | Real)]


def called(field):
    return f"{field[0].__name__}.{field[1]}"


def every_number(test):
    return pytest.mark.sampled(12)(pytest.mark.parametrize("field", NUMBERS, ids=called)(test))


every_class = pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)


def in_form(cls):
    """Return the names of fields as a form has them: those seldom changed come last."""
    kinds = declared(cls)
    return tuple(sorted(kinds, key=lambda name: kinds[name].seldom))


@pytest.fixture
def shown(qtbot):
    apply_theme(QApplication.instance(), "light")
    windows = []

    def show(cls, names=None):
        return show_form(qtbot, windows, cls, names)

    return show


@every_number
def test_limits_can_be_typed_and_one_beyond_is_refused(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    parameter, line = declared(cls)[name], form.editor(name).field
    for limit in (parameter.high, parameter.low):
        if limit != parameter.default and not getattr(parameter, "above", False):
            write(qtbot, line, parameter.format(limit))
            assert heard.edits.pop() == (name, limit)
    before = line.value
    for beyond in (
        parameter.high + max(1, abs(parameter.high) // 10**6),
        parameter.low - max(1, abs(parameter.low) // 10**6),
    ):
        write(qtbot, line, str(beyond))
        assert heard.edits == []
        excluded = getattr(parameter, "above", False) and beyond < parameter.low
        remedy = "it must be greater than" if excluded else "the nearest valid value is"
        assert remedy in heard.refusals.pop()
        assert line.bad
        assert line.value == before


@every_number
def test_dragging_a_slider_edits_all_the_way(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    slider, parameter = form.editor(name).slider, declared(cls)[name]
    if slider is None:
        assert parameter.comfort is None
        return
    y = slider.height() // 2
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(1, y))
    for x in range(0, slider.width() + 1, slider.width() // 8):
        qtbot.mouseMove(slider, QPoint(x, y))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() + 50, y))
    values = [value for _, value in heard.edits]
    assert len(values) >= 5
    assert all(type(value) is type(parameter.default) for value in values)
    assert values[-1] == parameter.comfort[1]
    assert form.editor(name).field.value == values[-1]


@every_number
def test_keys_on_a_slider_step(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    slider, parameter = form.editor(name).slider, declared(cls)[name]
    if slider is None:
        return
    there, back, sign = Qt.Key.Key_Right, Qt.Key.Key_Left, 1
    if parameter.default == parameter.comfort[1]:
        there, back, sign = back, there, -1
    qtbot.keyClick(slider, there)
    (edit,) = heard.edits
    assert (edit[1] - parameter.default) * sign > 0
    if isinstance(parameter, Whole):
        assert edit[1] == parameter.default + sign
    qtbot.keyClick(slider, back)
    assert heard.edits[-1] == (name, parameter.default)


# -- the fold ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Folded(Declared):
    """Two fields that everybody changes, and two that hardly anybody does."""

    scale: float = declare(Real(1.0, 0, 9, label="Scale", help="How far.", seldom=True))
    width: int = declare(Whole(4, 1, 64, comfort=(1, 64), label="Width", help="How wide."))
    order: str = declare(
        Choice("up", {"up": "rising", "down": "falling"}, label="Order", help="Way.", seldom=True)
    )
    heads: int = declare(Whole(2, 1, 8, label="Heads", help="How many."))


def test_what_is_seldom_changed_is_folded_away_until_somebody_asks(shown, qtbot):
    form, heard = shown(Folded)
    assert form.names == ("width", "heads", "scale", "order")
    seen = [name for name in form.names if form.editor(name).main.isVisible()]
    assert seen == ["width", "heads"]
    assert form.fold.text() == "More"
    assert form.fold.accessibleName() == "Show more parameters"
    qtbot.mouseClick(form.fold, Qt.MouseButton.LeftButton)
    assert all(form.editor(name).main.isVisible() for name in form.names)
    assert form.fold.accessibleName() == "Hide more parameters"
    form.fold.setFocus()
    qtbot.keyClick(form.fold, Qt.Key.Key_Space)
    assert not form.editor("scale").main.isVisible()
    assert heard.edits == []


def test_the_fold_counts_what_is_changed_below_it(shown, qtbot):
    form, _ = shown(Folded)
    place = form.fold.geometry()
    form.display({"width": 9, "scale": 2.0, "order": "up"})
    assert form.fold.text() == "More (1 changed)"
    form.display({"order": "down"})
    assert form.fold.text() == "More (2 changed)"
    QApplication.processEvents()
    assert form.fold.geometry() == place
    qtbot.mouseClick(form.fold, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(form.reset_button("scale"), Qt.MouseButton.LeftButton)
    assert form.fold.text() == "More (1 changed)"


def test_the_fold_stays_open_from_one_class_to_the_next(shown, qtbot):
    form, _ = shown(Folded)
    qtbot.mouseClick(form.fold, Qt.MouseButton.LeftButton)
    form.set_class(encodings.find("index"))
    assert form.fold is None
    form.set_class(Folded)
    assert form.editor("scale").main.isVisible()


def test_tab_goes_down_the_form_row_by_row(shown, qtbot):
    form, _ = shown(Folded)
    form.display({"scale": 2.0})
    qtbot.mouseClick(form.fold, Qt.MouseButton.LeftButton)
    form.editor("width").main.setFocus()
    names = []
    while not form.elsewhere.hasFocus():
        names.append(QApplication.focusWidget().accessibleName())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert names == [
        "Width",
        "Width slider",
        "Heads",
        "Hide more parameters",
        "Scale",
        "Reset Scale",
        "Order",
    ]


# -- rows ----------------------------------------------------------------------------------------


@every_class
def test_label_field_and_reset_stand_in_one_row_above_the_slider(shown, cls):
    form, _ = shown(cls)
    if form.fold:
        form.fold.click()
        QApplication.processEvents()
    labels = {label.buddy(): label for label in form.findChildren(QLabel)}
    for name in form.names:
        editor = form.editor(name)
        parts = [labels[editor.main], editor.main, form.reset_button(name)]
        row = [QRect(w.mapTo(form, QPoint()), w.size()) for w in parts]
        if editor.slider:
            below = QRect(editor.slider.mapTo(form, QPoint()), editor.slider.size())
            assert below.top() > row[0].center().y(), name
            assert (below.left(), below.right()) == (row[0].left(), row[-1].right()), name
        for before, after in pairwise(row):
            assert before.right() < after.left(), name
            assert before.top() <= after.center().y() <= before.bottom(), name


def test_what_has_no_effect_is_grey_and_says_why(shown):
    form, heard = shown(Folded)
    form.withhold({"width": "there is no room for <it>"})
    editor = form.editor("width")
    for widget in (editor.main, editor.slider):
        assert not widget.isEnabled()
        assert "No effect now:</b> there is no room for &lt;it&gt;." in widget.toolTip()
        assert "How wide." in widget.toolTip()
    form.display({"width": 7})  # by undo or a pin: the reason stays
    assert "no room" in editor.main.toolTip()
    assert form.editor("heads").main.isEnabled()
    form.withhold({"scale": "x", "order": "x"})
    assert editor.main.isEnabled()
    assert "No effect" not in editor.main.toolTip()
    assert [form.editor(name).main.isEnabled() for name in form.names] == [True, True, False, False]
    assert heard.edits == []


@every_class
def test_wheel_changes_nothing_without_focus(shown, cls):
    form, heard = shown(cls)
    form.elsewhere.setFocus()
    for name in form.names:
        editor = form.editor(name)
        for widget in filter(None, (editor.main, editor.slider)):
            turn_wheel(widget, -120)
    assert heard.edits == []


def test_another_class_takes_the_place_of_the_old_editors(shown, qtbot):
    form, heard = shown(encodings.find("sinusoidal"))
    line = form.editor("base").field
    write(qtbot, line, "77", enter=False)  # typed, not entered: not to be taken for the next class
    gone = weakref.ref(form.editor("base"))
    form.set_class(encodings.find("index"))
    assert form.names == in_form(encodings.find("index"))
    assert heard.edits == []
    del line
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    assert len(form.findChildren(QLineEdit)) == sum(
        isinstance(p, Whole | Real) for p in declared(encodings.find("index")).values()
    )


@every_class
def test_a_form_fits_a_narrow_panel(shown, cls):
    form, _ = shown(cls, None if cls is not Exploration else ["start", "count"])
    assert form.minimumSizeHint().width() <= 230
    for combo in form.findChildren(QComboBox):
        longest = max(
            combo.fontMetrics().horizontalAdvance(combo.itemText(row))
            for row in range(combo.count())
        )
        assert longest <= 110
    assert not any(form.reset_button(name).text() for name in form.names)
