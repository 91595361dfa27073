"""What only the dialogs for figures do; see `test_contract` for the rest."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMargins, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontInfo, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style, with_style
from pe_explorer.files import session
from pe_explorer.files.session import FIGURE_SUFFIXES
from pe_explorer.flags import PLATE
from pe_explorer.params import declared
from tests.app.output.dialogs import (
    choose_setting,
    click_part,
    copied_command,
    line,
    middle_of,
    open_export,
    open_print,
    preview_image,
    type_into,
    type_into_part,
    write_to,
)
from tests.app.windows import choose_item, drop_file, encode, go_to, trigger, wait_for_preview
from tests.support.gestures import choose, settle, type_text
from tests.support.images import pixels

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def dialog(window):
    return open_export(window, "figure")


@pytest.fixture
def form(dialog):
    return dialog.figure_form


def has_strip(dialog):
    """Return whether there is a strip over the top of the preview."""
    picture = dialog.figure_form.preview.grab().toImage()
    return picture.pixelColor(1, 1) == dialog.palette().toolTipBase().color()


def brightness(qtbot, dialog):
    return preview_image(qtbot, dialog).pixelColor(1, 1).lightness()


# -- the preview -----------------------------------------------------------------------------------


def test_it_begins_light_in_one_column_and_follows_the_style(window, qapp, qtbot):
    qapp.set_theme("dark")
    settle(window.model)
    dialog = open_export(window, "figure")
    form = dialog.figure_form
    assert form.view_combo.currentData() == "heatmap"
    assert (form.preset.currentData(), form.size_field.text()) == ("one-column", "84x60mm")
    before = preview_image(qtbot, dialog)
    assert before.width() / before.height() == pytest.approx(84 / 60, rel=0.01)
    assert brightness(qtbot, dialog) == 255
    # The screen of the tests is 800 x 800 pixels.
    assert dialog.screen().availableGeometry().contains(dialog.geometry())
    choose_setting(dialog, "ground", "dark")
    assert brightness(qtbot, dialog) < 60
    choose_setting(dialog, "ground", "transparent")
    assert preview_image(qtbot, dialog).pixelColor(1, 1).alpha() == 0
    choose_setting(dialog, "ground", "white")
    qtbot.keyClick(form.fields.editor("grid").box, Qt.Key.Key_Space)
    assert preview_image(qtbot, dialog) != before


def test_what_is_shown_is_what_is_written(dialog, qtbot, tmp_path):
    """The preview is the same figure with other pixels."""
    preview = preview_image(qtbot, dialog)
    choose_item(dialog.ending, ".png")
    write_to(qtbot, dialog, tmp_path / "f.png")
    written = QImage(str(tmp_path / "f.png"))
    assert (written.width(), written.height()) == (992, 709)
    way = Qt.TransformationMode.SmoothTransformation
    small, other = (
        pixels(each.scaled(preview.size() / 6, mode=way)) for each in (written, preview)
    )
    assert abs(small - other).mean() < 8


def test_the_preview_goes_on_when_nothing_could_be_written(dialog, form, qtbot):
    before = preview_image(qtbot, dialog)
    dialog.target.setText("/proc/f.pdf")
    choose_setting(dialog, "ground", "dark")
    assert form.preview.is_busy
    dialog.accept()
    qtbot.waitUntil(lambda: form.preview.image != before)
    assert form.preview.image.pixelColor(1, 1).lightness() < 60
    assert "/proc" in dialog.message.text()


def test_a_kind_of_file_and_a_part_are_in_its_name_and_it_opens_again(window, qtbot, tmp_path):
    for what, ending in (("distances-curve", ".svg"), *((PLATE, each) for each in FIGURE_SUFFIXES)):
        dialog = open_export(window, "figure")
        choose_item(dialog.figure_form.view_combo, what)
        choose_item(dialog.ending, ending)
        assert dialog.target.text().endswith(f"{what}{ending}")
        write_to(qtbot, dialog, tmp_path / f"{what}{ending}")
        found = session.read(tmp_path / f"{what}{ending}")
        assert found.state.positions == window.model.state.positions
        assert found.extra["figure"]["of"].startswith(what.partition("-")[0])


def test_what_has_no_effect_on_the_figure_is_greyed_or_not_offered(dialog, form, qtbot):
    for view, greyed, counting in (
        ("heatmap", {"legend", "line_width"}, {"grid"}),
        ("waves", set(), {"legend", "line_width", "grid"}),
        ("clocks", {"grid", "legend"}, set()),
    ):
        choose_item(form.view_combo, view)
        assert ("Only" in form.view_combo.currentData(Qt.ItemDataRole.ToolTipRole)) == ("-" in view)
        for name in greyed | counting:
            main = form.fields.editor(name).main
            assert main.isEnabled() == (name in counting), (view, name)
            assert ("No effect now:</b>" in main.toolTip()) == (name in greyed)
    for view, kind, words, offered, missing in (
        ("heatmap", "x", (), {"text"}, {"x_limits"}),
        ("heatmap", "bar", (), {"text", "limits"}, set()),
        ("heatmap", "panel", (), {"colour_bar", "upward", "cursor"}, {"clocks"}),
        ("waves", "y", (), {"text", "y_limits"}, {"x_limits"}),
        ("waves", "panel", (), {"cursor"}, {"upward", "clocks", "colour_bar"}),
        ("distances", "x", ("curve",), {"x_limits"}, set()),
        ("distances", "x", ("matrix",), set(), {"x_limits"}),
        ("distances-curve", "y", (), {"y_limits"}, set()),
        ("clocks", "bar", (), {"text"}, {"limits"}),
        ("clocks", "panel", (), {"clocks", "colour_bar"}, {"upward"}),
        (PLATE, "y", ("curve",), {"y_limits"}, set()),
        (PLATE, "panel", (1,), {"clocks"}, {"upward"}),
    ):
        choose_item(form.view_combo, view)
        popup = click_part(qtbot, dialog, kind, *words)
        names = {name for form in popup.forms for name in form.names}
        assert offered <= names, (view, kind)
        assert not missing & names, (view, kind)
        popup.close()
        settle()


# -- parts of the figure ---------------------------------------------------------------------------


def test_the_preview_is_as_large_as_there_is_room_in_the_middle_of_it(dialog, form, qtbot):
    preview = form.preview
    for size, height in (("84x60mm", 620), ("60x84mm", 620), ("60x84mm", 500)):
        dialog.resize(780, height)
        form.size_field.setText(size)
        choose_setting(dialog, "ground", "transparent")
        drawn = preview_image(qtbot, dialog)
        across, down = preview.width() - drawn.width(), preview.height() - drawn.height()
        assert min(across, down) in (0, 1)
        assert max(across, down) > 20
        found = preview.grab().toImage()
        left, top = across // 2, down // 2
        corners = [found.pixelColor(left + x, top + y).name() for x in (2, 10) for y in (2, 10)]
        assert corners == ["#d8d8d8", "#ffffff", "#ffffff", "#d8d8d8"]  # behind what is transparent
        ground = preview.palette().window().color()
        outside = [found.pixelColor(left - 2, 9), found.pixelColor(9, top - 2)][down > across]
        assert outside == ground


def test_a_click_on_a_part_opens_a_form_about_it(dialog, form, qtbot, tmp_path):
    preview = form.preview
    before = preview_image(qtbot, dialog).copy()
    place = middle_of(dialog, "x")
    for where, shape in (
        (place, Qt.CursorShape.PointingHandCursor),
        (QPoint(1, 1), Qt.CursorShape.ArrowCursor),
    ):
        plain = preview.grab().toImage()
        there = QPointF(where), QPointF(preview.mapToGlobal(where))
        none = Qt.MouseButton.NoButton
        move = QMouseEvent(QEvent.Type.MouseMove, *there, none, none, Qt.KeyboardModifier(0))
        QApplication.sendEvent(preview, move)
        assert preview.cursor().shape() == shape
        assert preview.grab().toImage() != plain  # it is outlined, and then no more
    qtbot.mouseClick(preview, LEFT, pos=QPoint(1, 1))
    assert QApplication.activePopupWidget() is None
    popup = click_part(qtbot, dialog, "x")
    assert popup.accessibleName() == "Lower axis of cells"
    corner = preview.mapFromGlobal(popup.pos())
    frame = QMargins(2, 2, 2, 2)  # of windows on the screen of the tests
    assert preview.rect().marginsAdded(frame).contains(QRect(corner, popup.size()))
    assert not QRect(corner, popup.size()).contains(place)
    own = line(dialog, "text")
    assert own.hasFocus()
    assert own.text() == own.selectedText() == "dimension"
    qtbot.keyClicks(own, "channel")
    wait_for_preview(qtbot, dialog)
    assert preview.image != before  # while it is typed
    qtbot.keyClick(own, Qt.Key.Key_Return)
    settle()
    assert QApplication.activePopupWidget() is None
    assert dialog.isVisible()  # the key is no answer to the dialog
    type_into_part(qtbot, dialog, "y", "text", "time")
    type_into_part(qtbot, dialog, "bar", "text", "number")
    type_into_part(qtbot, dialog, "bar", "text", "")  # the figure's own text again
    wait_for_preview(qtbot, dialog)
    texts = {"cells x title": "channel", "cells y title": "time"}
    assert dict(dialog.choices.style.texts) == texts
    write_to(qtbot, dialog, tmp_path / "f.svg")
    written = (tmp_path / "f.svg").read_text(encoding="utf-8")
    for text, is_there in (("channel", True), ("time", True), ("value", True), ("position", False)):
        assert (f">{text}<" in written) == is_there


def test_all_parts_are_in_a_menu_for_the_keyboard(window, dialog, form, qtbot):
    choose_item(form.view_combo, "distances")
    wait_for_preview(qtbot, dialog)
    qtbot.keyClick(dialog, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    menu = QApplication.activePopupWidget()
    assert menu is form.parts_button.menu()
    names = [action.text() for action in menu.actions()]
    assert len(names) == len(set(names))
    assert {
        "Curve: sinusoidal",
        "Lower axis of curve: position",
        "Left axis of matrix: position",
        "Colour bar of matrix: cosine distance",
        "Panel curve",
    } <= set(names)
    for _ in range(1 + names.index("Left axis of curve: cosine distance from position 0")):
        qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    popup = QApplication.activePopupWidget()
    assert popup.accessibleName() == "Left axis of curve"
    qtbot.keyClick(popup.focusWidget(), Qt.Key.Key_Tab)
    settle()
    own = line(dialog, "y_limits")
    type_text(qtbot, own, "0 2")
    qtbot.keyClick(own, Qt.Key.Key_Return)
    assert dialog.choices.style.y_limits == (0, 2)
    assert QApplication.activePopupWidget() is None


def test_a_refusal_in_a_popup_disappears_with_it(dialog, form, qtbot):
    good = preview_image(qtbot, dialog)
    popup = click_part(qtbot, dialog, "bar")
    own = line(dialog, "limits")
    type_text(qtbot, own, "1 -1")
    message = dialog.message.text()
    assert message.startswith("Colour limits: ")
    assert "'1 -1'" in message
    assert has_strip(dialog)
    qtbot.keyClick(own, Qt.Key.Key_Return)
    assert popup.isVisible()
    assert form.preview.image == good
    type_text(qtbot, own, "0 1")
    assert dialog.message.text() == ""
    qtbot.keyClicks(own, "x")
    popup.close()
    wait_for_preview(qtbot, dialog)
    assert dialog.message.text() == ""
    assert not has_strip(dialog)
    assert dialog.choices.style.limits == (0, 1)
    click_part(qtbot, dialog, "bar")
    type_text(qtbot, line(dialog, "limits"), "")  # the default again
    assert dialog.choices.style.limits is None
    QApplication.activePopupWidget().close()


@pytest.fixture
def two(window):
    """The dialog about the frequencies of two encodings."""
    encode(window, base=300.0)
    trigger(window, "pin")
    encode(window, base=10_000.0)
    go_to(window, "frequencies")
    return open_export(window, "figure")


def test_a_curve_is_drawn_hidden_and_shown_again_as_its_popups_say(two, qtbot):
    preview, own = two.figure_form.preview, "base 10,000"
    click_part(qtbot, two, "curve", own)
    for name, text, words in (
        ("colour", "#d62728", "colour=#d62728"),
        ("dash", "dotted", "colour=#d62728 dash=dotted"),
        ("width", "3", "colour=#d62728 dash=dotted width=3"),
        ("colour", "", "dash=dotted width=3"),
        ("colour", "teal", "colour=teal dash=dotted width=3"),
    ):
        type_text(qtbot, line(two, name), text)
        assert dict(two.choices.style.curves) == {own: words}
    type_text(qtbot, line(two, "dash"), "dott")
    assert {"'dott'", "dotted,"} <= set(re.split(r" |\.$", two.message.text()))
    qtbot.keyClick(line(two, "dash"), Qt.Key.Key_Return)
    assert QApplication.activePopupWidget()  # until it is mended
    type_text(qtbot, line(two, "dash"), "")
    type_text(qtbot, line(two, "text"), "mine")
    qtbot.keyClick(line(two, "text"), Qt.Key.Key_Return)
    assert dict(two.choices.style.texts) == {own: "mine"}
    popup = click_part(qtbot, two, "curve", "mine")
    assert line(two, "colour").text() == "teal"
    type_text(qtbot, line(two, "colour"), "#ff0000")  # of the same curve, whatever its name
    assert dict(two.choices.style.curves) == {own: "colour=#ff0000 width=3"}
    wait_for_preview(qtbot, two)
    blue, green, red = np.moveaxis(pixels(preview.image), -1, 0)
    assert ((red > 250) & (green < 5) & (blue < 5)).any()
    line(two, "show_curve").click()
    popup.close()
    wait_for_preview(qtbot, two)
    assert two.choices.style.hide == (own,)
    assert own not in [part.source.key for part in preview.parts]
    popup = click_part(qtbot, two, "panel")
    boxes = {label.text(): label.buddy() for label in popup.findChildren(QLabel) if label.buddy()}
    assert {"Shading", "Legend", own} <= boxes.keys()
    for text, hidden in ((own, ()), ("Shading", ("shading",))):
        boxes[text].click()
        assert two.choices.style.hide == hidden
    popup.close()
    wait_for_preview(qtbot, two)
    assert own in [part.source.key for part in preview.parts]
    assert two.message.text() == ""


def test_axes_and_bars_have_scales_ticks_and_colours(window, two, qtbot):
    click_part(qtbot, two, "y")
    choose(line(two, "y_scale"), "linear")
    type_text(qtbot, line(two, "y_ticks"), "0 0.25 1")
    wait_for_preview(qtbot, two)
    style = two.choices.style
    assert (style.y_scale, style.y_ticks) == ("linear", (0, 0.25, 1))
    choose(line(two, "y_scale"), "log")
    type_text(qtbot, line(two, "y_limits"), "0 1")
    wait_for_preview(qtbot, two)
    assert "0 cannot be shown on a logarithmic axis" in two.message.text()
    assert has_strip(two)
    type_text(qtbot, line(two, "y_limits"), "")
    wait_for_preview(qtbot, two)
    assert not has_strip(two)
    QApplication.activePopupWidget().close()
    choose_item(two.figure_form.view_combo, "heatmap")
    before = preview_image(qtbot, two).copy()
    click_part(qtbot, two, "bar")
    for name, text in (
        ("colours", "viridis_r"),
        ("limits", "-0.5 0.5"),
        ("bar_ticks", "-0.5 0 0.5"),
    ):
        type_text(qtbot, line(two, name), text)
        after = preview_image(qtbot, two).copy()
        assert after != before, name
        before = after
    line(two, "colour_bar").click()
    QApplication.activePopupWidget().close()
    wait_for_preview(qtbot, two)
    assert "bar" not in [part.kind for part in two.figure_form.preview.parts]
    click_part(qtbot, two, "panel")
    line(two, "colour_bar").click()  # where it can be shown again
    QApplication.activePopupWidget().close()
    wait_for_preview(qtbot, two)
    assert "bar" in [part.kind for part in two.figure_form.preview.parts]


def test_a_point_between_positions_is_named_briefly(dialog, form, qtbot):
    choose_item(form.view_combo, "waves")
    click_part(qtbot, dialog, "y")
    choose(line(dialog, "y_scale"), "log")
    wait_for_preview(qtbot, dialog)
    (place,) = re.findall(r"at position (\S+) cannot be shown", dialog.message.text())
    assert "." in place
    assert len(place) <= len("28.2727")


def test_settings_of_parts_do_not_apply_to_another_view(two, qtbot):
    click_part(qtbot, two, "y")
    choose(line(two, "y_scale"), "log")
    type_text(qtbot, line(two, "text"), "mine")
    QApplication.activePopupWidget().close()
    type_into(qtbot, two, "title", "Both")
    combo = two.figure_form.view_combo
    for view, scale in (
        ("distances-curve", "auto"),  # has a distance of 0, so it cannot be drawn on a log axis
        ("frequencies", "log"),
        (PLATE, "log"),
        ("distances", "auto"),
        ("frequencies", "log"),
    ):
        choose_item(combo, view)
        style = two.choices.style
        assert (style.y_scale, bool(style.texts), style.title) == (scale, scale == "log", "Both")
        if view != PLATE:
            wait_for_preview(qtbot, two)
            assert "logarithmic" not in two.message.text()
            assert two.figure_form.preview.parts


def test_the_panels_of_a_plate_are_changed_copied_moved_and_removed(dialog, form, qtbot, tmp_path):
    choose_item(form.view_combo, PLATE)
    type_text(qtbot, form.size_field, "174x150mm")
    click_part(qtbot, dialog, "panel", 1).close()
    assert dialog.choices.style.panels == ()  # to look is to change nothing
    a, b, c = "heatmap", "clocks", "distances"

    def press(number, text):
        popup = click_part(qtbot, dialog, "panel", number)
        button = next(b for b in popup.findChildren(QPushButton) if b.text() == text)
        qtbot.mouseClick(button, LEFT)
        assert QApplication.activePopupWidget() is None
        return dialog.choices.style.panels

    assert press(0, "Copy") == (a, a, b, c)
    assert press(3, "Earlier") == (a, a, c, b)
    assert press(0, "Later") == (a, a, c, b)
    assert press(0, "Earlier") == (a, a, c, b)
    click_part(qtbot, dialog, "panel", 1)
    for name, text in (("words", "base=500"), ("letter", "(b)")):
        type_text(qtbot, line(dialog, name), text)
    wait_for_preview(qtbot, dialog)
    changed = "heatmap 'letter=(b)' base=500"
    assert dialog.choices.style.panels == (a, changed, c, b)
    type_text(qtbot, line(dialog, "words"), "bass=500")
    assert "bass" in dialog.message.text()
    type_text(qtbot, line(dialog, "words"), "base=500")
    QApplication.activePopupWidget().close()
    click_part(qtbot, dialog, "panel", 2)
    type_text(qtbot, line(dialog, "only"), "matrix")
    line(dialog, "view").setFocus()
    choose(line(dialog, "view"), "waves")  # which has no such part
    assert line(dialog, "only").text() == ""
    QApplication.activePopupWidget().close()
    assert press(3, "Remove") == (a, changed, "waves")
    assert dialog.message.text() == ""
    write_to(qtbot, dialog, tmp_path / "f.svg")
    kept = session.read(tmp_path / "f.svg").extra["figure"]
    assert declared(Style)["panels"].parse("panels", kept["panels"]) == (a, changed, "waves")
    assert ">(b)<" in (tmp_path / "f.svg").read_text(encoding="utf-8")


def test_where_no_figure_can_be_drawn_all_parts_are_reset(window, qtbot, tmp_path):
    go_to(window, "frequencies")
    style = Style(y_limits=(0.0, 1.0), texts=(("pair", "k"),), grid=True)
    extra = with_style({}, "frequencies", style)
    session.write(tmp_path / "s.json", window.model.state.intention, extra)
    drop_file(window, tmp_path / "s.json")
    dialog = open_export(window, "figure")
    wait_for_preview(qtbot, dialog)
    assert "0 cannot be shown on a logarithmic axis" in dialog.message.text()
    menu = dialog.figure_form.parts_button.menu()
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    assert not preview_image(qtbot, dialog).isNull()
    assert dialog.message.text() == ""
    assert (dialog.choices.style.y_limits, dialog.choices.style.texts) == (None, ())


# -- the size --------------------------------------------------------------------------------------


def test_a_preset_is_a_size_and_a_typed_size_has_the_name_of_its_preset(dialog, form, qtbot):
    for preset in PRESETS:
        choose_item(form.preset, preset)
        assert form.size_note.elided_text == form.size_note.text(), "it is not cut"
    choose_item(form.preset, "slide")
    assert form.size_field.text() == "160x90mm"
    for text, name, notes in (
        ("100 x 80 mm", "own", {"100 × 80 mm"}),
        ("174x90mm", "two-columns", {"174 × 90 mm"}),
        ("3.3x2.4in", "own", {"83.8 × 61 mm", "990 × 720 px"}),
        ("1600x900", "own", {"423 × 238 mm", "1,600 × 900 px"}),
        ("84x60mm", "one-column", {"84 × 60 mm", "992 × 709 px"}),
    ):
        type_text(qtbot, form.size_field, text)
        assert (form.preset.currentData(), dialog.message.text()) == (name, "")
        assert notes <= set(form.size_note.text().split(", "))
        assert form.size_note.elided_text == form.size_note.text()
    good = preview_image(qtbot, dialog)
    for text in ("wide", "84x60cm", "84 x 60"):
        type_text(qtbot, form.size_field, text)
        assert form.preset.currentData() == "own"
        dialog.start_button.click()
        assert dialog.isVisible()
        assert dialog.message.text().startswith("Size: ")
        assert f"'{text}'" in dialog.message.text()
        assert form.preview.image == good
    assert "84x60mm" in dialog.message.text()
    type_text(qtbot, form.size_field, "2^10x3*256")
    qtbot.keyClick(form.size_field, Qt.Key.Key_Tab)
    assert form.size_field.text() == "1024x768"


def test_a_size_without_room_holds_the_figure_up(dialog, form, qtbot, tmp_path):
    dialog.target.setText(str(tmp_path / "f.pdf"))
    wait_for_preview(qtbot, dialog)
    form.size_field.setText("20x20mm")
    wait_for_preview(qtbot, dialog)
    says = dialog.message.text()
    assert says.startswith("Size: 20x20mm ")
    assert has_strip(dialog)
    dialog.accept()
    qtbot.waitUntil(dialog.start_button.isEnabled)
    assert dialog.isVisible()
    assert dialog.message.text() == says
    assert list(tmp_path.glob("f*")) == []
    (named,) = re.findall(r"at least (\S+mm)", says)
    form.size_field.setText(named)
    wait_for_preview(qtbot, dialog)
    assert form.drawing_problem == ""
    dialog.accept()
    qtbot.waitUntil((tmp_path / "f.pdf").exists)


def test_titles_without_room_and_fonts_that_are_not_installed_are_named(dialog, form, qtbot):
    choose_item(form.view_combo, "distances-curve")
    for font_size, is_left_out in ("24", True), ("8", False):
        type_text(qtbot, line(dialog, "font_size"), font_size)
        wait_for_preview(qtbot, dialog)
        qtbot.waitUntil(lambda out=is_left_out: ("left out" in dialog.message.text()) == out)
    type_into(qtbot, dialog, "font", "No Such Font")
    instead = QFontInfo(QFont("No Such Font")).family()
    assert re.match(f"Font: 'No Such Font' is not installed.*{instead}", dialog.message.text())
    type_into(qtbot, dialog, "font", "DejaVu Sans")
    assert dialog.message.text() == ""


# -- what is refused -------------------------------------------------------------------------------

WRONG = {
    "ticks": ("many", "Ticks: "),
    "font_size": ("3", "Font size: expected auto or a number from 4 to 48, got 3"),
    "line_width": ("0", "Line width: expected a number from 0.1 to 10, got 0"),
}


@pytest.mark.parametrize("prints", [False, True])
def test_a_refused_text_stays_and_holds_up_what_is_to_be_done(window, qtbot, tmp_path, prints):
    dialog = open_print(window) if prints else open_export(window, "figure")
    if not prints:
        dialog.target.setText(str(tmp_path / "f.pdf"))
    for name, (text, says) in WRONG.items():
        choose_item(dialog.figure_form.view_combo, "waves")
        good = preview_image(qtbot, dialog)
        type_into(qtbot, dialog, name, text)
        assert has_strip(dialog)
        assert says in dialog.message.text()
        qtbot.mouseClick(dialog.start_button, LEFT)
        assert dialog.isVisible()
        assert line(dialog, name).text() == text
        assert dialog.focusWidget() is line(dialog, name)  # where it can be mended
        assert says in dialog.message.text()
        assert dialog.figure_form.preview.image == good
        qtbot.keyClick(line(dialog, name), Qt.Key.Key_Escape)
        wait_for_preview(qtbot, dialog)
        assert dialog.message.text() == ""
        assert not has_strip(dialog)
    if not prints:
        type_text(qtbot, line(dialog, "ticks"), "x")  # and is still being typed
        for press in (lambda: copied_command(dialog), dialog.accept):
            press()
            assert "Ticks: " in dialog.message.text()
        assert copied_command(dialog) == ""
    assert list(tmp_path.glob("f*")) == []


def test_two_refused_texts_are_reported_in_turn(dialog, form, qtbot):
    for name in ("ticks", "font_size"):
        type_into(qtbot, dialog, name, "x")
    assert dialog.message.text().startswith("Font size: ")  # the one that is above
    type_into(qtbot, dialog, "font_size", "7")
    assert dialog.message.text().startswith("Ticks: ")
    choose_setting(dialog, "ground", "dark")
    assert dialog.message.text().startswith("Ticks: ")
    qtbot.mouseClick(form.fields.editor("ticks").box, LEFT)  # auto
    assert dialog.message.text() == ""
    assert brightness(qtbot, dialog) < 60


def test_texts_and_numbers_are_taken_while_and_however_they_are_typed(dialog, qtbot):
    before, title, size = (
        preview_image(qtbot, dialog),
        line(dialog, "title"),
        line(dialog, "font_size"),
    )
    type_text(qtbot, title, "Two  words ")
    assert title.hasFocus()
    assert title.text() == "Two  words "
    assert dialog.choices.style.title == "Two words"
    assert preview_image(qtbot, dialog) != before
    qtbot.keyClick(title, Qt.Key.Key_Tab)
    assert title.text() == "Two words"
    size.setFocus()
    size.selectAll()
    for key in "1", "2", ".", "5":  # 1 alone is too small
        qtbot.keyClicks(size, key)
        assert dialog.message.text() == ""
    assert (size.text(), dialog.choices.style.font_size) == ("12.5", 12.5)
    type_into(qtbot, dialog, "font", "")
    assert (line(dialog, "font").text(), dialog.message.text()) == ("DejaVu Sans", "")
    for text in ("-0.5,0.5", "-0.5, 0.5", "-0.5 0.5", "-0.5;0.5"):
        type_into_part(qtbot, dialog, "bar", "limits", "0 1")
        type_into_part(qtbot, dialog, "bar", "limits", text)
        assert dialog.choices.style.limits == (-0.5, 0.5)
        assert dialog.message.text() == ""


def test_what_has_no_effect_now_holds_up_nothing_until_it_has(dialog, form, qtbot):
    choose_item(dialog.ending, ".png")
    type_into(qtbot, dialog, "dpi", "x")
    for size, counts in (("800x600", False), ("900x600px", False), ("84x60mm", True)):
        type_text(qtbot, form.size_field, size)
        message = dialog.message.text()
        assert (message.startswith("Dots per inch: ") and "'x'" in message) == counts
        assert bool(form.drawing_problem) == counts


# -- what is remembered ----------------------------------------------------------------------------


def copied(window, qtbot, clipboard, key):
    """Return what an action copies."""
    window.actions_by_key[key].trigger()
    qtbot.waitUntil(lambda: not window.output.is_busy)
    return clipboard.text()


def test_the_last_settings_come_back(window, dialog, form, qtbot, clipboard, tmp_path):
    type_text(qtbot, form.size_field, "120x70mm")
    choose_setting(dialog, "ground", "transparent")
    for name, text in (("font_size", "9.5"), ("title", "Only mine")):
        type_into(qtbot, dialog, name, text)
    type_into_part(qtbot, dialog, "bar", "limits", "-0.5, 0.5")
    choose_item(dialog.ending, ".png")
    write_to(qtbot, dialog, tmp_path / "f.png")
    assert "Only mine" in copied(window, qtbot, clipboard, "copy_figure_code")
    copied(window, qtbot, clipboard, "copy_picture")
    assert clipboard.image().pixelColor(1, 1).alpha() == 0
    assert clipboard.image().width() == 2 * window.view("heatmap").width()
    for view, encoding, is_mine in (
        ("heatmap", "sinusoidal", True),
        ("distances", "sinusoidal", False),
        ("heatmap", "index", False),
        ("heatmap", "sinusoidal", True),
    ):
        window.model.set_encoding(encoding)
        go_to(window, view)
        again = open_export(window, "figure")
        assert again.figure_form.size_field.text() == "120x70mm"
        assert again.ending.currentData() == ".png"
        style = again.choices.style
        assert (style.ground, style.font_size) == ("transparent", 9.5)
        own = ("Only mine", (-0.5, 0.5)) if is_mine else ("", None)
        assert (style.title, style.limits) == own
        again.reject()
        settle()
        command = copied(window, qtbot, clipboard, "copy_command")
        assert "--ground transparent" in command
        for words in ("--title 'Only mine'", "--limits '-0.5 0.5'"):
            assert (words in command) == is_mine


def test_paper_is_white_after_any_figure(window, dialog, form, qtbot, tmp_path):
    choose_setting(dialog, "ground", "dark")
    type_into(qtbot, dialog, "title", "Mine")
    write_to(qtbot, dialog, tmp_path / "f.pdf")
    printing = open_print(window)
    assert brightness(qtbot, printing) == 255
    assert line(printing, "title").text() == "Mine"
    choose_item(printing.figure_form.preset, "square")
    type_into(qtbot, printing, "font_size", "11")
    printing.figure_form.choices_confirmed.emit(
        "heatmap", printing.choices
    )  # as when it is printed
    printing.reject()
    settle()
    again = open_export(window, "figure")
    assert (again.choices.style.ground, again.choices.style.font_size) == ("dark", 11)
    assert again.figure_form.preset.currentData() == "square"
