"""All options of a view, in the form below the button of its pane."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from pe_explorer import pictures
from pe_explorer.params import declared
from tests.app.acts import click_on, encode
from tests.support.gestures import settle
from tests.support.windows import go_to


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
        explored = popups.explored_form
        assert (explored.names if explored.isVisible() else ()) == tuple(picture.explored)
        assert popups.height() == popups.sizeHint().height()
        for label in popups.findChildren(QLabel):
            if label.isVisible():
                assert label.heightForWidth(label.width()) < 2 * label.fontMetrics().height()


def test_what_is_compared_has_a_name_and_is_grey_without_a_pin(popup, window):
    popup("heatmap")
    combo = window.options_popup.explored_form.editor("show").combo
    assert not combo.isEnabled()
    assert "pinned" in combo.toolTip()
    window.navigation.pin()
    encode(window, base=500.0)
    assert combo.isEnabled()
    combo.setCurrentIndex(combo.findText("b = 500 − b = 10,000"))
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


def test_options_without_effect_are_grey_and_say_why(popup, window):
    for name, option, value, withheld in (
        ("heatmap", "quantity", "value", {"angles", "pairs"}),
        ("heatmap", "quantity", "angle", {"values"}),
        ("heatmap", "quantity", "error", {"angles", "pairs", "pixel"}),
        ("clocks", "pairs", "first", set()),
        ("clocks", "pairs", "spread", {"first"}),
        ("distances", "part", "both", set()),
        ("distances", "part", "curve", {"values"}),
        ("distances", "part", "matrix", {"below"}),
        ("distances", "part", "histogram", {"below", "values"}),
    ):
        form, view = popup(name), window.view(name)
        view.set_options(**{option: value})
        settle(window.model)
        unpinned = {"show"} & set(form.names)  # there is no pin to be shown
        grey = {each for each in form.names if not form.editor(each).main.isEnabled()}
        assert grey == withheld | unpinned, (name, value)
        for each in withheld:
            assert view.options.without_effect[each] in form.editor(each).main.toolTip()


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
        assert popup.geometry().bottom() <= pane.mapToGlobal(pane.rect().topLeft()).y() + 4
        popup.hide()
    click_on(window, workspace.pane("heatmap").more)  # no room for it above
    assert popup.y() >= workspace.mapToGlobal(workspace.rect().topLeft()).y()
    popup.hide()
