import re
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.encodings import Unknown
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Pin
from pe_explorer.panels.inspector import Inspector
from pe_explorer.widgets.labels import escaped
from tests.support.gestures import enter_text
from tests.support.measures import hyphened
from tests.support.printed import value_of
from tests.support.samples import sample

every_encoding = pytest.mark.parametrize("name", encodings.names())
every_cursor = pytest.mark.parametrize(
    "cursor", [(0, 0), (7, 3), (-5, 2), (10**15, 15), (2**53, 1), (-(2**53), 4)]
)


@pytest.fixture
def inspector(show_panel):
    inspector = Inspector()
    return show_panel(inspector, inspector.minimumWidth(), 700)


def go(model, **fields):
    assert model.set(**fields)
    model.announce()
    QApplication.processEvents()


@every_encoding
@every_cursor
def test_value_and_formula_are_the_encodings_own(inspector, model, name, cursor):
    position, dimension = cursor
    e = sample(name, dim=16, heads=16, head_dim=16)
    go(model, encoding=e, position=position, dimension=dimension)
    if position not in e.domain:
        assert f"has rows for {e.domain[0]:,} to {e.domain[-1]:,}" in inspector.lack.text()
        assert (inspector.values["Value"].text(), inspector.formula.typed) == ("", "")
        return
    dimension = min(dimension, e.width - 1)
    shown, formula = inspector.values["Value"].text(), inspector.formula.typed
    assert value_of(shown) == e.table([position])[0, dimension]
    assert hyphened(formula) == hyphened("\n".join(e.explain(position, dimension)))
    assert not re.search(
        r"(?<![\w)])-\.?\d", f"{shown} {inspector.formula.toPlainText().partition(chr(10))[2]}"
    )


@every_encoding
def test_waves_are_shown_or_a_sentence_says_why_not(inspector, model, name):
    e = sample(name, dim=16, heads=16, head_dim=16)
    position = min(10**15, e.domain[-1])
    go(model, encoding=e, position=position, dimension=9)
    assert inspector.lack.isVisible() == bool(needs.waves(e))
    if needs.waves(e):
        sentence = needs.waves(e).replace(e.called(), e.title(), 1)
        assert inspector.lack.text() == f"{sentence}."
        return
    wave = e.wave_of[9]
    whole, fraction = e.turn(wave, position)
    assert int(value_of(inspector.values["Whole turns"].text())) == whole
    assert value_of(inspector.values["Part of a turn"].text()) == pytest.approx(fraction, abs=1e-15)
    assert float(inspector.values["Angle"].text().removesuffix("°")) == pytest.approx(
        360 * fraction, abs=1e-9
    )
    assert value_of(inspector.values["Wavelength in positions"].text()) == pytest.approx(
        e.wavelengths()[wave], rel=1e-11
    )
    assert value_of(inspector.values["Frequency in rad per position"].text()) == pytest.approx(
        e.frequencies()[wave], rel=1e-11
    )


def test_a_dimension_without_a_wave_says_so(inspector, model):
    go(model, encoding=encodings.create("sinusoidal", dim=7, spacing="endpoint"), dimension=6)
    assert "This dimension has no wave" in inspector.lack.text()
    assert inspector.lack.isVisible()
    go(model, dimension=5)
    assert not inspector.lack.isVisible()


@pytest.mark.parametrize(
    ("scale", "frequency", "wavelength"),
    [
        (1e-100, "10⁻¹⁰²", "6.28318530718·10¹⁰²"),
        (-1e-77, "−10⁻⁷⁹", "6.28318530718·10⁷⁹"),
        (5e-324, "0", "infinite"),
    ],
)
def test_waves_far_longer_than_all_positions(inspector, model, scale, frequency, wavelength):
    go(model, encoding=encodings.create("sinusoidal", dim=4, scale=scale), dimension=2)
    assert inspector.values["Frequency in rad per position"].text() == frequency
    assert inspector.values["Wavelength in positions"].text() == wavelength


def test_typed_cursor(inspector, model, qtbot):
    enter_text(qtbot, inspector.fields["position"], "2^53")
    enter_text(qtbot, inspector.fields["dimension"], "127")
    assert (model.state.position, model.state.dimension) == (2**53, 127)
    qtbot.keyClick(inspector.fields["dimension"], Qt.Key.Key_Down)
    assert model.state.dimension == 126


def test_arrow_keys_take_the_shown_positions_along(inspector, model, qtbot):
    go(model, start=100, count=50, position=149)
    qtbot.keyClick(inspector.fields["position"], Qt.Key.Key_PageUp)
    assert (model.state.position, model.state.start) == (154, 105)
    qtbot.keyClick(inspector.fields["position"], Qt.Key.Key_Down)
    assert (model.state.position, model.state.start) == (153, 105)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("position", "9007199254740993"),
        ("position", "x"),
        ("dimension", "128"),
        ("dimension", "-1"),
        ("dimension", ""),
    ],
)
def test_a_cursor_that_is_nowhere_is_refused(inspector, model, qtbot, field, text):
    line = inspector.fields[field]
    with qtbot.waitSignal(inspector.refused):
        line.setFocus()
        line.selectAll()
        qtbot.keyClick(line, Qt.Key.Key_Delete)
        enter_text(qtbot, line, text)
    assert (model.state.position, model.state.dimension) == (0, 0)
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "0"


def test_limits_of_the_dimension_follow_the_width(inspector, model, qtbot):
    go(model, encoding=encodings.create("sinusoidal", dim=4096))
    enter_text(qtbot, inspector.fields["dimension"], "4095")
    assert model.state.dimension == 4095
    go(model, encoding=encodings.create("sinusoidal", dim=4))
    assert inspector.fields["dimension"].text() == "3"


@pytest.mark.parametrize("position", [0, 10**15, -(2**53)])
@pytest.mark.parametrize("dim", [2, 512, 4095])
def test_nothing_moves_or_clips_at_the_least_width(inspector, model, position, dim):
    places = [widget.geometry() for widget in inspector.findChildren(QWidget) if widget.isVisible()]
    e = encodings.create("sinusoidal", dim=dim, base=123456789.123, scale=-3.75)
    go(model, encoding=e, position=position, dimension=dim - 1)
    assert [
        widget.geometry() for widget in inspector.findChildren(QWidget) if widget.isVisible()
    ] == places
    for label in inspector.findChildren(QLabel):
        if label.isVisible():
            assert (
                label.fontMetrics().horizontalAdvance(
                    label.text().replace("<i>", "").replace("</i>", "")
                )
                <= label.width()
            )
    assert not inspector.formula.verticalScrollBar().isVisible()


def test_a_long_name_of_a_pin_leaves_room_for_the_numbers(inspector, model):
    name = "<b>" + "long " * 11
    go(model, pins=(Pin(encodings.create("sinusoidal", base=100.0), name),))
    inspector.show_view("frequencies")
    QApplication.processEvents()
    (long,) = (each for each in inspector.values if each.startswith("ω of"))
    label = inspector.values[long]
    assert label.text()
    right = label.mapTo(inspector, label.rect().topRight()).x()
    assert label.width() > 80
    assert right < inspector.width()
    (caption,) = (each for each in inspector.findChildren(QLabel) if "ω of" in each.text())
    assert caption.text().startswith("ω of &lt;b&gt;long")
    assert escaped(long) in caption.toolTip()


def test_detached_it_stands_still(inspector, model):
    inspector.detach()
    go(model, position=9)
    assert inspector.fields["position"].text() == "0"
    inspector.attach(model)
    assert inspector.fields["position"].text() == "9"


# -- encodings of another kind ---------------------------------------------------------------------


def captions(inspector):
    return tuple(inspector.captions[name].text() for name in ("Position", "Dimension"))


@every_encoding
def test_fields_are_called_and_limited_as_rows_and_columns_are(inspector, model, name, qtbot):
    e = sample(name)
    go(model, encoding=e, dimension=e.width - 1)
    row, column = ((axis.name.capitalize(), axis.symbol) for axis in (e.rows, e.columns))
    assert captions(inspector) == (f"{row[0]} <i>{row[1]}</i>", f"{column[0]} <i>{column[1]}</i>")
    assert inspector.fields["position"].accessibleName() == row[0]
    assert e.columns.name in inspector.fields["dimension"].toolTip().lower()
    assert row[0] in inspector.captions["Position"].toolTip()
    with qtbot.waitSignal(inspector.refused) as refused:
        enter_text(qtbot, inspector.fields["dimension"], str(e.width))
    assert column[0] in refused.args[0]


@every_encoding
def test_nothing_of_the_encoding_before_stays(inspector, model, name):
    go(model, encoding=encodings.create("sinusoidal"), position=1007, dimension=3)
    before = {label.text() for label in inspector.values.values()} | {inspector.formula.typed}
    assert "" not in before
    go(
        model,
        encoding=sample(name, dim=6, head_dim=6, base=77.0, rope_theta=77.0),
        position=5,
        dimension=2,
    )
    after = {label.text() for label in inspector.values.values() if label.isVisible()}
    assert not before & (after | {inspector.formula.typed})
    go(model, encoding=Unknown("xpos", {}, "xpos is not known"))
    assert {label.text() for label in inspector.values.values()} == {""}
    assert inspector.formula.typed == ""
    assert "xpos is not known" in inspector.lack.text()
    assert captions(inspector) == ("Position <i>p</i>", "Dimension <i>j</i>")


# -- other views -----------------------------------------------------------------------------------


def visible_fields(inspector):
    return [name for name, field in inspector.fields.items() if field.isVisible()]


def test_its_fields_are_those_that_the_view_reads(inspector, qtbot):
    assert visible_fields(inspector) == ["position", "dimension"]
    inspector.show_view("distances")
    assert visible_fields(inspector) == ["position", "second", "reference"]
    inspector.show_view("clocks")
    assert visible_fields(inspector) == ["position", "dimension"]
    for field in inspector.fields.values():
        assert field.accessibleName()
        assert field.toolTip()


def test_both_positions_and_the_reference_are_typed(inspector, model, qtbot):
    inspector.show_view("distances")
    for name, text in (("position", "7"), ("second", "30"), ("reference", "2")):
        enter_text(qtbot, inspector.fields[name], text)
    assert (model.state.position, model.state.second, model.state.reference) == (7, 30, 2)
    model.announce()
    rows = model.state.encoding.table([7, 30])
    cosine = 1 - rows[0] @ rows[1] / 64
    assert value_of(inspector.values["d(p, q)"].text()) == pytest.approx(cosine)
    assert not inspector.formula.isVisible()


@pytest.mark.parametrize("name", ["second", "reference"])
def test_arrow_keys_change_what_the_cursor_is_compared_with(inspector, model, qtbot, name):
    inspector.show_view("distances")
    go(model, encoding=encodings.create("sinusoidal"))
    before = getattr(model.state, name)
    for key, moved in ((Qt.Key.Key_Up, 1), (Qt.Key.Key_PageUp, 6), (Qt.Key.Key_Down, 5)):
        qtbot.keyClick(inspector.fields[name], key)
        assert getattr(model.state, name) == before + moved
    go(model, encoding=sample("learned"), **{name: 0})
    qtbot.keyClick(inspector.fields[name], Qt.Key.Key_Down)
    assert getattr(model.state, name) == 0  # there is no row before it


def test_an_undefined_distance_says_why(inspector, model):
    inspector.show_view("distances")
    go(model, encoding=encodings.create("index"), position=0)
    assert inspector.values["d(p, q)"].text() == "undefined"
    assert "zeros" in inspector.lack.text()
    assert inspector.lack.isVisible()
    assert not inspector.copy.isEnabled()


@pytest.fixture
def threads(monkeypatch):
    """Return the threads in which distances are computed from now on."""
    found, own = [], distance.between

    def between(*arguments):
        found.append(threading.get_ident())
        return own(*arguments)

    monkeypatch.setattr(distance, "between", between)
    return found


def test_what_takes_long_is_computed_beside(inspector, model, qtbot, threads):
    inspector.show_view("distances")
    threads.clear()
    go(model, encoding=encodings.create("sinusoidal", dim=65_536), metric="manhattan", second=3)
    qtbot.waitUntil(lambda: model.worker.idle)
    rows = model.state.encoding.table([0, 3])
    assert value_of(inspector.values["d(p, q)"].text()) == pytest.approx(
        abs(rows[0] - rows[1]).sum()
    )
    assert threads
    assert threading.get_ident() not in threads
    threads.clear()
    go(model, encoding=encodings.create("sinusoidal", dim=64))
    assert set(threads) == {threading.get_ident()}


def test_while_it_takes_long_there_are_dots(inspector, model, qtbot):
    inspector.show_view("distances")
    go(model, encoding=encodings.create("sinusoidal", dim=65_536), metric="manhattan")
    inspector.copy_value()
    assert inspector.values["d(p, q)"].text() == "…"
    with qtbot.waitSignal(inspector.reported) as report:
        pass
    copied = QApplication.clipboard().text()
    assert float(copied) == value_of(inspector.values["d(p, q)"].text())
    assert report.args[0] == f"d(p, q) copied: {copied}."


@pytest.mark.parametrize(("view", "unit"), [("heatmap", ""), ("distances", ""), ("clocks", "°")])
def test_the_button_copies_the_number_with_all_its_digits(inspector, model, qtbot, view, unit):
    inspector.show_view(view)
    go(model, position=20, dimension=9, second=7)
    with qtbot.waitSignal(inspector.reported):
        qtbot.mouseClick(inspector.copy, Qt.MouseButton.LeftButton)
    main = inspector.values[inspector.picture.main_number].text()
    assert QApplication.clipboard().text() + unit == main
    assert inspector.copy.toolTip()
    assert inspector.copy.accessibleName() == "Copy value"


def test_where_there_is_nothing_to_copy_it_says_so(inspector, model, qtbot):
    QApplication.clipboard().setText("before")
    go(model, encoding=Unknown("xpos", {}, "xpos is not known"))
    with qtbot.waitSignal(inspector.reported) as report:
        inspector.copy_value()
    assert report.args[0].startswith("Nothing was copied. ")
    assert QApplication.clipboard().text() == "before"


def test_hidden_it_reads_nothing_until_it_is_shown(inspector, model, monkeypatch):
    inspector.hide()
    with monkeypatch.context() as patch:
        patch.setattr(inspector.picture, "inspect", pytest.fail)
        go(model, position=9)
    inspector.show()
    assert inspector.fields["position"].text() == "9"
    value = model.state.encoding.value(9, 0)
    assert inspector.values["Value"].text() == repr(value)


def test_another_dimension_does_not_stop_it(inspector, model, qtbot):
    model.playhead.play()
    qtbot.keyClick(inspector.fields["dimension"], Qt.Key.Key_PageUp)
    assert model.state.dimension == 12
    assert model.playhead.playing
    qtbot.keyClick(inspector.fields["dimension"], Qt.Key.Key_PageDown)
    qtbot.keyClick(inspector.fields["dimension"], Qt.Key.Key_PageDown)
    assert model.state.dimension == 0
