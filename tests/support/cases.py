"""Cases that differ in data only, as a loop within one test."""

import functools
import inspect
from itertools import product

import pytest

LONGEST_LINE = 150
FAILED = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""What ends a case; `pytest.raises` fails with the second, and a skip would end all the others."""


def for_each(names, values, ids=None):
    """Run a test for each of some values; takes what `pytest.mark.parametrize` takes.

    It goes on after a failure. In the end it fails with one line for each case that failed, below
    the traceback of the first. Of several such decorators all combinations are run. Each case has
    its own `monkeypatch` and its own folder `tmp_path`; other fixtures are made once for all cases.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    values = [value if _is_named(value) else pytest.param(*_row(names, value)) for value in values]
    own = list(ids) if ids is not None and not callable(ids) else [None] * len(values)
    rows = [
        (
            value.id or (_described(value.values, ids) if name is None else str(name)),
            dict(zip(names, value.values, strict=True)),
        )
        for value, name in zip(values, own, strict=True)
    ]

    def decorate(test):
        function, others = getattr(test, "looped", (test, [("", {})]))
        cases = [
            (", ".join(filter(None, (name, other))), {**row, **fields})
            for (name, row), (other, fields) in product(rows, others)
        ]

        @functools.wraps(function)
        def loop(**fixtures):
            _run(function, cases, fixtures)

        loop.looped = function, cases
        signature = inspect.signature(function)
        free = [each for name, each in signature.parameters.items() if name not in cases[0][1]]
        loop.__signature__ = signature.replace(parameters=free)
        return loop

    return decorate


def _is_named(value):
    return isinstance(value, type(pytest.param()))


def _row(names, value):
    return value if len(names) > 1 else (value,)


def _described(values, ids):
    """Return values as texts that fit in a line with others."""
    texts = [str(ids(value) if ids else getattr(value, "__name__", value)) for value in values]
    return ", ".join(text if len(text) <= 60 else f"{text[:57]}..." for text in texts)


def _run(function, cases, fixtures):
    """Run a function for all cases, then fail if any did."""
    __tracebackhide__ = True
    failures = []
    for number, (name, fields) in enumerate(cases):
        with pytest.MonkeyPatch.context() as patch:
            own = {"monkeypatch": patch} if "monkeypatch" in fixtures else {}
            if "tmp_path" in fixtures:
                own["tmp_path"] = fixtures["tmp_path"] / f"case-{number}-of-a-test"
                own["tmp_path"].mkdir()
            try:
                function(**{**fixtures, **own, **fields})
            except FAILED as error:
                failures.append((name, error))
    if failures:
        lines = [_line(name, error) for name, error in failures]
        title = f"{len(failures)} of {len(cases)} cases failed:"
        raise AssertionError("\n".join([title, *lines])) from failures[0][1]


def _line(name, error):
    """Return the line that tells of a case."""
    first = next(iter(str(error).splitlines()), "")
    line = f"  {name}: {type(error).__name__}: {first}".encode("ascii", "backslashreplace").decode()
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 3]}..."
