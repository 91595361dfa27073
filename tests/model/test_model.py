import re

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Panes, resolve
from pe_explorer.model import Exploration, Model
from tests.support.gestures import settle
from tests.support.tables_in_files import ROWS, numbers, put


class ModelRecorder:
    def __init__(self, model):
        self.changes, self.refusals = [], []
        model.changed.connect(self.change)
        model.refused.connect(self.refusals.append)

    def change(self, old, new):
        self.changes.append((old, new))


@pytest.fixture
def heard(model):
    return ModelRecorder(model)


def test_many_sets_are_announced_once(model, heard, monkeypatch):
    first, changes_before = model.state, []
    monkeypatch.setattr(
        model.worker, "yield_to_gui", lambda: changes_before.append(len(heard.changes))
    )
    for position in range(1, 501):
        assert model.set(position=position)
        assert model.state.position == position  # at once
    assert heard.changes == []
    settle()
    assert heard.changes == [(first, model.state)]
    settle()
    assert len(heard.changes) == 1
    assert changes_before == [0]  # tasks wait while it is painted


def test_equal_values_are_not_announced(model, heard):
    model.set(position=0)
    model.set(position=7)
    model.set(position=0)
    model.set_encoding(base=1e4)
    model.set_options("heatmap", quantity="value")
    model.replace(Exploration())
    settle()
    assert heard.changes == []


def test_a_set_from_within_an_announcement_is_announced_after_it(model, heard):
    class Greedy:
        def more(self, old, new):
            model.set(position=min(new.position + 1, 3))

    greedy = Greedy()
    model.changed.connect(greedy.more)
    model.set(position=1)
    settle()
    assert [(old.position, new.position) for old, new in heard.changes] == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize(
    ("setter", "words", "fields", "begins"),
    [
        ("set", (), {"start": 2**53 + 1}, r"Start: .* -2\^53 to 2\^53, got 9007199254740993\."),
        ("set", (), {"count": 0}, r"Count: .* got 0\."),
        ("set", (), {"position": float("nan")}, "Position: .* got nan"),
        ("set", (), {"start": 2**53}, r"Count: 50 .* 9,007,199,254,740,992 .* 2\^53.* 1\."),
        ("set", (), {"metric": "nearness"}, "Metric: .* got 'nearness'"),
        ("set_encoding", (), {"base": 1.0}, r"Base: .* got 1\."),
        ("set_encoding", ("fraction",), {"base": 5.0}, "Base: is not a parameter of fraction"),
        ("set_encoding", ("rotary",), {}, "Encoding: .* got 'rotary'"),
        ("set_options", ("heatmap",), {"pixel": "median"}, "Pixel: .* got 'median'"),
    ],
)
def test_invalid_values_are_refused_and_change_nothing(model, heard, setter, words, fields, begins):
    before = model.state
    assert getattr(model, setter)(*words, **fields) is False
    assert model.state is before
    (sentence,) = heard.refusals
    assert re.match(begins, sentence)
    assert sentence.endswith("?" if "Did you mean" in sentence else ".")
    settle()
    assert heard.changes == []


def test_unavailable_options_are_refused(model, heard, monkeypatch):
    monkeypatch.setattr(
        pictures, "unavailable_reason", lambda view, fields, state: f"{view}: {[*fields]}"
    )
    assert not model.set_options("projection", method="umap")
    assert heard.refusals == ["projection: ['method']"]
    assert model.state.options == {}


def test_a_closed_model_announces_nothing(model, heard):
    model.playhead.play()
    model.set(position=3)
    model.close()
    settle()
    assert heard.changes == []


def test_a_model_of_a_resolved_exploration_reads_no_file(qapp, tmp_path):
    state = Exploration(encodings.create("learned", file=str(tmp_path / "t.npy")))
    resolved = resolve(state, DirectStore())
    put(tmp_path / "t.npy", numbers())
    for first, rows in ((resolved, None), (state, ROWS)):
        model = Model(first)
        assert getattr(getattr(model.state.encoding, "file_content", None), "rows", None) == rows
        model.close()


def test_invalid_cursors_are_not_previewed(model):
    """A slot is called for every mouse move, so exceptions would be lost."""
    for cursor in ({"dimension": 2**20}, {"dimension": -1}, {"position": 2**60}):
        model.point_at(position=3)
        model.point_at(**cursor)
        assert model.preview is None
        assert model.state_at_pointer == model.state


def test_previews_are_announced_once_and_end_with_changes(model):
    heard, state = [], model.state
    model.previewed.connect(lambda: heard.append(model.preview))
    model.point_at(position=3, dimension=7)
    pointed = resolve(state.with_(position=3, dimension=7), DirectStore())
    assert model.preview == model.state_at_pointer == pointed
    assert (model.state, heard) == (state, [])
    for _ in range(2):
        settle()
        assert [item.position for item in heard] == [3]
    model.point_at(position=0)  # the position of the cursor
    settle()
    assert (model.preview, model.state_at_pointer, heard[1:]) == (None, model.state, [None])
    for end in (lambda: model.set(count=9), model.lock.toggle, model.playhead.play):
        model.point_at(position=4)
        settle()
        assert model.preview.position == 4
        end()
        assert model.preview is None
        model.lock.set(False)
    model.point_at(position=4)  # it is playing
    assert model.preview is None
    model.playhead.pause()


def test_pick_lock_replace_and_apply(model, heard):
    model.set_cursor(position=4, dimension=3)
    assert (model.state.position, model.state.dimension) == (4, 3)
    locks = []
    model.lock.changed.connect(locks.append)
    model.lock.toggle()
    model.lock.set(True)  # no effect
    model.set_cursor(position=5)
    assert (model.state.position, heard.refusals) == (4, [model.lock.LOCK_HINT])
    model.playhead.step_forward()  # the lock affects only the mouse
    assert model.state.position == 5
    model.lock.toggle()
    model.set_cursor(position=7)
    assert (model.state.position, locks) == (7, [True, False])
    model.replace(Exploration(panes=Panes(("heatmap", "clocks"), "beside")))
    model.replace(Exploration(count=8))
    assert model.state.panes.views == ("heatmap", "clocks")
    assert (model.state.count, model.state.position) == (8, 0)
    names = []
    model.changed.connect(lambda old, new: names.append(model.applied_step_name))
    model.apply(Exploration(count=9), "nine")
    model.set(count=10)
    model.emit_changes()
    assert names == ["", "nine", ""]
    assert model.choose_encoding("binary")
    assert (model.state.encoding.name, model.state.metric) == ("binary", "euclidean")
    assert not model.choose_encoding("no such")
    assert len(heard.refusals) == 2
