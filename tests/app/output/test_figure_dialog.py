"""What only the dialogs for figures do; see `test_file_dialogs` for the rest."""

import re
import threading

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage

from pe_explorer.app.output import figure_order
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.app.output.figure_preview import TextLine
from pe_explorer.app.output.print_dialog import PrintDialog
from pe_explorer.files import session
from pe_explorer.files.session import FIGURES
from pe_explorer.flags import PLATE
from pe_explorer.params import ParameterError
from pe_explorer.pictures.heatmap import Heatmap
from tests.app.acts import encode
from tests.app.output.dialogs import copied_command, open_export, type_into, write_to
from tests.support.gestures import settle, type_text
from tests.support.pages import raster_of_pdf, raster_of_svg
from tests.support.windows import choose_item, go_to, open_dialog, trigger, wait_for_preview

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def dialog(window):
    return open_export(window, "figure")


@pytest.fixture
def form(dialog):
    return dialog.figure_form


def line(dialog, name):
    return dialog.figure_form.fields.editor(name).main


def shown(qtbot, dialog):
    """Return the picture of the preview, once it is drawn."""
    wait_for_preview(qtbot, dialog)
    return dialog.figure_form.preview.image


def has_strip(dialog):
    """Return whether there is a strip over the top of the preview."""
    picture = dialog.figure_form.preview.grab().toImage()
    return picture.pixelColor(3, 3) == dialog.palette().toolTipBase().color()


# -- the preview -----------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_begins_with_the_active_view_light_in_one_column(window, qapp, qtbot, theme):
    qapp.set_theme(theme)
    settle(window.model)
    dialog = open_export(window, "figure")
    form = dialog.figure_form
    assert form.what.currentData() == "heatmap"
    assert (form.preset.currentData(), form.size_text.text()) == ("one-column", "84x60mm")
    image = shown(qtbot, dialog)
    assert image.width() / image.height() == pytest.approx(84 / 60, rel=0.01)
    assert image.pixelColor(1, 1).lightness() == 255
    # The screen of the tests is 800 x 800 pixels.
    assert dialog.screen().availableGeometry().contains(dialog.geometry())
    dialog.reject()


def test_the_preview_follows_the_style(dialog, form, qtbot):
    before = shown(qtbot, dialog)
    ground = form.fields.editor("ground").combo
    choose_item(ground, "dark")
    assert shown(qtbot, dialog).pixelColor(1, 1).lightness() < 60
    choose_item(ground, "transparent")
    assert shown(qtbot, dialog).pixelColor(1, 1).alpha() == 0
    choose_item(ground, "white")
    qtbot.keyClick(form.fields.editor("colour_bar").box, Qt.Key.Key_Space)
    assert shown(qtbot, dialog) != before


def test_what_is_shown_is_what_is_written(dialog, qtbot, tmp_path):
    """The preview is the same figure with other pixels."""
    preview = shown(qtbot, dialog)
    choose_item(dialog.kind, ".png")
    write_to(qtbot, dialog, tmp_path / "f.png")
    written = QImage(str(tmp_path / "f.png"))
    assert (written.width(), written.height()) == (992, 709)
    size, way = preview.size() / 6, Qt.TransformationMode.SmoothTransformation
    small, other = (
        each.scaled(size, mode=way, aspectMode=Qt.AspectRatioMode.IgnoreAspectRatio)
        for each in (written, preview)
    )
    apart = [
        abs(small.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness())
        for x in range(small.width())
        for y in range(small.height())
    ]
    assert sum(apart) / len(apart) < 8


def test_the_preview_goes_on_when_nothing_could_be_written(dialog, form, qtbot):
    before = shown(qtbot, dialog)
    dialog.target.setText("/proc/f.pdf")
    choose_item(form.fields.editor("ground").combo, "dark")
    assert form.preview.busy
    dialog.accept()
    qtbot.waitUntil(lambda: form.preview.image != before)
    assert form.preview.image.pixelColor(1, 1).lightness() < 60
    assert "/proc" in dialog.message.text()
    dialog.reject()


@pytest.mark.parametrize(
    ("what", "ending"),
    [("distances-curve", ".svg"), ("clocks", ".pdf"), *((PLATE, each) for each in FIGURES)],
)
def test_a_kind_of_file_and_a_part_are_in_its_name_and_it_opens_again(
    window, dialog, form, qtbot, tmp_path, what, ending
):
    choose_item(form.what, what)
    choose_item(dialog.kind, ending)
    assert dialog.target.text().endswith(f"{what}{ending}")
    write_to(qtbot, dialog, tmp_path / f"f{ending}")
    found = session.read(tmp_path / f"f{ending}")
    assert found.state.positions == window.model.state.positions
    assert found.extra["figure"]["of"].startswith(what.partition("-")[0])


def test_a_transparent_ground_is_one_in_every_kind_of_file_and_on_the_clipboard(
    window, qtbot, clipboard, tmp_path
):
    for ending in FIGURES:
        dialog = open_export(window, "figure")
        choose_item(dialog.figure_form.fields.editor("ground").combo, "transparent")
        write_to(qtbot, dialog, tmp_path / f"f{ending}")
    drawn = QImage(str(tmp_path / "f.png"))
    size = drawn.width(), drawn.height()
    assert drawn.pixelColor(0, 0).alpha() == 0
    assert raster_of_svg(tmp_path / "f.svg", *size)[0, 0, 3] == 0
    assert (raster_of_pdf(tmp_path / "f.pdf", *size)[0, 0, :3] == 255).all()  # that is paper
    trigger(window, "copy_picture")
    qtbot.waitUntil(lambda: not window.output.copying.busy)
    assert clipboard.image().pixelColor(0, 0).alpha() == 0


def test_a_view_without_a_picture_says_so_in_the_preview(window, qtbot):
    encode(window, "index")
    dialog = open_export(window, "figure")
    choose_item(dialog.figure_form.what, "clocks")
    dialog.go.click()
    for sentence in (dialog.figure_form.preview.sentence, dialog.message.text()):
        assert "index is not made of waves" in sentence.lower()
    choose_item(dialog.figure_form.what, "heatmap")
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.sentence == ""
    dialog.reject()


def test_what_has_no_effect_on_the_figure_is_greyed_and_its_tooltip_says_why(form):
    for view, greyed, counting in (
        ("heatmap", {"x_limits", "y_limits", "legend", "line_width", "clocks"}, {"limits"}),
        ("waves", {"limits", "clocks", "upward"}, {"x_limits", "y_limits", "legend"}),
        ("distances-curve", {"limits"}, {"y_limits"}),
        ("clocks", {"limits", "grid"}, {"clocks", "colour_bar"}),
    ):
        choose_item(form.what, view)
        for name in greyed | counting:
            main = form.fields.editor(name).main
            assert main.isEnabled() == (name in counting), (view, name)
            assert ("No effect now:</b>" in main.toolTip()) == (name in greyed)


# -- texts of the figure ---------------------------------------------------------------------------


def centre_of(preview, key):
    """Return the middle of the first line of a text of the figure, as the preview shows it."""
    for x in range(0, preview.width(), 3):
        for y in range(0, preview.height(), 3):
            found = preview.text_at(QPointF(x, y))
            if found is not None and found[0].key == key:
                return found[1].center().toPoint()
    raise AssertionError(f"no {key}")


def test_a_click_on_a_title_lets_another_one_be_typed(dialog, form, qtbot, tmp_path):
    preview, texts = form.preview, line(dialog, "texts")
    before = shown(qtbot, dialog).copy()
    place = centre_of(preview, "cells x title")
    qtbot.mouseMove(preview, place)
    for key, expected in ((Qt.Key.Key_Escape, ""), (Qt.Key.Key_Return, "cells x title: channel")):
        qtbot.mouseClick(preview, LEFT, pos=place)
        (own,) = preview.findChildren(TextLine)
        assert own.isVisible()
        assert own.text() == "dimension"
        own.selectAll()
        qtbot.keyClicks(own, "channel")
        qtbot.keyClick(own, key)
        assert dialog.isVisible()  # the key is no answer to the dialog
        assert texts.text() == expected
    assert shown(qtbot, dialog) != before
    write_to(qtbot, dialog, tmp_path / "f.svg")
    written = (tmp_path / "f.svg").read_text(encoding="utf-8")
    assert ">channel<" in written
    assert ">dimension<" not in written


def test_an_empty_line_gives_a_figure_its_own_text_again(dialog, form, qtbot):
    type_into(qtbot, dialog, "texts", "position: time")
    wait_for_preview(qtbot, dialog)
    qtbot.mouseClick(form.preview, LEFT, pos=centre_of(form.preview, "cells y title"))
    (own,) = form.preview.findChildren(TextLine)
    assert own.text() == "time"
    own.clear()
    qtbot.keyClick(own, Qt.Key.Key_Return)
    wait_for_preview(qtbot, dialog)
    assert line(dialog, "texts").text() == ""


def test_a_title_is_in_the_preview_while_it_is_typed(dialog, qtbot):
    before, title = shown(qtbot, dialog), line(dialog, "title")
    type_text(qtbot, title, "Two  words ")
    assert title.hasFocus()
    assert title.text() == "Two  words "
    assert dialog.choices.style.title == "Two words"
    assert shown(qtbot, dialog) != before
    qtbot.keyClick(title, Qt.Key.Key_Tab)
    assert title.text() == "Two words"


# -- the size --------------------------------------------------------------------------------------


def test_a_preset_is_a_size_and_a_typed_size_has_the_name_of_its_preset(dialog, form, qtbot):
    choose_item(form.preset, "slide")
    assert form.size_text.text() == "160x90mm"
    for text, name in (
        ("100 x 80 mm", "own"),
        ("174x90mm", "two-columns"),
        ("wide", "own"),
        ("84x60cm", "own"),
        ("84 x 60", "own"),
    ):
        type_text(qtbot, form.size_text, text)
        assert form.preset.currentData() == name
    good = form.preview.image
    assert dialog.message.text().startswith("Size: '84 x 60'")
    assert "84x60mm" in dialog.message.text()
    dialog.go.click()
    assert dialog.isVisible()
    assert dialog.message.text().startswith("Size: '84 x 60'")
    assert form.preview.image == good
    type_text(qtbot, form.size_text, "84x60mm")
    assert (form.preset.currentData(), dialog.message.text()) == ("one-column", "")
    type_text(qtbot, form.size_text, "2^10x3*256")
    qtbot.keyClick(form.size_text, Qt.Key.Key_Tab)
    assert form.size_text.text() == "1024x768"


@pytest.mark.parametrize(
    ("text", "millimetres", "pixels"),
    [
        ("84 x 60 mm", "84 × 60 mm", "992 × 709 pixels"),
        ("3.3x2.4in", "83.82 × 60.96 mm", "990 × 720 pixels"),
        ("1600x900", "423.3 × 238.1 mm", "1,600 × 900 pixels"),
    ],
)
def test_what_a_size_is_is_said_below_it(form, qtbot, text, millimetres, pixels):
    type_text(qtbot, form.size_text, text)
    assert {millimetres, pixels} <= set(re.split(r"; (?:as PNG )?", form.size_note.text()))


def test_a_size_without_room_holds_the_figure_up_until_one_with_room_is_typed(
    dialog, form, qtbot, tmp_path
):
    dialog.target.setText(str(tmp_path / "f.pdf"))
    wait_for_preview(qtbot, dialog)
    form.size_text.setText("20x20mm")
    wait_for_preview(qtbot, dialog)
    says = dialog.message.text()
    assert says.startswith("Size: 20x20mm ")
    assert has_strip(dialog)
    dialog.accept()
    qtbot.waitUntil(dialog.go.isEnabled)
    assert dialog.isVisible()
    assert dialog.message.text() == says
    assert list(tmp_path.glob("f*")) == []
    (named,) = re.findall(r"at least (\S+mm)", says)
    form.size_text.setText(named)
    wait_for_preview(qtbot, dialog)
    assert form.refusal == ""
    dialog.accept()
    qtbot.waitUntil((tmp_path / "f.pdf").exists)


def test_titles_that_have_no_room_are_said_to_be_left_out(dialog, form, qtbot):
    assert shown(qtbot, dialog)
    choose_item(form.what, "distances-curve")
    for font_size, is_left_out in ("24", True), ("8", False):
        type_text(qtbot, line(dialog, "font_size"), font_size)
        wait_for_preview(qtbot, dialog)
        qtbot.waitUntil(lambda out=is_left_out: ("left out" in dialog.message.text()) == out)


def test_a_font_that_is_not_installed_is_named_with_the_one_that_is_written(dialog, qtbot):
    type_into(qtbot, dialog, "font", "No Such Font")
    assert re.match("Font: 'No Such Font' is not installed.*; .+ is written", dialog.message.text())
    type_into(qtbot, dialog, "font", "DejaVu Sans")
    assert dialog.message.text() == ""


# -- what is refused -------------------------------------------------------------------------------

WRONG = {
    "limits": ("1 -1", "Colour limits: '1 -1'"),
    "ticks": ("many", "Ticks: 'many'"),
    "font_size": ("3", "Font size: 3 is outside the limits (4 to 48)"),
    "clocks": ("1 x", "Clocks: number 2: 'x'"),
    "font": ("", "Font: '' has 0 characters (1 to 120 characters)"),
}


@pytest.mark.parametrize(
    ("key", "kind"), [("export_figure", FigureDialog), ("print_figure", PrintDialog)]
)
def test_a_refused_text_stays_and_holds_up_what_is_to_be_done(window, qtbot, tmp_path, key, kind):
    dialog = open_dialog(window, key, kind)
    if key == "export_figure":
        dialog.target.setText(str(tmp_path / "f.pdf"))
    choose_item(dialog.figure_form.what, "clocks")
    for name, (text, says) in WRONG.items():
        if name == "limits":  # which clocks have not
            choose_item(dialog.figure_form.what, "heatmap")
        good = shown(qtbot, dialog)
        type_into(qtbot, dialog, name, text)
        assert has_strip(dialog)
        assert says in dialog.message.text()
        qtbot.mouseClick(dialog.go, LEFT)
        assert dialog.isVisible()
        assert line(dialog, name).text() == text
        assert dialog.focusWidget() is line(dialog, name)  # where it can be mended
        assert says in dialog.message.text()
        assert dialog.figure_form.preview.image == good
        qtbot.keyClick(line(dialog, name), Qt.Key.Key_Escape)
        wait_for_preview(qtbot, dialog)
        assert dialog.message.text() == ""
        assert not has_strip(dialog)
        if name == "limits":
            choose_item(dialog.figure_form.what, "clocks")
    assert list(tmp_path.glob("f*")) == []
    dialog.reject()


def test_a_refused_text_that_is_still_being_typed_holds_it_up_too(dialog, qtbot, tmp_path):
    dialog.target.setText(str(tmp_path / "f.pdf"))
    type_text(qtbot, line(dialog, "limits"), "5")
    qtbot.keyClick(dialog, Qt.Key.Key_E, Qt.KeyboardModifier.AltModifier)
    for press in (lambda: copied_command(dialog), dialog.accept):
        press()
        assert "Colour limits: '5'" in dialog.message.text()
    assert copied_command(dialog) == ""
    assert list(tmp_path.glob("f*")) == []


def test_two_refused_texts_are_said_one_after_the_other(dialog, form, qtbot):
    for name in ("limits", "ticks"):
        type_into(qtbot, dialog, name, "x")
    assert dialog.message.text().startswith("Ticks: ")  # the one that is above
    type_into(qtbot, dialog, "ticks", "7")
    assert dialog.message.text().startswith("Colour limits: ")
    choose_item(form.fields.editor("ground").combo, "dark")
    assert dialog.message.text().startswith("Colour limits: ")
    qtbot.mouseClick(form.fields.editor("limits").box, LEFT)  # auto
    assert dialog.message.text() == ""
    assert shown(qtbot, dialog).pixelColor(1, 1).lightness() < 60


def test_numbers_are_taken_while_and_however_they_are_typed(dialog, qtbot):
    size, said = line(dialog, "font_size"), []
    size.setFocus()
    size.selectAll()
    for key in "1", "2", ".", "5":  # 1 alone is too small
        qtbot.keyClicks(size, key)
        said.append(dialog.message.text())
    assert said == [""] * 4
    assert (size.text(), dialog.choices.style.font_size) == ("12.5", 12.5)
    for text in ("-0.5,0.5", "-0.5, 0.5", "-0.5 0.5", "-0.5;0.5"):
        type_into(qtbot, dialog, "limits", "0 1")
        type_into(qtbot, dialog, "limits", text)
        assert dialog.choices.style.limits == (-0.5, 0.5)
        assert dialog.message.text() == ""


def test_what_has_no_effect_now_holds_up_nothing_until_it_has(dialog, form, qtbot):
    choose_item(dialog.kind, ".png")
    for size, counts in (
        ("84x60mm", True),
        ("800x600", False),
        ("900x600px", False),
        ("84x60mm", True),
    ):
        type_text(qtbot, form.size_text, size)
        if "dpi" not in form.fields.bad and counts:
            type_into(qtbot, dialog, "dpi", "x")
        assert ("Dots per inch: 'x'" in dialog.message.text()) == counts
        assert bool(form.refusal) == counts


def test_what_was_refused_of_one_figure_is_not_said_of_the_next(window, dialog, qtbot, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def refused(state, size, cancelled):
        begun.set()
        go_on.wait(5)
        raise ParameterError("size", "it was the figure before")

    before, form = shown(qtbot, dialog), dialog.figure_form
    monkeypatch.setattr(figure_order, "takes_long", lambda cost: True)
    with monkeypatch.context() as patched:
        patched.setattr(Heatmap, "compute", staticmethod(refused))
        type_text(qtbot, line(dialog, "font_size"), "9")
        qtbot.waitUntil(begun.is_set)
    type_text(qtbot, line(dialog, "font_size"), "10")
    go_on.set()
    window.model.worker.finish()  # the answer comes before the next figure is begun
    assert form.refusal == ""
    assert shown(qtbot, dialog) != before
    assert form.refusal == ""


# -- what is remembered ----------------------------------------------------------------------------


def copied(window, qtbot, clipboard, key):
    """Return what an action copies."""
    window.actions_by_key[key].trigger()
    qtbot.waitUntil(lambda: not window.output.copying.busy)
    return clipboard.text()


def test_the_last_settings_are_offered_again_and_are_those_of_copies(
    window, dialog, form, qtbot, clipboard, tmp_path
):
    type_text(qtbot, form.size_text, "120x70mm")
    choose_item(form.fields.editor("ground").combo, "dark")
    for name, text in (("font_size", "9.5"), ("title", "Only mine"), ("limits", "-0.5, 0.5")):
        type_into(qtbot, dialog, name, text)
    choose_item(dialog.kind, ".png")
    write_to(qtbot, dialog, tmp_path / "f.png")
    again = open_export(window, "figure")
    assert (again.figure_form.size_text.text(), again.kind.currentData()) == ("120x70mm", ".png")
    style = again.choices.style
    assert (style.font_size, style.title, style.limits) == (9.5, "Only mine", (-0.5, 0.5))
    again.reject()
    assert "Only mine" in copied(window, qtbot, clipboard, "copy_figure_code")
    copied(window, qtbot, clipboard, "copy_picture")
    assert clipboard.image().pixelColor(1, 1).lightness() < 60
    assert clipboard.image().width() == 2 * window.view("heatmap").width()
    command = copied(window, qtbot, clipboard, "copy_command")
    for words in ("--ground dark", "--title 'Only mine'", "--limits '-0.5 0.5'", "--scale 2"):
        assert words in command


def test_what_belongs_to_one_figure_is_offered_for_that_only(
    window, dialog, qtbot, clipboard, tmp_path
):
    for name, text in (("title", "Mine"), ("limits", "-0.5, 0.5")):
        type_into(qtbot, dialog, name, text)
    write_to(qtbot, dialog, tmp_path / "f.pdf")
    for view, encoding, is_mine in (
        ("heatmap", "sinusoidal", True),
        ("distances", "sinusoidal", False),
        ("heatmap", "index", False),
        ("heatmap", "sinusoidal", True),
    ):
        window.model.set_encoding(encoding)
        go_to(window, view)
        again = open_export(window, "figure")
        style = again.choices.style
        assert (style.title, style.limits) == (("Mine", (-0.5, 0.5)) if is_mine else ("", None))
        again.reject()
        settle()
        assert ("Mine" in copied(window, qtbot, clipboard, "copy_command")) == is_mine


def test_paper_is_white_after_any_figure_and_the_next_file_has_its_own_ground(
    window, dialog, form, qtbot, tmp_path
):
    choose_item(form.fields.editor("ground").combo, "dark")
    type_into(qtbot, dialog, "title", "Mine")
    write_to(qtbot, dialog, tmp_path / "f.pdf")
    printing = open_dialog(window, "print_figure", PrintDialog)
    assert shown(qtbot, printing).pixelColor(1, 1).lightness() == 255
    assert printing.figure_form.fields.editor("ground").combo.currentData() == "white"
    assert line(printing, "title").text() == "Mine"
    choose_item(printing.figure_form.preset, "square")
    type_into(qtbot, printing, "font_size", "11")
    printing.figure_form.ordered.emit("heatmap", printing.choices)  # as when it is printed
    printing.reject()
    settle()
    again = open_export(window, "figure")
    assert (again.choices.style.ground, again.choices.style.font_size) == ("dark", 11)
    assert again.figure_form.preset.currentData() == "square"
    again.reject()
