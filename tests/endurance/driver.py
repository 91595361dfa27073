"""Sends one event after the other from inside the event loop, within menus and dialogs, too."""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

from tests.endurance import by_gallery, by_hand, by_menu
from tests.endurance.desk import alive, chosen
from tests.endurance.faults import memory
from tests.endurance.freezes import OPENING, Stopwatch
from tests.endurance.plants import plant

MOST_MEMORY = 1000  # MB
_MOST_GROWTH = 100  # MB from the third quarter of the events to the last: caches are full by then
_LOOKS = 16  # at the memory; growth is told from no fewer
_LOADED = (by_hand, by_menu, by_gallery)  # the modules that register events
_LONGEST_POPUP, _LONGEST_DIALOG = 6, 10  # events for which one stays open
_SLICE = 5  # milliseconds of a pause after which freezes are looked for
_LOOK = 100  # events between two looks at the memory


class Driver(QObject):
    """Begins an event whenever the event loop, or one nested in it, has nothing else to do."""

    def __init__(self, desk, faults, seed, numbers, planted, longest_turn):
        super().__init__()
        self._desk, self._faults, self._seed, self._planted = desk, faults, seed, planted
        self._left = iter(numbers)
        self._begun = 0
        self._kind = OPENING
        self._memory = []
        self._ended = False
        self._open = []
        """Events that have not ended; all but the last are in a loop nested in the program."""
        self._over = (None, 0)
        """The popup or dialog that is open, and how many events had begun then."""
        self._stopwatch = Stopwatch(longest_turn)
        self._rest = 0
        """Milliseconds for which the event loop runs before the event goes on."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._turn)

    def start(self):
        self._timer.start()

    def close(self):
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
    def _turn(self):
        if details := self._stopwatch.freeze(self._kind):
            self._faults.add(f"the window froze in {self._kind}", details, unsure=True)
        self._stopwatch.begin()
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

    def _go_on(self, event):
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

    def _begin(self):
        number = next(self._left, None)
        if number is None:
            return None
        self._faults.event = number
        self._begun += 1
        self._close_what_stays()
        self._kind, begin, pick = chosen(self._seed, number)
        self._faults.say(self._kind)
        for name in self._planted:
            plant(name, number, self._desk)
        event = begin(self._desk, pick)
        self._open.append(event)
        return event

    def _look_after(self):
        """Look at the memory now and then; return whether a window had to be opened."""
        if self._begun >= _LOOK * (len(self._memory) + 1):
            gc.collect()
            self._memory.append(memory())
            self._faults.expect("MB of memory", self._memory[-1], MOST_MEMORY)
        if self._desk.is_open or self._desk.top.isVisible():
            self._stopwatch.begin()
            return False
        self._desk.reopen(chosen(self._seed, self._faults.event)[-1])
        self._kind = OPENING
        return True

    def _close_what_stays(self):
        """Close a menu or a dialog that has been open for many events: all would be in it."""
        top, begun = self._desk.top, self._begun
        if top is self._desk.window or top is not self._over[0]:
            self._over = (top, begun)
            return
        longest = _LONGEST_DIALOG if top is self._desk.dialog else _LONGEST_POPUP
        if begun - self._over[1] > longest and alive(top):
            top.reject() if top is self._desk.dialog else top.close()
