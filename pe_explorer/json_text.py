"""JSON that people may have edited: read within limits, so that it can be written again."""

import json
import math
from collections import Counter
from itertools import chain
from typing import Any

from pe_explorer.params import quoted

MAX_LEVELS = 50
"""Most levels of a document: sessions and settings have five, Python writes below 1000."""


class RepeatingObject(dict[str, Any]):
    """A JSON object with duplicate names; the last value of each is used.

    Attributes
    ----------
    repeated : tuple of str
        Those names.
    """

    repeated: tuple[str, ...] = ()


class JsonError(ValueError):
    """Text that is not usable JSON; the message goes on after "is", such as ``empty``."""


def read_json(text: str, *, only_finite: bool = True) -> Any:
    """Return what a text holds; raises `JsonError` where it could not be written again.

    Python writes Infinity and NaN, which are no JSON. With `only_finite` False they are read as
    such, for files that other programs wrote. An object with a name twice is a `RepeatingObject`.
    """
    constant, number = (_refuse, _finite) if only_finite else (float, float)
    try:
        document = json.loads(
            text, parse_constant=constant, parse_float=number, object_pairs_hook=_object
        )
    except JsonError:
        raise
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except json.JSONDecodeError as error:
        if not text.strip():
            raise JsonError("empty") from None
        place = f"line {error.lineno}, column {error.colno}"
        problem = error.msg[:1].lower() + error.msg[1:]
        raise JsonError(f"not valid JSON ({place}: {problem})") from None
    except ValueError:  # Python reads no whole number of more than 4300 digits
        raise JsonError("not usable JSON (it has a number with thousands of digits)") from None
    level = [document]
    for _ in range(MAX_LEVELS):
        lists = [it for it in level if isinstance(it, list)]
        lists += [[*it.values()] for it in level if isinstance(it, dict)]
        level = list(chain.from_iterable(lists))
    if level:
        raise JsonError("nested too deeply")
    return document


def format_json(document: Any) -> str:
    """Return a document as text that people can read and compare line by line."""
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    # Names of files and edited texts may hold lone surrogates, which are escaped as in JSON.
    return text.encode("utf-8", "backslashreplace").decode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating = RepeatingObject(found)
    counts = Counter(name for name, _ in pairs)
    repeating.repeated = tuple(name for name, count in counts.items() if count > 1)
    return repeating


def _refuse(name: str) -> float:
    raise JsonError(f"not valid JSON ({name} is not a number)")


def _finite(text: str) -> float:
    """Return a number; raises `JsonError` for one that could not be written again."""
    number = float(text)
    return number if math.isfinite(number) else _refuse(quoted(text))
