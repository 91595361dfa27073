"""Access to the fields of a JSON object, with errors that name the path of the field."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

from pe_explorer.configs.values import ConfigError
from pe_explorer.params import format_fault, quote_value, to_one_line

MAX_WHOLE_NUMBER = 1 << 53
_MAX_LIST_LENGTH = 32_768  # maximum length of a list, enough for a head with 65,536 channels
_MAX_LAYERS = 100_000
_MAX_LAYER_TYPES = 32
_MAX_FIELDS = 1000  # maximum number of fields in a nested object


class Fields:
    """The fields of one JSON object; a null field counts as missing.

    Parameters
    ----------
    values : mapping
        Parsed JSON values by name.
    prefix : str
        The prefix of every field's path, such as ``rope_scaling.``.
    paths : mapping, optional
        The paths of fields that come from another part of the file.
    read_paths : set of str, optional
        The paths that have been read. All instances for a file share this set, because several
        instances can represent the same part of the file.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        prefix: str = "",
        paths: Mapping[str, str] | None = None,
        used_paths: set[str] | None = None,
    ) -> None:
        self.values = values
        self.prefix = prefix
        self._paths = dict(paths or {})
        self.used_paths = set() if used_paths is None else used_paths

    def get(self, name: str) -> Any:
        """Return the parsed value of a field, or None if the field is missing."""
        self.used_paths.add(self.path(name))
        return self.values.get(name)

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __iter__(self) -> Any:
        return (name for name in self.values if name in self)

    def is_null(self, name: str) -> bool:
        """Return whether a field is present and null."""
        return self.get(name) is None and name in self.values

    def path(self, name: str) -> str:
        """Return the path of a field in the file."""
        return self._paths.get(name, f"{self.prefix}{name}")

    def find_name(self, *names: str) -> str | None:
        """Return the first name whose field is present, or None if no field is present."""
        return next((name for name in names if name in self), None)

    def number(self, name: str) -> float | None:
        """Return a finite number, or None if the field is missing."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            text = value.strip() if isinstance(value, str) else ""
            remedy = "remove the quotes" if re.fullmatch(r"[-+.\deE]*\d", text) else ""
            raise self.error(name, format_fault("a number", value), remedy)
        # This is also true for NaN, and for integers that are too large for a float.
        if not abs(value) <= sys.float_info.max:
            raise self.error(name, format_fault("a finite number", value))
        return value

    def read_positive_number(self, name: str) -> float | None:
        """Return a number above 0, or None if the field is missing."""
        value = self.number(name)
        if value is not None and value <= 0:
            raise self.error(name, format_fault("a number above 0", value))
        return value

    def integer(self, name: str) -> int | None:
        """Return an integer from 1 to 2^53, or None if the field is missing."""
        value = self.number(name)
        if value is None:
            return None
        if value != int(value) or not 1 <= value <= MAX_WHOLE_NUMBER:
            raise self.error(name, format_fault("a whole number from 1 to 2^53", value))
        return int(value)

    def read_layer_count(self, name: str) -> int | None:
        """Return a number of layers, or None if the field is missing."""
        value = self.integer(name)
        if value is not None and value > _MAX_LAYERS:
            raise self.error(name, f"expected at most {_MAX_LAYERS:,} layers, got {value:,}")
        return value

    def flag(self, name: str) -> bool | None:
        """Return true or false, or None if the field is missing."""
        value = self.get(name)
        if value is None or isinstance(value, bool):
            return value
        raise self.error(name, format_fault("true or false", value))

    def text(self, name: str) -> str | None:
        """Return a string, or None if the field is missing."""
        value = self.get(name)
        if value is None or isinstance(value, str):
            return value
        raise self.error(name, format_fault("a string", value))

    def numbers(self, name: str) -> tuple[float, ...] | None:
        """Return a list of numbers above 0, or None if the field is missing."""
        value = self._read_list(name, _MAX_LIST_LENGTH, "numbers")
        if value is None:
            return None
        entries = Fields({str(i): entry for i, entry in enumerate(value)}, f"{self.path(name)}.")
        numbers = [entries.read_positive_number(index) for index in entries]
        if len(numbers) < len(value):
            problem = "expected numbers, got a list that contains null"
            raise self.error(name, problem, "write a number for each pair")
        return tuple(float(number) for number in numbers if number is not None)

    def read_strings(self, name: str) -> tuple[str, ...] | None:
        """Return a list with one string per layer, or None if the field is missing."""
        value = self._read_list(name, _MAX_LAYERS, "entries")
        if value is None:
            return None
        for entry in value:
            if not isinstance(entry, str):
                text = "null" if entry is None else quote_value(entry)
                raise self.error(name, f"expected the name of a layer type, got {text}")
        if (count := len(set(value))) > _MAX_LAYER_TYPES:
            problem = f"expected at most {_MAX_LAYER_TYPES} layer types, got {count:,}"
            raise self.error(name, problem)
        return tuple(value)

    def indices(self, name: str) -> frozenset[int]:
        """Return a set of layer numbers, which is empty if the field is missing."""
        numbers = (self._read_list(name, _MAX_LAYERS, "entries") if name else None) or ()
        for entry in numbers:
            if type(entry) is not int:
                raise self.error(name, format_fault("the number of a layer", entry))
        return frozenset(numbers)

    def read_layer_numbers(self, name: str) -> tuple[float, ...]:
        """Return a list of non-negative numbers, one per layer; empty if the field is missing."""
        value = self._read_list(name, _MAX_LAYERS, "entries") or []
        value = [int(entry) if isinstance(entry, bool) else entry for entry in value]
        entries = Fields({str(i): entry for i, entry in enumerate(value)}, f"{self.path(name)}.")
        numbers = [entries.number(entry) for entry in entries.values]
        if any(number is None or number < 0 for number in numbers):
            raise self.error(name, "expected numbers of at least 0, got null or a negative number")
        return tuple(float(number) for number in numbers if number is not None)

    def read_subfields(self, name: str) -> Fields | None:
        """Return the fields of a nested object, or None if the object is missing or empty."""
        value = self.get(name)
        if not value:
            return None
        if not isinstance(value, Mapping):
            raise self.error(name, format_fault("an object with fields", value))
        if len(value) > _MAX_FIELDS:
            raise self.error(name, f"expected at most {_MAX_FIELDS:,} fields, got {len(value):,}")
        prefix = f"{name}."
        paths = {key.removeprefix(prefix): self._paths[key] for key in self._paths if prefix in key}
        return Fields(value, f"{self.path(name)}.", paths, self.used_paths)

    def error(self, name: str, problem: str, remedy: str = "") -> ConfigError:
        """Return an error about a field."""
        return ConfigError(to_one_line(self.path(name)), problem, remedy)

    def _read_list(self, name: str, max_count: int, unit: str) -> list[Any] | None:
        value = self.get(name)
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            raise self.error(name, format_fault("a list", value))
        if len(value) > max_count:
            raise self.error(name, f"expected at most {max_count:,} {unit}, got {len(value):,}")
        return list(value)
