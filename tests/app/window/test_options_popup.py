"""All options of a view, in the form below the button of its pane."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from pe_explorer import encodings, pictures
from pe_explorer.params import declared
from tests.app.acts import encode
from tests.support.gestures import settle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def popup(window, qtbot):
    """Return a function that opens the form of a view as its button does."""

    def opened(name):
        window.options_popup.hide()
        window.workspace.show_view(name)
        settle(window.model)
        qtbot.mouseClick(window.workspace.pane(name).more, LEFT)
        assert window.options_popup.isVisible()
        return window.options_popup.options_form

    yield opened
    window.options_popup.hide()


def offered(combo):
    """Return the words that can be chosen."""
    model = combo.model()
    return {combo.itemData(row) for row in range(combo.count()) if model.item(row).isEnabled()}


@pytest.mark.parametrize("name", pictures.names())
def test_the_form_has_all_options_of_the_view_and_what_it_explores(popup, window, name):
    picture = pictures.find(name)
    assert popup(name).names == tuple(declared(picture.Options))
    form = window.options_popup.explored_form
    assert (form.names if form.isVisible() else ()) == tuple(picture.explored)


def test_the_form_is_as_high_as_its_rows_and_labels_take_one_line(popup, window):
    for name in ("heatmap", "clocks", "distances"):
        popup(name)
        form = window.options_popup
        assert form.height() == form.sizeHint().height()
        for label in form.findChildren(QLabel):
            if label.isVisible():
                assert label.heightForWidth(label.width()) < 2 * label.fontMetrics().height()
        form.hide()


def test_what_is_compared_has_a_name_and_is_grey_without_a_pin(popup, window):
    popup("heatmap")
    combo = window.options_popup.explored_form.editor("show").combo
    assert not combo.isEnabled()
    assert "no encoding is pinned" in combo.toolTip()
    window.navigation.pin()
    encode(window, base=500.0)
    assert combo.isEnabled()
    combo.setCurrentIndex(combo.findText("b = 500 − b = 10,000"))
    settle(window.model)
    assert window.model.state.show == "difference"


def test_the_colours_are_named_that_are_really_shown(popup, window):
    combo = popup("heatmap").editor("values").combo
    assert combo.currentData() == "soft"
    assert {"blue-red", "viridis", "grey"} <= offered(combo)
    window.model.set(encoding=encodings.create("index"))  # from 0 on, without a middle
    settle(window.model)
    view = window.workspace.pane("heatmap").view
    assert combo.currentData() == "viridis"
    assert offered(combo) == {"viridis", "cividis", "grey"}
    withheld = combo.itemData(combo.findData("red-blue"), Qt.ItemDataRole.ToolTipRole)
    assert "needs values centred on 0" in withheld
    assert view.options.values == "soft"  # what was chosen stays
    combo.setCurrentIndex(combo.findData("cividis"))
    settle(window.model)
    assert view.options.values == combo.currentData() == "cividis"
    view.set_options(values="red-blue")
    settle(window.model)
    assert combo.currentData() == "viridis"
    encode(window, "sinusoidal")
    assert combo.currentData() == "red-blue"
    assert "soft" in offered(combo)


@pytest.mark.parametrize(
    ("name", "option", "value", "withheld"),
    [
        ("heatmap", "quantity", "value", {"angles", "pairs"}),
        ("heatmap", "quantity", "angle", {"values"}),
        ("heatmap", "quantity", "error", {"angles", "pairs", "pixel"}),
        ("clocks", "pairs", "first", set()),
        ("clocks", "pairs", "spread", {"first"}),
        ("distances", "part", "both", set()),
        ("distances", "part", "curve", {"values"}),
        ("distances", "part", "matrix", {"below"}),
        ("distances", "part", "histogram", {"below", "values"}),
    ],
)
def test_options_without_effect_are_grey_and_say_why(popup, window, name, option, value, withheld):
    form = popup(name)
    window.workspace.pane(name).view.set_options(**{option: value})
    settle(window.model)
    unpinned = {"show"} & set(form.names)  # there is no pin to be shown
    grey = {each for each in form.names if not form.editor(each).main.isEnabled()}
    assert grey == withheld | unpinned
    reasons = window.workspace.pane(name).view.options.without_effect
    for each in withheld:
        assert reasons[each] in form.editor(each).main.toolTip()


@pytest.mark.parametrize("last", ["distances", "clocks"])
def test_it_leaves_the_picture_of_a_low_pane_to_be_seen(window, qtbot, last):
    window.resize(1024, 640)
    window.workspace.arrange("over-two")
    settle(window.model)
    pane = window.workspace.pane(last)
    assert pane.view.height() < window.height() / 3  # one of the two below
    qtbot.mouseClick(pane.more, LEFT)
    popup, header = window.options_popup, pane.mapToGlobal(pane.rect().topLeft()).y()
    settle(window.model)
    assert popup.isVisible()
    assert popup.geometry().bottom() <= header + 4
    popup.hide()
    qtbot.mouseClick(window.workspace.pane("heatmap").more, LEFT)  # no room for it above
    assert popup.y() >= window.workspace.mapToGlobal(window.workspace.rect().topLeft()).y()
    popup.hide()
