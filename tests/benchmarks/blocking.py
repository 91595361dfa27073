"""The longest time for which an action of the user blocks the GUI thread."""

from PySide6.QtWidgets import QApplication

from tests.app import scenario
from tests.app.scenario import call
from tests.benchmarks.measure import Row
from tests.benchmarks.window import Window

ALLOWED = 0.05
ROUNDS = 3


def blocking():
    """Run two scenarios several times; report the slowest step, by the best time of each step."""
    for name, steps in (("blocking", scenario.steps), ("blocking-wide", wide_steps)):
        window, best = Window(), {}
        for _ in range(ROUNDS):
            for seconds, step in scenario.run(window.window, steps):
                best[step] = min(best.get(step, seconds), seconds)
            window.window.editing.reset()
        window.close()
        worst = sorted(best, key=best.get, reverse=True)
        for step in worst[:5]:
            print(f"blocked {best[step] * 1e3:.0f} ms: {step}")
        longest = best[worst[0]]
        yield Row(name, longest * 1e3, "ms", longest / ALLOWED)


def wide_steps(window):
    """Yield (name, action) for many rows, values and angles, pins, and a dragged base."""
    model = window.model
    for dim in (4096, 65_536):
        for quantity in ("angle", "value"):
            yield f"{quantity} of {dim}", call(model.set_options, "heatmap", quantity=quantity)
            yield f"{quantity}, dim {dim}", call(model.set_encoding, "sinusoidal", dim=dim)
            for count in (1, 15, 240, 10**6, 50):
                yield f"{quantity}, {count} of {dim}", call(model.set, start=0, count=count)
            for base in (500.0, 1e4):
                yield f"{quantity} of {dim}, base {base:g}", call(model.set_encoding, base=base)
    model.set_encoding("sinusoidal", dim=4096)
    model.set(count=10**6)
    for name in ("first pin", "second pin"):
        yield name, call(scenario.trigger, window, "pin")
        yield f"{name}, another base", call(model.set_encoding, base=300.0)
    yield "a base that is dragged", call(_drag_base, model)
    model.set(pins=(), count=50)
    model.set_encoding("sinusoidal", dim=128)


def _drag_base(model):
    for step in range(30):
        model.set_encoding(base=1000.0 + step)
        QApplication.processEvents()


BENCHMARKS = (blocking,)
