import gc
import weakref
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from pe_explorer import encodings
from pe_explorer.model import Exploration
from pe_explorer.params import Choice, Declared, ParameterError, Real, Whole, declare, declared
from pe_explorer.widgets.form import FormFields
from tests.support.gestures import enter_text, turn_wheel, type_text

CLASSES = {name: encodings.find(name) for name in encodings.names()} | {"exploration": Exploration}
FIELDS = [(cls, name) for cls in CLASSES.values() for name in declared(cls)]
NUMBERS = [(cls, name) for cls, name in FIELDS if isinstance(declared(cls)[name], Whole | Real)]


every_class = pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("field", NUMBERS, ids=lambda field: f"{field[0].__name__}.{field[1]}")
def test_a_number_is_typed_within_its_limits_and_dragged_and_stepped(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    parameter, line = declared(cls)[name], form.editor(name).field
    low, high, slider = parameter.low, parameter.high, form.editor(name).slider
    excludes_low = getattr(parameter, "excludes_low", False)
    assert (slider is None) == (parameter.slider_range is None)
    if slider is not None:
        step = -1 if parameter.default == parameter.slider_range[1] else 1
        keys = [Qt.Key.Key_Right, Qt.Key.Key_Left][::step]
        qtbot.keyClick(slider, keys[0])
        ((_, value),) = heard.edits
        assert (value - parameter.default) * step > 0
        assert isinstance(parameter, Real) or value == parameter.default + step
        qtbot.keyClick(slider, keys[1])
        assert heard.edits[-1] == (name, parameter.default)
        heard.edits.clear()
        y = slider.height() // 2
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(1, y))
        for x in range(0, slider.width() + 1, slider.width() // 8):
            qtbot.mouseMove(slider, QPoint(x, y))
        qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() + 50, y))
        values = [value for _, value in heard.edits]
        assert len(values) >= 5
        assert {type(value) for value in values} == {type(parameter.default)}
        assert line.value == values[-1] == parameter.slider_range[1]
        form.reset_button(name).click()
        heard.edits.clear()
    for limit in (high, low):
        if limit != parameter.default and not excludes_low:
            enter_text(qtbot, line, parameter.format(limit))
            assert heard.edits.pop() == (name, limit)
    before = line.value
    for beyond in (high + max(1, abs(high) // 10**6), low - max(1, abs(low) // 10**6)):
        enter_text(qtbot, line, str(beyond))
        excluded = excludes_low and beyond < low
        remedy = "must be greater than" if excluded else "nearest valid value is"
        assert remedy in heard.refusals.pop()
        assert (heard.edits, line.is_invalid, line.value) == ([], True, before)


# -- the fold ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Folded(Declared):
    """Two fields that everybody changes, and two that hardly anybody does."""

    scale: float = declare(Real(1.0, 0, 9, label="Scale", help="How far.", is_advanced=True))
    width: int = declare(Whole(4, 1, 64, slider_range=(1, 64), label="Width", help="How wide."))
    order: str = declare(
        Choice(
            "up", {"up": "rising", "down": "falling"}, label="Order", help="Way.", is_advanced=True
        )
    )
    heads: int = declare(Whole(2, 1, 8, label="Heads", help="How many."))


@dataclass(frozen=True)
class Chosen(Declared):
    """A field that counts with one of two words only."""

    kind: str = declare(Choice("a", {"a": "one", "b": "two"}, label="Kind", help="Which."))
    length: int = declare(Whole(4, 1, 64, label="Length", help="Far.", when=("kind", "b")))


def test_what_is_seldom_changed_is_folded_away_and_counted(shown, qtbot):
    form, heard = shown(Folded)
    assert form.names == ("width", "heads", "scale", "order")

    def seen():
        return [name for name in form.names if form.editor(name).main.isVisible()]

    assert seen() == ["width", "heads"]
    assert (form.fold_button.text(), form.fold_button.accessibleName()) == (
        "More",
        "Show more parameters",
    )
    reset, slider = form.reset_button("width"), form.editor("width").slider
    assert (reset.size().toTuple(), reset.autoRaise(), form.fold_button.autoRaise()) == (
        (20, 22),
        True,
        True,
    )
    assert (reset.toolTip().count("default, 4"), slider.value(), slider.maximum()) == (1, 3, 63)
    place = form.fold_button.geometry()
    form.display({"width": 9, "scale": 2.0, "order": "up"})
    assert form.fold_button.text() == "More (1 changed)"
    form.display({"order": "down"})
    assert form.fold_button.text() == "More (2 changed)"
    QApplication.processEvents()
    assert form.fold_button.geometry() == place
    qtbot.mouseClick(form.fold_button, Qt.MouseButton.LeftButton)
    assert seen() == list(form.names)
    assert form.fold_button.accessibleName() == "Hide more parameters"
    rows = form.editor("heads").main, form.fold_button, form.editor("scale").main
    tops = [widget.mapTo(form, QPoint()).y() for widget in rows]
    assert tops == sorted(set(tops))
    form.fold_button.setFocus()
    qtbot.keyClick(form.fold_button, Qt.Key.Key_Space)
    assert seen() == ["width", "heads"]
    assert heard.edits == []
    qtbot.mouseClick(form.fold_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(form.reset_button("scale"), Qt.MouseButton.LeftButton)
    assert form.fold_button.text() == "More (1 changed)"
    form.fold_button.click()
    line = form.go_to("scale")  # which opens the fold
    assert line is form.editor("scale").main is QApplication.focusWidget()
    assert line.selectedText() == line.text()
    assert form.go_to("order") is form.editor("order").main
    assert seen() == list(form.names)
    form.set_class(encodings.find("index"))
    assert form.fold_button is None
    form.set_class(Folded)
    assert seen() == list(form.names)  # it stays open from one class to the next


def test_tab_goes_down_the_form_row_by_row(shown, qtbot):
    form, _ = shown(Folded)
    form.display({"scale": 2.0})
    qtbot.mouseClick(form.fold_button, Qt.MouseButton.LeftButton)
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
def test_rows_of_a_narrow_form_and_the_wheel_over_them(shown, cls):
    form, heard = shown(cls, None if cls is not Exploration else ["start", "count"])
    assert form.minimumSizeHint().width() <= 230
    if form.fold_button:
        form.fold_button.click()
        QApplication.processEvents()
    labels = {label.buddy(): label for label in form.findChildren(QLabel)}
    for name in form.names:
        editor, reset = form.editor(name), form.reset_button(name)
        assert not reset.text()
        parts = [labels[editor.main], editor.main, reset]
        row = [QRect(w.mapTo(form, QPoint()), w.size()) for w in parts]
        if editor.slider:
            below = QRect(editor.slider.mapTo(form, QPoint()), editor.slider.size())
            assert below.top() > row[0].center().y(), name
            assert (below.left(), below.right()) == (row[0].left(), row[-1].right()), name
        for before, after in pairwise(row):
            assert before.right() < after.left(), name
            assert before.top() <= after.center().y() <= before.bottom(), name
    form.elsewhere.setFocus()
    for name in form.names:  # without the focus it changes nothing
        for widget in filter(None, (form.editor(name).main, form.editor(name).slider)):
            turn_wheel(widget, -120)
    assert heard.edits == []


def test_what_has_no_effect_is_grey_and_says_why(shown):
    form, heard = shown(Folded)
    form.set_unavailable({"width": "there is no room for <it>"})
    editor = form.editor("width")
    for widget in (editor.main, editor.slider):
        assert not widget.isEnabled()
        assert "No effect now:</b> there is no room for &lt;it&gt;." in widget.toolTip()
        assert "How wide." in widget.toolTip()
    form.display({"width": 7})  # by undo or a pin: the reason stays
    assert "no room" in editor.main.toolTip()
    assert form.editor("heads").main.isEnabled()
    form.set_unavailable({"scale": "x", "order": "x"})
    assert editor.main.isEnabled()
    assert "No effect" not in editor.main.toolTip()
    assert [form.editor(name).main.isEnabled() for name in form.names] == [True, True, False, False]
    assert heard.edits == []


def test_a_complaint_stands_below_its_row_until_it_is_mended(shown, qtbot):
    form, heard = shown(Chosen)
    line = form.editor("length").field
    form.display({"kind": "b", "length": 5})
    assert (line.isVisible(), form.reset_button("length").isVisible()) == (True, True)
    type_text(qtbot, line, "x")
    form.elsewhere.setFocus()  # which drops it, where a field is not live
    assert (line.text(), form.invalid_fields) == ("5", ())
    enter_text(qtbot, line, "x")
    (complaint,) = (each for each in form.findChildren(QLabel) if "'x'" in each.text())
    place = QRect(complaint.mapTo(form, QPoint()), complaint.size())
    assert place.top() > line.mapTo(form, line.rect().bottomLeft()).y()
    assert (place.left(), place.right()) == (0, form.width() - 1)
    assert complaint.accessibleName() == "Error in Length"
    type_text(qtbot, line, "7")
    form.commit()
    assert heard.edits[-1] == ("length", 7)
    assert not complaint.isVisible()


def test_text_that_is_no_value_counts_only_while_its_field_does(qtbot, listen):
    form = FormFields(Chosen, is_live=True)
    qtbot.addWidget(form)
    form.show()
    heard, line = listen(form), form.editor("length").field
    form.display({"kind": "b"})
    type_text(qtbot, line, "x")
    for change, counts, settles in (
        (lambda: form.setFocus(), True, False),  # it stays to be mended
        (lambda: form.set_unavailable({"length": "no room"}), False, True),
        (lambda: form.set_unavailable({}), True, True),
        (lambda: form.display({"kind": "a"}), False, False),
        (lambda: form.display({"kind": "b"}), True, False),
    ):
        settled = heard.settled
        change()
        assert form.invalid_fields == ("length",) * counts
        seen = form.editor("kind").main.currentData() == "b"
        assert line.isVisible() == form.reset_button("length").isVisible() == seen
        assert (heard.settled > settled) == settles
        with pytest.raises(ParameterError, match="Length") if counts else nullcontext():
            form.check()
    assert heard.edits == []


def test_another_class_takes_the_place_of_the_old_editors(shown, qtbot):
    form, heard = shown(encodings.find("sinusoidal"))
    line = form.editor("base").field
    type_text(qtbot, line, "77")  # not entered: not to be taken for the next class
    gone = weakref.ref(form.editor("base"))
    form.set_class(encodings.find("index"))
    kinds = declared(encodings.find("index"))
    assert form.names == tuple(sorted(kinds, key=lambda name: kinds[name].is_advanced))
    assert heard.edits == []
    del line
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    assert len(form.findChildren(QLineEdit)) == sum(
        isinstance(p, Whole | Real) for p in kinds.values()
    )
