"""How long the GUI thread is blocked at most, over everything that a user can do."""

from collections.abc import Iterator

from tests.benchmarks.measure import Row
from tests.benchmarks.window import Window
from tests.support import scenario

ALLOWED = 0.05
ROUNDS = 3


def blocking() -> Iterator[Row]:
    """Run the scenario some times; of each step the best counts, of all steps the worst."""
    yield _worst("blocking", scenario.steps)


def blocking_wide() -> Iterator[Row]:
    """The same for very wide encodings: their phases, angles, pins, and bases that change in a
    row.
    """
    yield _worst("blocking-wide", scenario.wide_steps)


def _worst(name: str, steps) -> Row:
    window = Window()
    best: dict[str, tuple[float, str]] = {}
    for _ in range(ROUNDS):
        for seconds, step, where in scenario.run(window.window, steps):
            best[step] = min(best.get(step, (seconds, where)), (seconds, where))
        window.window.navigation.reset()
    window.close()
    worst = sorted(
        ((seconds, step, where) for step, (seconds, where) in best.items()), reverse=True
    )
    for seconds, step, where in worst[:5]:
        print(f"blocked {seconds * 1e3:.0f} ms: {step} ({where})")
    return Row(name, worst[0][0] * 1e3, "ms", "50 ms", worst[0][0] / ALLOWED, "1 or less")


BENCHMARKS = (blocking, blocking_wide)
