"""The kinds of events by name, and how they are chosen.

An event is a generator. It first yields what it is about to do, in words, for the journal that
outlives a crash, and then does it. What it yields later is a number of milliseconds for which
the event loop has its turn before it goes on.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from random import Random

from tests.endurance.desk import Desk

Event = Generator[str | int, None, None]
Begin = Callable[[Desk, Random], Event]


@dataclass(frozen=True)
class Kind:
    """A kind of event; one of twice the weight comes twice as often."""

    name: str
    weight: float
    begin: Begin


KINDS: dict[str, Kind] = {}


def kind(weight: float, in_dialogs: Begin | None = None) -> Callable[[Begin], Begin]:
    """Return a decorator that registers a function as a kind of event.

    If `in_dialogs` is given, that is sent in its place while a dialog is open.
    """

    def register(begin: Begin) -> Begin:
        def event(desk: Desk, pick: Random) -> Event:
            yield from (in_dialogs if in_dialogs and desk.dialog else begin)(desk, pick)

        KINDS[begin.__name__] = Kind(begin.__name__, weight, event)
        return begin

    return register


def chosen(seed: int, number: int) -> tuple[Kind, Random]:
    """Return the kind of an event, and the random numbers that it may use.

    Both depend on nothing else, so that a seed replays the same events whatever the worker's
    threads were doing, and however long it took.
    """
    pick = Random(f"{seed} {number}")
    kinds = list(KINDS.values())
    return pick.choices(kinds, [kind.weight for kind in kinds])[0], pick
