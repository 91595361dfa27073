"""Sends one event after the other from inside the event loop, within menus and dialogs, too."""

import gc
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Slot

from tests.endurance import by_files, by_gallery, by_hand, by_menu, plants
from tests.endurance.desk import Desk, alive
from tests.endurance.faults import Faults, memory
from tests.endurance.freezes import OPENING, Stopwatch
from tests.endurance.kinds import Event, chosen
from tests.endurance.reached import Reached

MOST_MEMORY = 1000  # MB
_MOST_GROWTH = 100  # MB from the third quarter of the events to the last: caches are full by then
_LOOKS = 16  # at the memory; growth is told from no fewer
_LOADED = (by_hand, by_menu, by_gallery, by_files)  # the modules that register events
_LONGEST_POPUP, _LONGEST_DIALOG = 6, 10  # events for which one stays open
_SLICE = 5  # milliseconds of a pause after which freezes are looked for
_LOOK = 100  # events between two looks at the memory


@dataclass(frozen=True)
class Plan:
    """What is to be done: the seed, the numbers of the events in order, what is planted."""

    seed: int
    numbers: Sequence[int]
    plant: Sequence[str]


class Driver(QObject):
    """Begins an event whenever the event loop, or one nested in it, has nothing else to do."""

    def __init__(self, desk: Desk, faults: Faults, plan: Plan, longest_turn: float) -> None:
        super().__init__()
        self._desk, self._faults, self._plan = desk, faults, plan
        self._left = iter(plan.numbers)
        self._begun = 0
        self._kind = OPENING
        self._memory: list[int] = []
        self.reached = Reached()
        self._ended = False
        self._open: list[Event] = []
        """Events that have not ended; all but the last are in a loop nested in the program."""
        self._over: tuple[object, int] = (None, 0)
        """The popup or dialog that is open, and how many events had begun then."""
        self._stopwatch = Stopwatch(longest_turn)
        self._rest = 0
        """Milliseconds for which the event loop has its turn before the event goes on."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        """Begin with the next turn of the event loop."""
        self._timer.start()

    def close(self) -> None:
        """End; no event is begun any more, and nothing of the window is held."""
        if len(self._memory) >= _LOOKS:
            # The least of each, as a worker has arrays now and then.
            half, rest = len(self._memory) // 2, 3 * len(self._memory) // 4
            growth = min(self._memory[rest:]) - min(self._memory[half:rest])
            self._faults.expect("MB more than a quarter of the events before", growth, _MOST_GROWTH)
        self._timer.stop()
        self._stopwatch.close()
        self._ended = True
        self._open.clear()
        self._over = (None, 0)

    @Slot()
    def _turn(self) -> None:
        self._look_for_freeze()
        self._timer.start(0)  # first: the event may open a loop of its own
        if self._rest > 0:
            self._rest -= _SLICE
            self._timer.start(_SLICE)
            return
        if not self._open and self._look_after():
            return
        resting = [event for event in self._open if not event.gi_running]
        event = resting[-1] if resting else self._begin()
        if event is None:
            self.close()
            self._desk.app.exit(0)
        else:
            self._go_on(event)

    def _go_on(self, event: Event) -> None:
        self._faults.wait_anew()
        try:
            pause = next(event)
            if isinstance(pause, str):  # what it is going to do: the process may not live on
                self._faults.say(pause)
                pause = next(event, 0)
            if not self._ended:  # by the last event, in a loop within this one
                self._timer.start(0)  # anew: what the event asked for comes before the next one
                self._rest = pause
        except StopIteration:
            pass
        except Exception as error:
            self._faults.add_exception("in an event", error)
        if event.gi_frame is None and event in self._open:
            self._open.remove(event)

    def _begin(self) -> Event | None:
        """Return the next event, None when there were enough."""
        if self._desk.is_open:
            self.reached.look(self._desk.window)
        number = next(self._left, None)
        if number is None:
            return None
        self._faults.event = number
        self._begun += 1
        self._close_what_stays()
        kind, pick = chosen(self._plan.seed, number)
        self._faults.say(kind.name)
        self._kind = kind.name
        for name in self._plan.plant:
            plants.plant(name, number, self._desk)
        event = kind.begin(self._desk, pick)
        self._open.append(event)
        return event

    def _look_for_freeze(self) -> None:
        """Note a turn in which the window answered too late, and begin to measure the next."""
        if details := self._stopwatch.freeze(self._kind):
            self._faults.add(f"the window froze in {self._kind}", details, unsure=True)
        self._stopwatch.begin()

    def _look_after(self) -> bool:
        """Look at the memory now and then; return whether a window had to be opened."""
        if self._begun >= _LOOK * (len(self._memory) + 1):
            gc.collect()
            self._memory.append(memory())
            self._faults.expect("MB of memory", self._memory[-1], MOST_MEMORY)
        if self._desk.is_open or self._desk.top.isVisible():
            self._stopwatch.begin()
            return False
        _, pick = chosen(self._plan.seed, self._faults.event)
        self._desk.reopen(pick)
        self._kind = OPENING
        return True

    def _close_what_stays(self) -> None:
        """Close a menu or a dialog that has been open for many events: all would be in it."""
        top, begun = self._desk.top, self._begun
        if top is self._desk.window or top is not self._over[0]:
            self._over = (top, begun)
            return
        longest = _LONGEST_DIALOG if top is self._desk.dialog else _LONGEST_POPUP
        if begun - self._over[1] > longest and alive(top):
            top.reject() if top is self._desk.dialog else top.close()
