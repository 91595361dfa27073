"""The lock of the cursor: the mouse leaves it alone, everything else moves it."""


def test_locked_only_the_mouse_leaves_the_cursor_alone(model, qtbot):
    before = model.state
    model.point_at(position=7)
    assert model.preview.position == 7
    with qtbot.waitSignal(model.lock.changed) as change:
        model.lock.toggle()
    assert change.args == [True]
    assert (model.preview, model.state) == (None, before)  # the lock is no part of it
    model.point_at(position=7)
    with qtbot.waitSignal(model.refused) as refusal:
        model.pick(position=7)
    assert "locked" in refusal.args[0]
    assert (model.preview, model.state) == (None, before)
    model.playhead.step_forward()
    assert model.state.position == 1
    model.set(position=9)
    assert model.state.position == 9
    model.lock.toggle()
    model.pick(position=7)
    assert model.state.position == 7
