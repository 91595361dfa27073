"""The panels beside the panes and the form of options: keys, pins and widths."""

import random
from itertools import product

import pytest
from PySide6.QtCore import SIGNAL, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea

from pe_explorer import encodings, pictures
from pe_explorer.exploration import PIN_COLOURS, Pin, make_panes
from pe_explorer.params import declared
from tests.app.windows import change, click_on, encode, go_to, press_key, trigger
from tests.support.gestures import enter_text, picked_with_mouse, settle, type_text
from tests.support.measures import hyphened
from tests.support.samples import sample

LEFT = Qt.MouseButton.LeftButton


def resize(window, *size):
    window.resize(*size)
    settle(window.model)


# -- the panel of the encoding ---------------------------------------------------------------------


def test_what_was_typed_before_counts_and_does_not_keep_the_keys(window, qtbot):
    panel = window.panel
    type_text(qtbot, panel.form.editor("dim").field, "32")
    picked_with_mouse(qtbot, panel.encoding_combo, panel.encoding_combo.findData("binary"))
    settle(window.model)
    assert window.model.state.encoding.parameters == {"dim": 32}
    press_key(window, QApplication.focusWidget(), Qt.Key.Key_Space)
    assert window.model.playhead.is_playing


def test_a_combo_leaves_the_shortcuts_to_the_window(window):
    for combo in (window.panel.preset_combo, window.panel.encoding_combo):
        combo.setFocus(Qt.FocusReason.TabFocusReason)
        for key, position in ((Qt.Key.Key_Period, 1), (Qt.Key.Key_Comma, 0)):
            press_key(window, combo, key)
            assert window.model.state.position == position
            assert combo.hasFocus()


def test_a_refusal_disappears_once_its_text_is_dropped(window, qtbot):
    field = window.panel.form.editor("base").main
    enter_text(qtbot, field, "abc")
    assert "'abc'" in window.status_bar.currentMessage()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.status_bar.currentMessage() == ""
    assert field.text() == "10000"


def test_a_low_panel_scrolls_from_the_first_frame_on(window):
    resize(window, 1280, 560)
    window.panel.form.fold_button.click()
    settle(window.model)
    for name in ("index", "sinusoidal"):
        window.model.set_encoding(name)
        window.model.emit_changes()
        window.grab()  # without a turn of the event loop
        for form in (window.panel.form, window.panel.positions_form):
            assert min(form.editor(field).main.height() for field in form.names) >= 20


# -- pins ------------------------------------------------------------------------------------------


def test_the_read_out_and_the_status_name_the_difference_from_a_pin(window):
    window.editing.pin()
    encode(window, base=500.0)
    change(window, show="difference", position=3, dimension=5)
    new, old = (encodings.create("sinusoidal", base=base).value(3, 5) for base in (500.0, 1e4))
    assert f"base 500 - base 10,000: {new - old:+.6g}" in hyphened(window.readout.label.text())
    assert "base 500 - base 10,000" in hyphened(window.status_bar.sentence.text())


def test_pins_push_nothing_away_and_clip_nothing(window):
    encoding, name = encodings.create("sinusoidal"), "a long name " * 5
    area = window.panel.findChild(QScrollArea)
    for size in ((1920, 1080), (1280, 800), (800, 560)):
        change(window, pins=(), show="current")
        resize(window, *size)
        for side in ("encoding", "explain"):
            if not window.sides.is_drawer(side):
                window.sides.open(side)
        settle(window.model)
        docks = [dock.geometry() for dock in window.sides.docks.values()]
        pins = tuple(Pin(encoding, name, colour) for colour in PIN_COLOURS)
        change(window, pins=pins, show="difference")
        assert [dock.geometry() for dock in window.sides.docks.values()] == docks
        window.sides.open("encoding")
        settle(window.model)
        assert area.widget().width() <= area.viewport().width()
        assert window.panel.preset_combo.isVisible()
        assert 0 <= window.panel.preset_combo.mapTo(area, QPoint()).y() < 30
        assert area.verticalScrollBar().isVisible() == (size == (800, 560))


def test_the_readout_fits(window):
    wide = encodings.create("index", dim=65_536), encodings.create("binary", dim=9)
    pins, label = tuple(map(Pin, wide, "xy")), window.readout.label
    for name in encodings.names():
        window.model.set(encoding=sample(name, dim=65_536, head_dim=65_536, heads=65_536))
        for show, compared in (("current", 0), *product(("pinned", "difference"), (0, 1))):
            window.model.set(position=2**53, dimension=65_535, pins=pins)
            change(window, show=show, compared=compared)
            assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width(), name


# -- widths ----------------------------------------------------------------------------------------


def drag_border(window, name, by):
    """Drag the border of a dock with the mouse."""
    dock = window.sides.docks[name].geometry()
    middle = dock.center().y()
    edge = dock.right() if name == "encoding" else dock.left()
    near = (QPoint(edge + n, middle) for n in (1, 2, 3, -1, -2, -3))
    place = next(point for point in near if window.isSeparator(point))
    QTest.mousePress(window, LEFT, pos=place)
    for part in range(1, 5):
        QTest.mouseMove(window, place + QPoint(by * part // 4, 0))
        settle(window.model)
    QTest.mouseRelease(window, LEFT, pos=place + QPoint(by, 0))
    settle(window.model)


def widths(window):
    return [dock.width() for dock in window.sides.docks.values() if dock.isVisible()]


@pytest.mark.parametrize("dragged", [{"encoding": 90, "explain": -110}, {"explain": -20}])
def test_geometry_is_that_of_the_size_whatever_came_before(window, dragged):
    resize(window, 1300, 620)
    window.sides.open("explain")
    settle(window.model)
    for name, by in dragged.items():
        old = window.sides.docks[name].width()
        drag_border(window, name, by)
        assert window.sides.docks[name].width() == old + abs(by)
    sizes = [(width, 520 + width // 20) for width in (800, 900, 1000, 1100, 1150, 1300, 1600)]
    found, views = {}, window.workspace.built_views.values()
    for size in random.Random(1).choices(sizes, k=25):
        resize(window, *size)
        docks = [dock.geometry() for dock in window.sides.docks.values() if dock.isVisible()]
        there = docks, [(view.mapTo(window, QPoint()), view.size()) for view in views]
        assert found.setdefault(size, there) == there, size


def test_the_chosen_width_comes_back_once_there_is_room(window):
    resize(window, 1300, 620)
    window.sides.open("explain")
    settle(window.model)
    drag_border(window, "encoding", 90)
    drag_border(window, "explain", -110)
    resize(window, 1100, 600)
    squeezed = widths(window)
    assert squeezed < [358, 366]
    for expected in ([358], squeezed):
        trigger(window, "explain")
        assert widths(window) == expected
    for size in ((1100, 560), (800, 560)):
        resize(window, *size)
        assert [place.pixels[2] for place in window.sides.places.values()] == [358, 366]
    resize(window, 1100, 560)
    drag_border(window, "encoding", -20)  # it moves one panel
    chosen = window.sides.docks["encoding"].width()
    assert chosen < 340
    resize(window, 1600, 900)
    assert widths(window) == [chosen, 366]


@pytest.fixture
def popup(window):
    """Return a function that opens the form of a view as its button does."""

    def opened(name):
        window.options_popup.hide()
        go_to(window, name)
        click_on(window, window.workspace.pane(name).more)
        assert window.options_popup.isVisible()
        return window.options_popup.options_form

    yield opened
    window.options_popup.hide()


def test_the_form_has_all_options_of_the_view_and_what_it_explores_in_rows_of_one_line(
    popup, window
):
    popups = window.options_popup
    for name in pictures.names():
        picture = pictures.find(name)
        assert popup(name).names == tuple(declared(picture.Options))
        explored = popups.exploration_form
        assert (explored.names if explored.isVisible() else ()) == tuple(picture.shown_fields)
        assert popups.height() == popups.sizeHint().height()
        for label in popups.findChildren(QLabel):
            if label.isVisible():
                assert label.heightForWidth(label.width()) < 2 * label.fontMetrics().height()


def test_what_is_compared_has_a_name_and_is_grey_without_a_pin(popup, window):
    for name in ("heatmap", "waves", "heatmap"):
        popup(name)
    assert window.view("waves").receivers(SIGNAL("status_changed(QString)")) == 0
    combo = window.options_popup.exploration_form.editor("show").combo
    assert not combo.isEnabled()
    assert "pinned" in combo.toolTip()
    window.editing.pin()
    encode(window, base=500.0)
    assert combo.isEnabled()
    combo.setCurrentIndex(combo.findText("base 500 − base 10,000"))
    settle(window.model)
    assert window.model.state.show == "difference"


def test_the_colours_are_named_that_are_really_shown(popup, window):
    combo, view = popup("heatmap").editor("values").combo, window.view("heatmap")

    def offered():
        rows = range(combo.count())
        return {combo.itemData(row) for row in rows if combo.model().item(row).isEnabled()}

    assert combo.currentData() == "soft"
    assert {"blue-red", "viridis", "grey"} <= offered()
    encode(window, "index")  # from 0 on, without a middle
    assert combo.currentData() == "viridis"
    assert offered() == {"viridis", "cividis", "grey"}
    withheld = combo.itemData(combo.findData("red-blue"), Qt.ItemDataRole.ToolTipRole)
    assert "centred on 0" in withheld
    assert view.options.values == "soft"  # what was chosen stays
    combo.setCurrentIndex(combo.findData("cividis"))
    settle(window.model)
    assert view.options.values == combo.currentData() == "cividis"
    view.set_options(values="red-blue")
    settle(window.model)
    assert combo.currentData() == "viridis"
    encode(window, "sinusoidal")
    assert combo.currentData() == "red-blue"
    assert "soft" in offered()


def test_an_open_form_follows_a_view_that_is_put_away(popup, window):
    form = popup("heatmap")
    change(window, panes=make_panes(("clocks",)))
    window.model.set_options("heatmap", values="grey")
    settle(window.model)
    assert form.editor("values").combo.currentData() == "grey"


def test_options_without_effect_are_grey_and_say_why(popup, window):
    for name, option, value, withheld in (
        ("heatmap", "quantity", "value", {"angles", "pairs", "rounded_to", "cast"}),
        ("heatmap", "quantity", "error", {"angles", "pairs", "pixel"}),
        ("clocks", "pairs", "spread", {"first"}),
        ("distances", "part", "both", set()),
        ("distances", "part", "histogram", {"below", "share", "values"}),
    ):
        form, view = popup(name), window.view(name)
        view.set_options(**{option: value})
        settle(window.model)
        unpinned = {"show"} & set(form.names)  # there is no pin to be shown
        grey = {each for each in form.names if not form.editor(each).main.isEnabled()}
        assert grey == withheld | unpinned, (name, value)
        for each in withheld:
            assert view.options.ineffective_parameters[each] in form.editor(each).main.toolTip()


def test_it_leaves_the_picture_of_a_low_pane_to_be_seen(window):
    window.resize(1024, 640)
    window.workspace.arrange("over-two")
    settle(window.model)
    popup, workspace = window.options_popup, window.workspace
    for name in ("distances", "clocks"):
        pane = workspace.pane(name)
        assert pane.view.height() < window.height() / 3  # one of the two below
        click_on(window, pane.more)
        assert popup.isVisible()
        end = pane.more.mapToGlobal(QPoint(0, 0)).x()
        assert popup.width() == 330
        assert popup.x() == pytest.approx(end - 330, abs=4)
        assert popup.geometry().bottom() <= pane.mapToGlobal(pane.rect().topLeft()).y() + 4
        popup.hide()
    click_on(window, workspace.pane("heatmap").more)  # no room for it above
    assert popup.y() >= workspace.mapToGlobal(workspace.rect().topLeft()).y()
    popup.hide()
