import gc
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from PySide6.QtGui import QUndoCommand

from pe_explorer import encodings, pictures
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Exploration, Pin, make_difference_name
from pe_explorer.model import Model, history as module
from pe_explorer.model.history import History
from pe_explorer.params import declared


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test moves."""
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def history(qapp, clock, model):
    return History(model)


def change(model, clock, later=10.0, **fields):
    clock.now += later
    model.set(**fields)
    model.emit_changes()


def document(state):
    """Return the part of a state that undo restores."""
    return state.with_(position=0, dimension=0)


CHANGES = st.one_of(
    st.fixed_dictionaries({"start": st.integers(-100, 100), "count": st.integers(1, 1000)}),
    st.fixed_dictionaries({"count": st.integers(1, 1000)}),
    st.fixed_dictionaries({"reference": st.integers(-5, 5)}),
    st.fixed_dictionaries({"metric": st.sampled_from(["dot", "cosine"])}),
    st.fixed_dictionaries({"position": st.integers(-9, 9)}),
    st.builds(
        lambda dim, base: {"encoding": encodings.create("sinusoidal", dim=dim, base=base)},
        st.integers(1, 9),
        st.sampled_from([2.0, 1e4]),
    ),
    st.builds(
        lambda name: {"encoding": encodings.create(name)}, st.sampled_from(encodings.names())
    ),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    changes=st.lists(st.tuples(CHANGES, st.sampled_from([0.1, 10.0])), max_size=12),
    steps=st.lists(st.booleans(), max_size=30),
)
def test_undo_and_redo_restore_any_changes(qapp, clock, changes, steps):
    model = Model()
    history = History(model)
    stack = history.stack
    seen = {0: document(model.state)}
    for fields, later in changes:
        change(model, clock, later, **fields)
        seen[stack.index()] = document(model.state)
        seen = {index: state for index, state in seen.items() if index <= stack.index()}
    for back in [*steps, *[True] * len(changes)]:
        (history.undo if back else history.redo)()
        model.emit_changes()
        assert document(model.state) == seen[stack.index()]
    assert stack.index() == 0
    for _ in changes:
        history.redo()
    assert document(model.state) == seen[stack.count()]


def test_fast_changes_are_merged_and_1000_steps_are_stored(history, clock, model):
    for later, steps in ((0.0, 1), (0.8, 1), (0.81, 2), (0.1, 2)):
        change(model, clock, later, count=model.state.count + 1)
        assert history.stack.count() == steps
        clock.now = later if later == 0.8 else clock.now
    for step in range(1100):
        change(model, clock, start=step + 1)
    assert history.stack.count() == 1000
    for _ in range(1001):
        history.undo()
    assert model.state.start == 100


def steps_in_memory():
    gc.collect()
    return sum(isinstance(get_object, QUndoCommand) for get_object in gc.get_objects())


@pytest.mark.parametrize("held", [True, False], ids=["held", "typed"])
def test_a_long_drag_leaves_one_step_in_memory(history, clock, model, held):
    before = steps_in_memory()
    if held:
        model.gesture.begin()
    for frame in range(3000):
        change(model, clock, 0.01, encoding=encodings.create("sinusoidal", base=5.0 + frame))
    model.gesture.end()
    assert (history.stack.count(), steps_in_memory() - before) == (1, 1)
    history.undo()
    assert model.state.encoding == encodings.create("sinusoidal")
    history.redo()
    assert model.state.encoding.base == 3004.0


def test_a_drag_back_to_its_start_leaves_no_step(history, clock, model):
    before, texts = steps_in_memory(), []
    history.stack.undoTextChanged.connect(texts.append)
    for count in (60, 70, 60, 50):
        change(model, clock, 0.01, count=count)
    assert (history.stack.count(), steps_in_memory() - before) == (0, 0)
    assert not history.stack.canUndo()
    assert texts[-1] == ""


@pytest.mark.parametrize("metric", ["euclidean", "cosine"], ids=["on", "back"])
def test_a_drag_after_undo_cannot_be_redone(history, clock, model, metric):
    before = steps_in_memory()
    change(model, clock, metric="dot")
    change(model, clock, 0.1, count=8)
    history.undo()
    model.emit_changes()
    redo = []
    history.stack.canRedoChanged.connect(redo.append)
    change(model, clock, 0.1, metric=metric)
    remaining = 0 if metric == "cosine" else 1  # the drag started with cosine
    assert (history.stack.count(), steps_in_memory() - before) == (remaining, remaining)
    assert (history.stack.canRedo(), redo[-1]) == (False, False)
    history.undo()
    assert (model.state.metric, model.state.count) == ("cosine", 50)


def test_saving_during_a_drag_starts_another_step(history, clock, model):
    before, clean = steps_in_memory(), []
    history.stack.cleanChanged.connect(clean.append)
    change(model, clock, count=60)
    change(model, clock, 0.01, count=61)
    assert (history.stack.isClean(), set(clean)) == (False, {False})
    history.undo()
    assert (history.stack.isClean(), model.state.count) == (True, 50)
    history.redo()
    history.stack.setClean()
    change(model, clock, 0.01, count=62)
    change(model, clock, 0.01, count=63)
    assert not history.stack.isClean()
    assert (history.stack.count(), steps_in_memory() - before) == (2, 2)
    history.undo()
    assert history.stack.isClean()
    assert model.state.count == 61


def test_a_continued_drag_updates_the_undo_text(history, clock, model):
    texts, places = [], []
    history.stack.undoTextChanged.connect(texts.append)
    history.stack.indexChanged.connect(places.append)
    change(model, clock, metric="dot")
    change(model, clock, encoding=encodings.create("sinusoidal", base=7.0))
    change(model, clock, 0.01, encoding=encodings.create("sinusoidal", base=8.0))
    assert history.stack.text(1) == "base 8"
    change(model, clock, 0.01, encoding=encodings.create("sinusoidal", base=9.0, dim=4))
    # never the name of the previous step
    assert texts == ["metric", "base", "base", "several changes"]
    assert places == [1, 2, 2, 2]  # the list of steps shows each of them


def test_undo_does_not_move_the_cursor(history, clock, model):
    change(model, clock, metric="dot")
    change(model, clock, position=33, dimension=5)
    assert history.stack.count() == 1
    history.undo()
    actual = (model.state.metric, model.state.position, model.state.dimension)
    assert actual == ("cosine", 33, 5)
    model.emit_changes()
    model.set(metric="dot")  # not announced yet
    history.undo()
    assert model.state.metric == "cosine"
    history.redo()
    assert model.state.metric == "dot"


def sinusoidal(**parameters):
    return {"encoding": encodings.create("sinusoidal", **parameters)}


NAMES = [
    ({"start": 3000}, "move", "move to 3,000"),
    ({"count": 3000}, "zoom", "zoom to 3,000 positions"),
    ({"start": 1, "count": 3}, "zoom", "zoom to 3 positions"),
    ({"metric": "dot"}, "metric", "metric dot product"),
    (sinusoidal(dim=4), "width", "width 4"),
    (sinusoidal(base=5890000), "base", "base 5,890,000"),
    (sinusoidal(dim=4, base=2), "several changes", "several changes"),
    ({"encoding": encodings.create("binary")}, "encoding binary", "encoding binary"),
    ({"encoding": encodings.create("binary"), "count": 3}, "several changes", "several changes"),
    ({"encoding": encodings.create("alibi")}, "encoding ALiBi", "encoding ALiBi"),
]


def test_steps_have_names(history, clock, model):
    for fields, text, listed in NAMES:
        change(model, clock, **fields)
        assert (history.stack.undoText(), history.stack.text(0)) == (text, listed)
        history.undo()
        model.emit_changes()
    model.set_options("heatmap", values="viridis")
    model.emit_changes()
    assert history.stack.undoText() == "Heatmap colours"
    change(model, clock, encoding=encodings.create("learned"))
    change(model, clock, encoding=encodings.create("learned", file="/home/someone/wpe.npy"))
    assert history.stack.text(2) == "file wpe.npy"  # without its folder
    model.set_encoding("alibi")
    model.emit_changes()
    assert (model.state.start, history.stack.text(3)) == (-49, "encoding ALiBi")
    change(model, clock, count=20)
    assert history.stack.text(4) == "zoom to 20 offsets"
    change(model, clock, encoding=encodings.create("alibi", symmetric=True))
    assert history.stack.text(5) == "symmetric on"
    for _ in range(3):
        history.undo()
    assert model.state.start == 0


def test_changes_around_drags_and_exhibits_are_separate_steps(history, clock, model):
    model.set(count=60)
    model.gesture.begin()
    model.set(count=70)
    model.gesture.begin()  # it has already begun
    model.set(count=80)
    model.gesture.end()
    model.set(count=90)
    model.gesture.end()
    model.apply(model.state.with_(count=9), "one")
    model.set(count=10)
    model.emit_changes()
    counts = []
    while history.stack.canUndo():
        counts.append((history.stack.undoText(), model.state.count))
        history.undo()
    assert counts == [("zoom", 10), ("one", 9), ("zoom", 90), ("zoom", 80), ("zoom", 60)]
    assert model.state.count == 50


def test_steps_of_pins_options_and_unknown_encodings_have_names(history, clock, model):
    e, long = encodings.create("index"), "x" * 29
    a, b, c = Pin(e, "a"), Pin(e, "b"), Pin(e, long, "teal")
    unknown = Unknown("spiral", {}, "it is not known")
    steps = (
        ({"pins": (a, b)}, "pin a"),
        ({"pins": (a, b, a)}, "pin a"),
        ({"pins": (a, b)}, "unpin a"),
        ({"pins": (a, b, c)}, f"pin {'x' * 27}…"),
        ({"compared": 2, "show": "difference"}, f"compare with {'x' * 27}…"),
        ({"pins": (b, a, c)}, "several pin changes"),
        ({"pins": (b, a, Pin(e, "x" * 28, "gold"))}, f"rename {'x' * 27}…"),
        ({"pins": (b, a, Pin(e, "x" * 28, "ink"))}, f"recolour {'x' * 28}"),
        ({"show": "current"}, declared(Exploration)["show"].label.lower()),
        ({"pins": ()}, "unpin b"),
        ({"encoding": unknown}, f"encoding {unknown.label}"),
        ({"encoding": e}, "encoding index"),
        ({"encoding": encodings.create("sinusoidal"), "metric": "dot"}, "encoding sinusoidal"),
        (
            {"encoding": encodings.create("sinusoidal", dim=8), "metric": "cosine"},
            "several changes",
        ),
        ({"reference": 3, "metric": "dot"}, "several changes"),
        ({"reference": 4, "pins": (a,)}, "several changes"),
    )
    for count, (fields, text) in enumerate(steps, 1):
        later = 0.1 if "pins" in fields else 10.0  # faster than the limit for merging
        change(model, clock, later, **fields)
        assert (history.stack.undoText(), history.stack.count()) == (text, count), fields
    change(model, clock, pins=(a, b), compared=0)
    change(model, clock, compared=1)
    change(model, clock, show="difference")
    shown = declared(Exploration)["show"].label.lower()
    listed = history.stack.text(history.stack.index() - 1)
    assert listed == f"{shown} {make_difference_name(model.state)}"
    change(model, clock, pins=())  # this also resets `compared` and `show`
    assert history.stack.undoText() == "unpin a"
    change(model, clock, start=1000, count=7, reference=1004, metric="cosine")
    clock.now += 10
    model.choose_encoding("alibi")  # this also changes these fields
    model.emit_changes()
    assert history.stack.undoText() == "encoding ALiBi"
    model.set_options("heatmap", pixel="sample", upward=True)
    model.emit_changes()
    assert history.stack.undoText() == "Heatmap several changes"
    clock.now += 10
    model.set_options("heatmap", first=7)
    model.emit_changes()
    label = declared(pictures.find("heatmap").Options)["first"].label.lower()
    assert history.stack.text(history.stack.index() - 1) == f"Heatmap {label}: 7"


def test_undo_restores_the_cursor_if_positions_became_offsets(history, clock, model):
    change(model, clock, position=20, dimension=5)
    clock.now += 10.0
    model.set_encoding("alibi")
    model.emit_changes()
    assert (model.state.start, model.state.position) == (-49, 0)
    for _ in range(2):
        change(model, clock, position=-30, dimension=2)
        history.undo()
        assert model.state.encoding.name == "sinusoidal"
        assert (model.state.start, model.state.position, model.state.dimension) == (0, 20, 5)
        change(model, clock, position=20)
        history.redo()
        assert model.state.encoding.name == "alibi"
        assert (model.state.start, model.state.position) == (-49, 0)
        assert model.state.position in model.state.positions


def test_undo_keeps_the_cursor_if_rows_are_the_same(history, clock, model):
    change(model, clock, position=20)
    clock.now += 10.0
    model.set_encoding("rope")
    change(model, clock, position=30)
    history.undo()
    assert model.state.position == 30


def test_undo_restores_the_opened_item(history, clock, model):
    one, another, first = object(), object(), model.state.count
    model.apply(model.state.with_(count=9, opened=one), "one")
    change(model, clock, count=10)
    model.apply(model.state.with_(count=11, opened=another), "another")
    actual = []
    for move in (*[history.undo] * 3, *[history.redo] * 3):
        move()
        model.emit_changes()
        actual.append((model.state.count, model.state.opened))
    assert actual == [(10, one), (9, one), (first, None), (9, one), (10, one), (11, another)]


def test_closing_the_opened_item_is_not_a_step(history, clock, model, qtbot):
    model.apply(model.state.with_(count=9, opened=(one := object())), "one")
    change(model, clock, count=10)
    with qtbot.waitSignal(model.changed):
        model.set(opened=None)
    assert history.stack.count() == 2
    history.undo()
    model.emit_changes()
    assert (model.state.count, model.state.opened) == (9, None)  # it stays closed
    history.undo()
    history.redo()
    model.emit_changes()
    assert model.state.opened is one
