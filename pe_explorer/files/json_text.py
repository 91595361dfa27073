"""JSON that people may have edited.

Read within limits, so that it can be quoted and written again.
"""

from __future__ import annotations

import json
import math
from typing import Any

from pe_explorer.params import quoted

__all__ = ["JsonError", "read_json", "written_json"]

_DEEPEST = 50  # levels; sessions and settings have five, and Python writes no thousand


class JsonError(ValueError):
    """Text that is no JSON of use; the message goes on after "is".

    ``empty``, ``not JSON (...)``.
    """


def read_json(text: str) -> Any:
    """Return what a text holds; raises `JsonError` where it could not be written again."""
    try:
        document = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except JsonError:
        raise
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON ({error})" if text.strip() else "empty") from None
    except ValueError:  # Python reads no whole number of more than 4300 digits
        raise JsonError(
            "not JSON that can be used (it has a number of thousands of digits)"
        ) from None
    if _is_deep(document):
        raise JsonError("nested too deeply")
    return document


def written_json(document: Any) -> str:
    """Return a document as text that people can read, differ by lines and encode."""
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    # Names of files and edited texts may hold halves of letters: escaped as JSON does, they come
    # back.
    return text.encode("utf-8", "backslashreplace").decode()


def _refuse(name: str) -> float:
    raise JsonError(f"not JSON ({name} is no number)")


def _finite(text: str) -> float:
    """Return the number that JSON has; none that could be read but never be written again."""
    number = float(text)
    return number if math.isfinite(number) else _refuse(quoted(text))


def _is_deep(document: Any) -> bool:
    layer = [document]
    for _ in range(_DEEPEST):
        layer = [
            inner
            for outer in layer
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return bool(layer)
