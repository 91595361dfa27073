"""The numbers at the cursor: shown, typed, stepped and copied."""

import re
import threading

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.encodings import Unknown
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Pin
from pe_explorer.panels.inspector import Inspector
from pe_explorer.widgets.labels import escape_html
from pe_explorer.widgets.theme import colours
from tests.support.gestures import enter_text
from tests.support.measures import hyphened
from tests.support.printed import value_of
from tests.support.samples import sample

S = encodings.create
UNKNOWN = Unknown("xpos", {}, "xpos is not known")


@pytest.fixture
def inspector(show_panel):
    inspector = Inspector()
    return show_panel(inspector, inspector.minimumWidth(), 700)


def go(model, **fields):
    assert model.set(**fields)
    model.emit_changes()
    QApplication.processEvents()


@pytest.mark.parametrize("name", encodings.names())
def test_the_numbers_are_those_at_the_cursor_and_nothing_stays_of_before(
    inspector, model, qtbot, name
):
    e = sample(name, dim=16, heads=16, head_dim=16)
    values, formula = inspector.values, inspector.formula
    for position, column in ((0, 0), (7, 3), (-5, 2), (10**15, 15), (2**53, 1), (-(2**53), 4)):
        go(model, encoding=S("sinusoidal", base=77.0), position=1007, dimension=3)
        before = {label.text() for label in values.values()} | {formula.plain_formula}
        assert "" not in before
        go(model, encoding=e, position=position, dimension=column)
        if position not in e.domain:
            assert (
                f"has rows for {e.domain[0]:,} to {e.domain[-1]:,}"
                in inspector.missing_reason.text()
            )
            assert (values["Value"].text(), formula.plain_formula) == ("", "")
            continue
        dimension = min(column, e.width - 1)
        after = {label.text() for label in values.values() if label.isVisible()} | {
            formula.plain_formula
        }
        assert before & after <= {values["Value"].text()}
        shown, printed = values["Value"].text(), formula.toPlainText().partition("\n")[2]
        assert value_of(shown) == e.table([position])[0, dimension]
        assert hyphened(formula.plain_formula) == hyphened(
            "\n".join(e.explain(position, dimension))
        )
        assert not re.search(r"(?<![\w)])-\.?\d", f"{shown} {printed}")
        assert inspector.missing_reason.isVisible() == bool(needs.waves(e))
        if needs.waves(e):
            sentence = needs.waves(e).replace(e.format_name(), e.title(), 1)
            assert inspector.missing_reason.text() == f"{sentence}."
            continue
        wave = e.wave_indices[dimension]
        whole, part = e.turn(wave, position)
        assert int(value_of(values["Whole turns"].text())) == whole
        for title, wanted, off in (
            ("Part of a turn", part, {"abs": 1e-15}),
            ("Angle", 360 * part, {"abs": 1e-9}),
            ("Wavelength in positions", e.wavelengths()[wave], {"rel": 1e-11}),
            ("Frequency in rad per position", e.frequencies()[wave], {"rel": 1e-11}),
        ):
            number = value_of(values[title].text().removesuffix("°"))
            assert number == pytest.approx(wanted, **off), title
    row, column = ((axis.name.capitalize(), axis.symbol) for axis in (e.rows, e.columns))
    captions = [f"{title} <i>{symbol}</i>" for title, symbol in (row, column)]
    assert [inspector.captions[key].text() for key in ("Position", "Dimension")] == captions
    assert inspector.fields["position"].accessibleName() == row[0]
    assert e.columns.name in inspector.fields["dimension"].toolTip().lower()
    assert row[0] in inspector.captions["Position"].toolTip()
    with qtbot.waitSignal(inspector.refused) as refused:
        enter_text(qtbot, inspector.fields["dimension"], str(e.width))
    assert column[0] in refused.args[0]


def test_what_has_no_number_says_why_and_is_not_copied(inspector, model, qtbot):
    e = S("sinusoidal", dim=7, spacing="endpoint")
    for dimension, there in ((6, True), (5, False)):
        go(model, encoding=e, dimension=dimension)
        assert inspector.missing_reason.isVisible() == there
        assert not there or "no wave" in inspector.missing_reason.text()
    QApplication.clipboard().setText("before")
    go(model, encoding=UNKNOWN)
    assert {label.text() for label in inspector.values.values()} == {""}
    assert inspector.formula.plain_formula == ""
    assert "xpos is not known" in inspector.missing_reason.text()
    assert inspector.captions["Position"].text() == "Position <i>p</i>"
    with qtbot.waitSignal(inspector.reported) as report:
        inspector.copy_value()
    assert "xpos" in report.args[0]
    assert QApplication.clipboard().text() == "before"
    inspector.show_view("distances")
    go(model, encoding=S("index"), position=0)
    assert inspector.values["d(p, q)"].text() == "undefined"
    assert "zeros" in inspector.missing_reason.text()
    assert inspector.missing_reason.isVisible()
    assert not inspector.copy.isEnabled()


@pytest.mark.parametrize(
    ("scale", "frequency", "wavelength"),
    [
        (1e-100, "10⁻¹⁰²", "6.28318530718·10¹⁰²"),
        (-1e-77, "−10⁻⁷⁹", "6.28318530718·10⁷⁹"),
        (5e-324, "0", "infinite"),
    ],
)
def test_waves_far_longer_than_all_positions(inspector, model, scale, frequency, wavelength):
    go(model, encoding=S("sinusoidal", dim=4, scale=scale), dimension=2)
    assert inspector.values["Frequency in rad per position"].text() == frequency
    assert inspector.values["Wavelength in positions"].text() == wavelength


def test_the_cursor_is_typed_and_stepped_and_the_shown_positions_go_along(inspector, model, qtbot):
    position, dimension = (inspector.fields[name] for name in ("position", "dimension"))
    enter_text(qtbot, position, "2^53")
    enter_text(qtbot, dimension, "127")
    assert (model.state.position, model.state.dimension) == (2**53, 127)
    qtbot.keyClick(dimension, Qt.Key.Key_Down)
    assert model.state.dimension == 126
    go(model, start=100, count=50, position=149)
    for key, there in ((Qt.Key.Key_PageUp, 154), (Qt.Key.Key_Down, 153)):
        qtbot.keyClick(position, key)
        assert (model.state.position, model.state.start) == (there, 105)
    model.playhead.play()
    for key, there in ((Qt.Key.Key_PageUp, 127), (Qt.Key.Key_PageDown, 115)):
        qtbot.keyClick(dimension, key)
        assert model.state.dimension == there
    assert model.playhead.is_playing  # another dimension does not stop it
    model.playhead.pause()
    go(model, encoding=S("sinusoidal", dim=4))
    assert dimension.text() == "3"  # its limits follow the width


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *(("position", text) for text in ("9007199254740993", "x")),
        *(("dimension", text) for text in ("128", "-1", "")),
    ],
)
def test_a_cursor_that_is_nowhere_is_refused(inspector, model, qtbot, field, text):
    line = inspector.fields[field]
    with qtbot.waitSignal(inspector.refused):
        enter_text(qtbot, line, text)
    assert (model.state.position, model.state.dimension) == (0, 0)
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "0"


def test_where_the_mouse_is_stands_above_the_numbers_as_far_as_there_is_room(inspector, model):
    for position, expected in (
        (3, "Mouse: p = 3, j = 100"),
        (-(2**53), "p = \u22129,007,199,254,740,992, j = 100"),
    ):
        model.point_at(position=position, dimension=100)
        inspector.synchronise()
        assert inspector.place.text() == expected
        shade = colours(inspector.palette()).accent
        assert inspector.place.palette().windowText().color().name() == shade
        model.point_at()
        inspector.synchronise()
        assert inspector.place.text() == "At the cursor"
        assert inspector.place.palette().windowText().color().name() != shade


@pytest.mark.parametrize("position", [0, 10**15, -(2**53)])
@pytest.mark.parametrize("dim", [2, 512, 4095])
def test_nothing_moves_or_clips_at_the_least_width(inspector, model, position, dim):
    widgets = [widget for widget in inspector.findChildren(QWidget) if widget.isVisible()]
    places = [widget.geometry() for widget in widgets]
    e = S("sinusoidal", dim=dim, base=123456789.123, scale=-3.75)
    go(model, encoding=e, position=position, dimension=dim - 1)
    assert [widget.geometry() for widget in widgets] == places
    assert [widget for widget in inspector.findChildren(QWidget) if widget.isVisible()] == widgets
    for label in (widget for widget in widgets if isinstance(widget, QLabel)):
        text = re.sub("</?i>", "", label.text())
        assert label.fontMetrics().horizontalAdvance(text) <= label.width()
    assert not inspector.formula.verticalScrollBar().isVisible()
    scale = inspector.formula.font().pointSizeF() / inspector.font().pointSizeF()
    assert scale == pytest.approx(0.92, abs=0.01)


def test_a_long_name_of_a_pin_leaves_room_for_the_numbers_and_is_no_markup(inspector, model):
    go(model, pins=(Pin(S("sinusoidal", base=100.0), "<b>" + "long " * 11),))
    inspector.show_view("frequencies")
    QApplication.processEvents()
    (long,) = (each for each in inspector.values if each.startswith("ω of"))
    label = inspector.values[long]
    assert label.text()
    assert label.width() > 80
    assert label.mapTo(inspector, label.rect().topRight()).x() < inspector.width()
    (caption,) = (each for each in inspector.findChildren(QLabel) if "ω of" in each.text())
    assert caption.text().startswith("ω of &lt;b&gt;long")
    assert escape_html(long) in caption.toolTip()


# -- distances -------------------------------------------------------------------------------------


def test_both_positions_and_the_reference_are_typed_and_stepped(inspector, model, qtbot):
    inspector.show_view("distances")
    for name, text in (("position", "7"), ("second", "30"), ("reference", "2")):
        field = inspector.fields[name]
        assert field.accessibleName()
        assert field.toolTip()
        enter_text(qtbot, field, text)
    assert (model.state.position, model.state.second, model.state.reference) == (7, 30, 2)
    model.emit_changes()
    rows = model.state.encoding.table([7, 30])
    assert value_of(inspector.values["d(p, q)"].text()) == pytest.approx(1 - rows[0] @ rows[1] / 64)
    assert not inspector.formula.isVisible()
    for name in ("second", "reference"):
        go(model, encoding=S("sinusoidal"))
        before = getattr(model.state, name)
        for key, moved in ((Qt.Key.Key_Up, 1), (Qt.Key.Key_PageUp, 6), (Qt.Key.Key_Down, 5)):
            qtbot.keyClick(inspector.fields[name], key)
            assert getattr(model.state, name) == before + moved
        go(model, encoding=sample("learned"), **{name: 0})
        qtbot.keyClick(inspector.fields[name], Qt.Key.Key_Down)
        assert getattr(model.state, name) == 0  # there is no row before it


def test_what_takes_long_is_computed_beside_and_copied_once_it_is_there(
    inspector, model, qtbot, monkeypatch
):
    threads, own = [], distance.between

    def between(*arguments):
        threads.append(threading.get_ident())
        return own(*arguments)

    monkeypatch.setattr(distance, "between", between)
    inspector.show_view("distances")
    threads.clear()
    go(model, encoding=S("sinusoidal", dim=65_536), metric="manhattan", second=3)
    inspector.copy_value()
    shown = inspector.values["d(p, q)"]
    assert shown.text() == "…"
    with qtbot.waitSignal(inspector.reported) as report:
        pass
    rows = model.state.encoding.table([0, 3])
    assert value_of(shown.text()) == pytest.approx(abs(rows[0] - rows[1]).sum())
    copied = QApplication.clipboard().text()
    assert float(copied) == value_of(shown.text())
    assert copied in report.args[0]
    assert threads
    assert threading.get_ident() not in threads
    threads.clear()
    go(model, encoding=S("sinusoidal", dim=64))
    assert set(threads) == {threading.get_ident()}


@pytest.mark.parametrize(("view", "unit"), [("heatmap", ""), ("distances", ""), ("clocks", "°")])
def test_the_button_copies_the_number_with_all_its_digits(inspector, model, qtbot, view, unit):
    inspector.show_view(view)
    go(model, position=20, dimension=9, second=7)
    with qtbot.waitSignal(inspector.reported):
        qtbot.mouseClick(inspector.copy, Qt.MouseButton.LeftButton)
    label = inspector.values[inspector.picture.main_value_name]
    assert QApplication.clipboard().text() + unit == label.text()
    assert label.accessibleName() == inspector.picture.main_value_name
    QApplication.clipboard().setText("another")
    go(model, position=21)
    assert QApplication.clipboard().text() == "another"  # one click copies once
    qtbot.mouseDClick(label, Qt.MouseButton.LeftButton, pos=QPoint(3, label.height() // 2))
    assert label.hasSelectedText()
    assert inspector.copy.toolTip()
    assert inspector.copy.accessibleName() == "Copy value"


def test_hidden_it_reads_nothing_and_detached_it_stands_still(inspector, model, monkeypatch):
    inspector.hide()
    with monkeypatch.context() as patch:
        patch.setattr(inspector.picture, "inspect", pytest.fail)
        go(model, position=9)
    inspector.show()
    assert inspector.fields["position"].text() == "9"
    assert inspector.values["Value"].text() == repr(model.state.encoding.value(9, 0))
    inspector.detach()
    go(model, position=10)
    assert inspector.fields["position"].text() == "9"
    inspector.attach(model)
    assert inspector.fields["position"].text() == "10"
