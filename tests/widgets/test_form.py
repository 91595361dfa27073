import gc
import weakref

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import encodings
from pe_explorer.model import Exploration
from pe_explorer.params import Choice, FileName, Flag, Real, Whole, declared
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.theme import apply_theme
from tests.support.wheel import turn_wheel

CLASSES = {name: encodings.find(name) for name in encodings.names()} | {"exploration": Exploration}
FIELDS = [(cls, name) for cls in CLASSES.values() for name in declared(cls)]
NUMBERS = [(cls, name) for cls, name in FIELDS if isinstance(declared(cls)[name], Whole | Real)]
CHOICES = [(cls, name) for cls, name in FIELDS if isinstance(declared(cls)[name], Choice)]


def called(field):
    return f"{field[0].__name__}.{field[1]}"


every_field = pytest.mark.parametrize("field", FIELDS, ids=called)
every_number = pytest.mark.parametrize("field", NUMBERS, ids=called)
every_choice = pytest.mark.parametrize("field", CHOICES, ids=called)
every_class = pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)


def other(parameter):
    """Return a legal value that is not the default."""
    if isinstance(parameter, Choice):
        return list(parameter.choices)[-1]
    if isinstance(parameter, Flag):
        return not parameter.default
    if isinstance(parameter, FileName):
        return f"/tables/t{parameter.endings[0]}"
    return type(parameter.default)(3 if parameter.high >= 3 else parameter.high / 2)


class Heard:
    """Everything that a form said."""

    def __init__(self, form):
        self.edits, self.refusals = [], []
        form.edited.connect(self.edit)
        form.refused.connect(self.refusals.append)

    def edit(self, name, value):
        self.edits.append((name, value))


@pytest.fixture
def shown(qtbot):
    apply_theme(QApplication.instance(), "light")

    windows = []

    def show(cls, names=None):
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        form = FormFields(cls, names)
        elsewhere = QLineEdit()
        layout = QVBoxLayout(window)
        layout.addWidget(form)
        layout.addWidget(elsewhere)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        form.elsewhere = elsewhere
        return form, Heard(form)

    return show


def write(qtbot, field, text, *, enter=True):
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClicks(field, text)
    if enter:
        qtbot.keyClick(field, Qt.Key.Key_Return)


@every_class
def test_one_editor_per_declaration_with_label_and_tooltip(shown, cls):
    form, _ = shown(cls)
    assert form.names == tuple(declared(cls))
    labels = {label.buddy(): label.text() for label in form.findChildren(QLabel)}
    for name, parameter in declared(cls).items():
        main = form.editor(name).main
        assert parameter.label in labels[main]
        assert parameter.symbol in labels[main]
        assert main.accessibleName() == parameter.label
        assert isinstance(main, QComboBox) == isinstance(parameter, Choice)


@every_class
def test_every_control_explains_itself(shown, cls):
    form, _ = shown(cls)
    for name in form.names:
        editor = form.editor(name)
        for widget in filter(None, (editor.main, editor.slider, form.reset_button(name))):
            assert widget.toolTip()
            assert widget.accessibleName()


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


WRONG_TEXTS = ["", "abc", "nan", "inf", "1e999", "1,2,3", "0x10", "2^", "--1", "W" * 60]


@every_number
def test_wrong_text_is_refused_in_a_sentence_and_goes_with_escape(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    parameter, line = declared(cls)[name], form.editor(name).field
    for text in WRONG_TEXTS:
        write(qtbot, line, text, enter=False)
        assert line.bad, text
        assert heard.refusals == [], text  # not before it is entered
        qtbot.keyClick(line, Qt.Key.Key_Return)
        refusal = heard.refusals.pop()
        assert heard.refusals == [], text
        assert refusal.startswith(f"{parameter.label}: "), text
        assert refusal.endswith("."), text
        with qtbot.waitSignal(form.settled):
            qtbot.keyClick(line, Qt.Key.Key_Escape)
        assert line.text() == parameter.format(parameter.default), text
        assert not line.bad, text
    assert heard.edits == []


@every_number
def test_wrong_text_goes_when_the_field_is_left(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    line = form.editor(name).field
    write(qtbot, line, "abc", enter=False)
    form.elsewhere.setFocus()
    assert line.text() == declared(cls)[name].format(declared(cls)[name].default)
    assert not line.bad
    assert len(heard.refusals) == 1
    assert heard.edits == []


@every_number
def test_right_text_counts_when_the_field_is_left_and_only_once(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    value = other(declared(cls)[name])
    write(qtbot, form.editor(name).field, str(value))
    form.elsewhere.setFocus()
    write(qtbot, form.editor(name).field, f"{float(value)}0")  # an equal value
    assert heard.edits == [(name, value)]


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e12", 10**12), ("2^53", 2**53), ("1_000_000", 10**6), ("1,000,000", 10**6), (" 12 ", 12)],
)
def test_numbers_as_people_write_them(shown, qtbot, text, value):
    form, heard = shown(Exploration, ["count"])
    write(qtbot, form.editor("count").field, text)
    assert heard.edits == [("count", value)]
    slider = form.editor("count").slider
    if value > 100_000:
        assert slider.value() == slider.maximum()


def test_one_beyond_two_to_the_53(shown, qtbot):
    form, heard = shown(Exploration, ["start"])
    write(qtbot, form.editor("start").field, "9007199254740993")
    assert heard.edits == []
    assert "2^53" in heard.refusals[0]


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


@every_choice
def test_choosing(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls, [name])
    parameter, combo = declared(cls)[name], form.editor(name).combo
    assert combo.currentText() == parameter.default
    for row, (choice, meaning) in enumerate(parameter.choices.items()):
        assert meaning.split()[0] in combo.itemData(row, Qt.ItemDataRole.ToolTipRole)
        assert combo.itemData(row) == choice
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    (edit,) = heard.edits
    assert edit == (name, list(parameter.choices)[1])


@every_field
def test_reset_is_offered_for_a_difference_and_nothing_moves(shown, qtbot, field):
    cls, name = field
    form, heard = shown(cls)
    parameter, reset = declared(cls)[name], form.reset_button(name)
    places = [widget.geometry() for widget in form.findChildren(QWidget)]
    assert not reset.isEnabled()
    form.display({name: other(parameter)})
    QApplication.processEvents()
    assert reset.isEnabled()
    assert [widget.geometry() for widget in form.findChildren(QWidget)] == places
    assert heard.edits == []  # showing is not editing
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert heard.edits == [(name, parameter.default)]
    assert not reset.isEnabled()


@every_class
def test_wheel_changes_nothing_without_focus(shown, cls):
    form, heard = shown(cls)
    form.elsewhere.setFocus()
    for name in form.names:
        editor = form.editor(name)
        for widget in filter(None, (editor.main, editor.slider)):
            turn_wheel(widget, -120)
    assert heard.edits == []


def test_showing_a_value_leaves_what_is_being_typed(shown, qtbot):
    form, heard = shown(Exploration, ["start"])
    line = form.editor("start").field
    write(qtbot, line, "12", enter=False)
    form.display({"start": 99})
    assert line.text() == "12"
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "99"
    assert heard.edits == []


def test_another_class_takes_the_place_of_the_old_editors(shown, qtbot):
    form, heard = shown(encodings.find("sinusoidal"))
    line = form.editor("base").field
    write(qtbot, line, "77", enter=False)  # typed, not entered: not to be taken for the next class
    gone = weakref.ref(form.editor("base"))
    form.set_class(encodings.find("index"))
    assert form.names == tuple(declared(encodings.find("index")))
    assert heard.edits == []
    del line
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    assert len(form.findChildren(QLineEdit)) == sum(
        isinstance(p, Whole | Real) for p in declared(encodings.find("index")).values()
    )


def test_an_arrow_key_in_a_field_takes_what_is_typed_first(shown, qtbot):
    form, heard = shown(Exploration, ["start"])
    line = form.editor("start").field
    write(qtbot, line, "41", enter=False)
    qtbot.keyClick(line, Qt.Key.Key_Up)
    assert heard.edits == [("start", 41), ("start", 42)]
    assert line.text() == "42"


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
    assert not any(button.text() for button in form.findChildren(QToolButton))
