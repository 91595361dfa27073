import html
import re
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from pe_explorer import encodings
from pe_explorer.encodings import Steady
from pe_explorer.encodings.abilities import needs
from pe_explorer.gallery.start_here import presets
from pe_explorer.panels.encoding import EncodingPanel, facts
from pe_explorer.params import Choice, Flag, ParameterError, declared
from pe_explorer.widgets.theme import colours
from tests.support.gestures import enter_text, picked_with_mouse, type_text
from tests.support.oracles import definition
from tests.support.pairwise import pairwise
from tests.support.samples import COLUMNS, ROWS, counting, sample, stored_table

list_encodings = pytest.mark.parametrize("name", encodings.names())
every_preset = pytest.mark.parametrize("preset", presets().values(), ids=presets())
PARAMETERS = [
    (name, parameter) for name in encodings.names() for parameter in declared(encodings.find(name))
]


@pytest.fixture
def panel(show_panel):
    panel = EncodingPanel()
    return show_panel(panel, panel.minimumWidth(), 620)


def settle(model):
    model.emit_changes()
    QApplication.processEvents()


def choose(combo, key):
    combo.setCurrentIndex(combo.findData(key))


@every_preset
def test_preset_can_be_chosen_from_anywhere(panel, model, preset):
    model.set(start=10**15, count=2**50, position=10**15 + 7, reference=3, metric="dot")
    settle(model)
    combo = panel.preset_combo
    assert (combo.currentText(), combo.placeholderText()) == ("", "Custom")
    in_a_column = combo, panel.encoding_combo, panel.positions_form.editor("start").main
    assert len({widget.mapTo(panel, QPoint()).x() for widget in in_a_column}) == 1
    choose(combo, preset.id)
    settle(model)
    assert model.state.intention == preset.exhibit.exploration
    assert combo.currentData() == preset.id
    assert html.escape(preset.note) in combo.toolTip()
    assert html.escape(preset.title) in combo.toolTip()
    assert panel.encoding_combo.currentData() == preset.exhibit.exploration.encoding.name
    before = model.set(count=model.state.count + 1) and model.state
    settle(model)
    assert combo.currentIndex() == -1
    for row in range(combo.count()):
        if combo.itemData(row) is None:  # what stands between the presets and the models
            combo.setCurrentIndex(row)
            settle(model)
            assert model.state == before


@list_encodings
def test_choosing_an_encoding_rebuilds_the_form_and_says_what_it_is(panel, model, name):
    model.set_encoding("sinusoidal", dim=77)
    combo = panel.encoding_combo
    choose(combo, name)
    settle(model)
    wanted = model.state.intention.encoding
    assert wanted.name == combo.currentData() == name
    assert set(panel.form.names) == set(declared(encodings.find(name)))
    assert combo.itemData(combo.currentIndex(), Qt.ItemDataRole.ToolTipRole)
    defaults = encodings.create(name).parameters
    kept = {"dim": 77} if "dim" in defaults else {}  # what both declare as shared
    assert wanted.parameters == defaults | kept
    assert panel.note.text().replace("\u200b", "") == facts(model.state.encoding)
    model.set(encoding=sample(name))
    settle(model)
    e, text = model.state.encoding, panel.note.text()
    assert panel.rows_heading.text().lower() == f"{e.rows.name}s"
    assert (f"{e.title()} has no sines or cosines" in text) == bool(needs.waves(e))
    if not needs.pairs(e):
        first, *_, last = definition(e).wavelengths()
        assert f"{first:.2f} to {last:,.0f}" in text
        assert "64 sine-cosine pairs" in text
    if panel.form.fold_button and panel.form.fold_button.arrowType() == Qt.ArrowType.RightArrow:
        panel.form.fold_button.click()
    QApplication.processEvents()
    area = panel.findChild(QScrollArea)  # in the least width
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()
    assert not area.verticalScrollBar().isVisible()


def another(e, parameter):
    """Return a value of a parameter that goes with the others and is not its default; of a choice
    the last.
    """
    declaration = declared(type(e))[parameter]
    choices = list(declaration.choices) if isinstance(declaration, Choice) else []
    for value in (stored_table(), *reversed(choices), True, False, 4, 0.5, 3, [2] * 24, [2] * 64):
        with suppress(ParameterError):
            if (checked := declaration.check("", value)) != declaration.default:
                replace(e, **{parameter: checked})
                return checked
    raise AssertionError(declaration)


@pytest.mark.sampled(25)
@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_every_parameter_can_be_edited_and_reset(panel, model, qtbot, name, parameter):
    declaration = declared(encodings.find(name))[parameter]
    e = counting(name, parameter)
    model.set(encoding=e)
    settle(model)
    editor = panel.form.editor(parameter)
    wanted = another(e, parameter)
    if isinstance(declaration, Choice):
        editor.combo.setFocus()
        for _ in declaration.choices:
            qtbot.keyClick(editor.combo, Qt.Key.Key_Down)
    elif isinstance(declaration, Flag):
        qtbot.keyClick(editor.box, Qt.Key.Key_Space)
    else:
        enter_text(qtbot, editor.field, declaration.format(wanted))
    settle(model)
    assert model.state.intention.encoding.parameters[parameter] == wanted
    reset = panel.form.reset_button(parameter)
    assert reset.isEnabled()
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    settle(model)
    assert model.state.intention.encoding.parameters[parameter] == declaration.default
    assert not reset.isEnabled()


@pytest.mark.parametrize("text", ["nan", "W" * 60])
def test_invalid_text_is_explained_below_its_field_and_changes_nothing(panel, model, qtbot, text):
    before, field = model.state, panel.form.editor("base").field
    with qtbot.waitSignal(panel.refused) as signal:
        enter_text(qtbot, field, text)
    QApplication.processEvents()
    assert model.state is before
    complaint = complaint_of(panel, "Base")
    assert complaint.text().replace("\u200b", "") == signal.args[0]
    assert complaint.palette().windowText().color().name() == colours(panel.palette()).reference
    assert complaint.isVisible()
    assert complaint.geometry().top() >= field.geometry().bottom()
    assert complaint.heightForWidth(complaint.width()) <= complaint.height() + 1
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not complaint.isVisible()
    assert panel.note.text() == facts(model.state.encoding)


def complaint_of(panel, label):
    labels = panel.findChildren(QLabel)
    return next(e for e in labels if e.accessibleName() == f"Error in {label}")


@pytest.mark.parametrize(
    ("field", "text", "problem"),
    [
        ("start", "9007199254740993", "-2^53 to 2^53"),
        ("start", "2^53", "at most 1."),  # legal by itself, but not with 50 positions
        ("start", "-9007199254740993", "-2^53 to 2^53"),
        ("count", "0", "1 to 2^53"),
        ("count", "9007199254740993", "1 to 2^53"),
    ],
)
def test_positions_have_their_limits(panel, model, qtbot, field, text, problem):
    before = model.state
    line = panel.positions_form.editor(field).field
    enter_text(qtbot, line, text)
    labels = (complaint_of(panel, field.capitalize()), panel.note)
    assert any(each.isVisible() and problem in each.text() for each in labels)
    assert model.state is before
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.value == getattr(before, field)
    panel.encoding_combo.setFocus()
    assert line.text() == str(getattr(before, field))


def test_the_form_follows_the_model_unless_it_is_detached(panel, model):
    model.set_encoding(dim=77, layout="concatenated")
    model.set(start=12)
    settle(model)
    assert panel.form.editor("dim").field.text() == "77"
    assert panel.form.editor("layout").combo.currentText() == "concatenated"
    assert panel.positions_form.editor("start").field.text() == "12"
    panel.detach()
    model.set_encoding(dim=64)
    settle(model)
    assert panel.form.editor("dim").field.text() == "77"
    assert not panel.isEnabled()
    panel.attach(model)
    assert panel.form.editor("dim").field.text() == "64"


def test_going_to_a_parameter_below_the_fold_opens_it(panel, qtbot):
    panel.resize(286, 260)
    QApplication.processEvents()
    panel.go_to("scale")
    field = panel.form.editor("scale").field
    qtbot.waitUntil(field.hasFocus)
    assert field.selectedText() == "1"
    area = panel.findChild(QScrollArea)
    place = field.mapTo(area.viewport(), field.rect().center())
    assert area.viewport().rect().contains(place)


NAMES = encodings.names()
TURNS = [
    (NAMES[first], NAMES[(first + further) % len(NAMES)], what)
    for first, further, what in pairwise(
        range(len(NAMES)), range(1, len(NAMES)), ["reset", "key", "slider", "typed"]
    )
]
"""Every turn from one scheme to another, and with each scheme every way to edit."""


def acted(qtbot, panel, name, what):
    """Edit a parameter in the form as it is now, in one of the ways there are."""
    editor, reset = panel.form.editor(name), panel.form.reset_button(name)
    if what == "reset":
        reset.click()
    elif what == "key":
        qtbot.keyClick(editor.main, Qt.Key.Key_Up)
    elif what == "slider" and editor.slider:
        editor.slider.setValue(editor.slider.value() + editor.slider.maximum() // 5)
    elif what == "typed" and hasattr(editor, "field"):
        editor.field.selectAll()
        qtbot.keyClicks(editor.field, "7")
        qtbot.keyClick(editor.field, Qt.Key.Key_Return)


@pytest.mark.sampled(14)
@pytest.mark.parametrize(("first", "second", "what"), TURNS)
def test_an_edit_of_a_form_that_shows_another_scheme_changes_nothing(
    panel, model, qtbot, first, second, what
):
    edits = []
    panel.form.edited.connect(lambda *edit: edits.append(edit))
    shared = all("dim" in declared(encodings.find(name)) for name in (first, second))
    for name in declared(encodings.find(first)):
        e = counting(first, name)
        width = {"dim": 77} if "dim" in e.parameters else {}
        e = replace(e, **{**width, name: another(e, name)})
        model.set(encoding=e)
        kept = model.state.intention.encoding.parameters
        settle(model)
        model.set_encoding(
            second
        )  # by undo, a pin, a session: the form hears of it in the next turn
        wanted = model.state.intention.encoding
        acted(qtbot, panel, name, what)
        assert model.state.intention.encoding == wanted, name
        settle(model)
        assert model.state.intention.encoding == wanted
        assert set(panel.form.names) == set(declared(encodings.find(second)))
        assert not shared or panel.form.editor("dim").field.text() == str(kept["dim"])
    assert edits


def test_what_is_chosen_is_shown_before_the_next_key_and_typed_text_counts_before(
    panel, model, qtbot
):
    base = panel.form.editor("base").field
    type_text(qtbot, base, "500")
    panel.encoding_combo.setFocus()
    qtbot.keyClick(panel.encoding_combo, Qt.Key.Key_F)  # fraction
    assert panel.form.names == tuple(declared(encodings.find("fraction")))
    qtbot.keyClick(base, Qt.Key.Key_Up)  # what a busy window has in its queue
    assert model.state.encoding == encodings.create("fraction", dim=128)
    qtbot.keyClick(panel.form.editor("length").field, Qt.Key.Key_Up)
    assert model.state.encoding != encodings.create("fraction", dim=128)  # its own, at once


def test_what_is_chosen_shows_something_and_untouched_settings_come_back(panel, model):
    """Cosine says nothing of parallel rows, such as the index has; 50 positions have six bits."""
    for name, metric, width in (
        ("index", "euclidean", 128),
        ("sinusoidal", "cosine", 128),
        ("binary", "euclidean", 6),
        ("alibi", "euclidean", 8),
        ("rope", "cosine", 256),
    ):
        choose(panel.encoding_combo, name)
        settle(model)
        assert (model.state.metric, model.state.encoding.width) == (metric, width), name
    model.set(metric="dot")
    choose(panel.encoding_combo, "index")
    settle(model)
    assert model.state.metric == "dot", "what was chosen stays"


def test_a_chosen_table_is_described_and_so_are_its_faults(panel, model, qtbot, tmp_path):
    panel.locate()  # no file is missing
    assert panel.findChildren(QFileDialog) == []
    choose(panel.encoding_combo, "learned")
    settle(model)
    assert panel.encoding_combo.currentText() == "Learned"
    assert ".npy file" in panel.note.text()
    enter_text(qtbot, panel.form.editor("file").field, stored_table())
    settle(model)
    assert f"{ROWS:,} rows of {COLUMNS} numbers, float32" in panel.note.text()
    missing = str(tmp_path / "no such  table.npy")
    enter_text(qtbot, panel.form.editor("file").field, missing)
    settle(model)
    assert panel.form.editor("file").field.text() == missing  # with its two spaces
    assert "no such file" in panel.note.text().replace("\u200b", "")
    enter_text(qtbot, panel.form.editor("row_offset").field, "2")  # it can be edited none the less
    settle(model)
    assert model.state.intention.encoding == encodings.create("learned", file=missing, row_offset=2)


def test_numbers_that_are_not_finite_are_counted(panel, model, tmp_path):
    table = np.zeros((60, 96), "f4")
    table[:40, :40], table[50, 3] = np.nan, np.inf
    np.save(tmp_path / "rows.npy", table)
    model.set_encoding("learned", file=str(tmp_path / "rows.npy"))
    settle(model)
    text = panel.note.text().replace("\u200b", "")
    assert text.startswith("60 rows of 96 numbers, float32; 1,601 ")
    room, wrap = QRect(0, 0, panel.note.width() - 20, 1000), Qt.TextFlag.TextWordWrap
    fits = panel.note.fontMetrics().boundingRect(room, wrap, panel.note.text())
    assert fits.height() <= panel.note.contentsRect().height()
    np.save(tmp_path / "rows.npy", np.zeros((61, 96), "f4"))
    model.check_files()
    settle(model)
    assert "infinite" not in panel.note.text()


def test_facts_follow_a_table_that_comes_and_goes(panel, model, tmp_path):
    path = tmp_path / "rows.npy"
    model.set_encoding("learned", file=str(path))
    settle(model)
    assert "no such file" in panel.note.text().replace("\u200b", "")
    np.save(path, np.zeros((9, 4)))
    model.check_files()
    settle(model)
    assert panel.note.text().startswith("9 rows of 4 numbers, float64")
    path.unlink()
    model.check_files()
    settle(model)
    assert "no such file" in panel.note.text().replace("\u200b", "")


@pytest.mark.parametrize("width", [286, 306])  # as a dock and as a drawer
def test_nothing_clips_or_moves_when_values_change(panel, model, width):
    forms = (panel.form, panel.positions_form)
    panel.resize(width, 620)
    panel.form.fold_button.click()
    QApplication.processEvents()
    widgets = [panel.note, *(each for form in forms for each in form.findChildren(QWidget))]
    before = [widget.geometry() for widget in widgets]
    model.set_encoding(dim=65535, base=123456789.123, scale=-3.75, waves="sine")
    model.set(start=10**15 + 1, count=10**12 + 1)
    settle(model)
    assert [widget.geometry() for widget in widgets] == before
    assert 0 < panel.note.heightForWidth(panel.note.width()) <= panel.note.height()
    area = panel.findChild(QScrollArea)
    assert area.widget().width() <= area.viewport().width()
    assert not area.verticalScrollBar().isVisible()
    for combo in panel.findChildren(QComboBox):
        option = QStyleOptionComboBox()
        option.initFrom(combo)
        field = QStyle.SubControl.SC_ComboBoxEditField
        kind = QStyle.ComplexControl.CC_ComboBox
        room = combo.style().subControlRect(kind, option, field, combo).width()
        texts = [combo.itemText(row) for row in range(combo.count())]
        assert max(map(combo.fontMetrics().horizontalAdvance, texts)) <= room, texts
    for main in (form.editor(name).main for form in forms for name in form.names):
        if not isinstance(main, QComboBox):
            assert main.fontMetrics().horizontalAdvance(main.text()) <= main.width() - 8


# -- what has no effect ----------------------------------------------------------------------------


def test_what_has_no_effect_with_sines_alone_is_grey(panel, model, qtbot):
    panel.form.fold_button.click()
    names = ("layout", "spacing", "order")
    for waves, there in (("sine", False), ("both", True)):
        model.set_encoding(waves=waves)
        settle(model)
        for combo in (panel.form.editor(name).combo for name in names):
            assert combo.isEnabled() == there
            assert bool(re.search("No effect now:</b>.*sines", combo.toolTip())) != there
        assert panel.form.editor("offset").main.isEnabled()


# -- where the keys go -----------------------------------------------------------------------------


def combo_of(panel, which):
    combos = {"preset": panel.preset_combo, "encoding": panel.encoding_combo}
    return combos.get(which) or panel.form.editor(which).combo


@pytest.mark.parametrize("which", ["preset", "encoding", "waves"])
def test_what_is_picked_with_the_mouse_leaves_the_keys_to_the_views(panel, model, qtbot, which):
    model.set_encoding("sinusoidal")
    settle(model)
    combo = combo_of(panel, which)
    with qtbot.waitSignal(panel.finished):
        picked_with_mouse(qtbot, combo, 1)


@pytest.mark.parametrize(("which", "ends"), [("preset", 1), ("waves", 0)])
def test_by_keyboard_only_a_preset_is_the_end(panel, qtbot, which, ends):
    combo, heard = combo_of(panel, which), []
    panel.finished.connect(lambda: heard.append(which))
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_F4)
    qtbot.waitUntil(combo.view().isVisible)
    qtbot.keyClick(combo.view(), Qt.Key.Key_Down)
    qtbot.keyClick(combo.view(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not combo.view().isVisible())
    assert len(heard) == ends
    qtbot.keyClick(combo, Qt.Key.Key_Down)  # a step without the list
    assert len(heard) == ends


def test_a_list_of_the_wrong_length_is_explained_and_stays_editable(panel, model, qtbot):
    model.set(encoding=encodings.create("rope", rope_type="longrope", head_dim=8))
    settle(model)
    before, field = model.state, panel.form.editor("short_factor").field
    enter_text(qtbot, field, "1 2 3")
    assert model.state is before
    assert "3 numbers" in panel.note.text()
    assert "4 pairs" in panel.note.text()
    assert field.text() == "1 2 3"
    type_text(qtbot, field, "1 2 3 4")
    assert not panel.note.is_showing_error
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(model)
    assert model.state.encoding.short_factor == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"dim": 2}, "Wavelength: 6.28 positions\n1 sine-cosine pair"),
        ({"dim": 7}, "3 sine-cosine pairs and a single wave"),
        ({"dim": 7, "waves": "sine"}, "No pairs: 7 single waves"),
        ({"scale": 0}, "All waves are constant"),
        ({"base": 1e12}, "4,080,185,126,272 positions"),
    ],
)
def test_facts_of_special_cases(parameters, words):
    assert words in facts(encodings.create("sinusoidal", **parameters))


def test_facts_of_every_scheme_name_its_waves_or_its_bounds():
    for name in encodings.names():
        e = sample(name)
        if isinstance(e, Steady) and e.pairs:
            ends = [f"{end:,.10f}"[:3] for end in (e.wavelengths().min(), e.wavelengths().max())]
            assert all(fact in facts(e) for fact in (*ends, f"{e.pairs:,} "))
    assert "bound" in facts(encodings.create("index"))
    assert "bound" not in facts(encodings.create("binary"))
    assert facts(encodings.create("sinusoidal", dim=1, waves="sine")).endswith(" 1 single wave")


def test_refusals_from_elsewhere_have_another_colour(panel, model):
    model.lock.set(True)
    model.set_cursor(position=3)
    assert panel.note.text() == model.lock.LOCK_HINT
    assert panel.note.palette().windowText().color().name() == colours(panel.palette()).reference
