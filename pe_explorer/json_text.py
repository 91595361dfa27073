"""Functions for JSON that people may have edited."""

import json
import math
from collections import Counter
from itertools import chain
from typing import Any

from pe_explorer.params import quote_value

MAX_NESTING = 50
"""Maximum nesting depth. Sessions have five levels, and `json` cannot write 1000."""


class DuplicateKeyObject(dict[str, Any]):
    """A JSON object with duplicate names, which contains the last value of each name."""

    duplicate_names: tuple[str, ...] = ()


class JsonError(ValueError):
    """An error for unusable JSON; the message is a phrase that follows "is"."""


def read_json(text: str, *, is_finite_only: bool = True) -> Any:
    """Parse a JSON document; objects with duplicate names become a `DuplicateKeyObject`.

    If `is_finite_only` is true, reject Infinity and NaN, which are not valid JSON although
    Python writes them. Pass False for files from other programs. Raise `JsonError` if the
    text is not JSON, or if Python could not write the document again.
    """
    constant_parser, number = (_reject_number, _parse_finite) if is_finite_only else (float, float)
    try:
        document = json.loads(
            text, parse_constant=constant_parser, parse_float=number, object_pairs_hook=_make_object
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
    except ValueError:  # raised for integers with more than 4300 digits
        problem = "unsupported JSON (it contains a number with thousands of digits)"
        raise JsonError(problem) from None
    level = [document]
    for _ in range(MAX_NESTING):
        lists = [value for value in level if isinstance(value, list)]
        lists += [[*value.values()] for value in level if isinstance(value, dict)]
        level = list(chain.from_iterable(lists))
    if level:
        raise JsonError("nested too deeply")
    return document


def format_json(document: Any) -> str:
    """Format a document as indented JSON that people can read and compare line by line."""
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    # Write lone surrogates, which file names and edited texts may contain, as JSON escapes.
    return text.encode("utf-8", "backslashreplace").decode()


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    json_object = DuplicateKeyObject(values)
    counts = Counter(name for name, _ in pairs)
    json_object.duplicate_names = tuple(name for name, count in counts.items() if count > 1)
    return json_object


def _reject_number(name: str) -> float:
    raise JsonError(f"not valid JSON ({name} is not allowed)")


def _parse_finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _reject_number(quote_value(text))
