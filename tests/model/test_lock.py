"""The lock of the cursor: the mouse leaves it alone, everything else moves it."""


def test_locked_the_mouse_neither_previews_nor_sets(model, qtbot):
    model.lock.set(True)
    before = model.state
    model.point_at(position=7)
    with qtbot.waitSignal(model.refused) as refusal:
        model.pick(position=7)
    assert "locked" in refusal.args[0]
    assert model.preview is None
    assert model.state == before


def test_locked_it_still_plays_steps_and_is_typed(model):
    model.lock.set(True)
    model.playhead.step_forward()
    assert model.state.position == 1
    model.set(position=9)
    assert model.state.position == 9


def test_a_preview_ends_when_it_is_locked(model, qtbot):
    model.point_at(position=7)
    assert model.preview.position == 7
    with qtbot.waitSignal(model.lock.changed) as change:
        model.lock.toggle()
    assert change.args == [True]
    assert model.preview is None
    model.lock.toggle()
    model.pick(position=7)
    assert model.state.position == 7


def test_the_lock_is_no_part_of_the_exploration(model):
    before = model.state
    model.lock.set(True)
    assert model.state == before
