"""The kinds of events by name, and how they are chosen.

An event is a generator. It first yields what it is going to do, in words, for the journal that
outlives a crash, and then does it. What it yields later is a number of milliseconds for which
the event loop runs before it goes on.
"""

from random import Random
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """A kind of event; one of twice the weight comes twice as often."""

    name: str
    weight: float
    begin: Any


KINDS = {}


def kind(weight, in_dialogs=None, on=None):
    """Return a decorator that registers a function of desk and random numbers as a kind of event.

    If `in_dialogs` is given, that is sent in its place while a dialog is open. If `on` is given, it
    returns widgets of a desk, of which the function gets one; without any, a key is pressed.
    """

    def register(begin):
        def event(desk, pick):
            if in_dialogs and desk.dialog:
                yield from in_dialogs(desk, pick)
            elif on is None:
                yield from begin(desk, pick)
            elif widgets := on(desk):
                yield from begin(desk, pick, pick.choice(widgets))
            else:
                yield from instead(desk, pick)

        KINDS[begin.__name__] = Kind(begin.__name__, weight, event)
        return event

    return register


def instead(desk, pick):
    pressed = KINDS["key"].begin(desk, pick)
    yield f"not possible; {next(pressed)}"
    yield from pressed


def chosen(seed, number):
    """Return the kind of an event, and the random numbers that it may use.

    Both depend on nothing else, so that a seed replays the same events whatever the worker's
    threads were doing, and however long it took.
    """
    pick = Random(f"{seed} {number}")
    kinds = list(KINDS.values())
    return pick.choices(kinds, [kind.weight for kind in kinds])[0], pick
