"""The output of `check --json`, with stable names and all numbers."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from pe_explorer.analysis.configuration import ConfigurationCheck
from pe_explorer.analysis.sheet import Sheet
from pe_explorer.arrays import Floats
from pe_explorer.assets import asset
from pe_explorer.configs import Finding

SCHEMA = 1
"""The version of the names below; each change that breaks a reader increments it."""

EXPLAINED = asset("check.txt").read_text(encoding="utf-8").rstrip()
"""The meaning of the names, and the kinds of findings."""


class CheckedFile(NamedTuple):
    """The checks of a file by version, or why it cannot be read and the field at fault."""

    argument: str
    name: str
    data: bytes
    checks: Sequence[ConfigurationCheck]
    problem: str = ""
    field: str = ""


def as_json(file: CheckedFile, length: int | None, trained: int | None) -> dict[str, Any]:
    """Return the output as plain values."""
    if file.problem:
        return {"file": file.argument, "error": file.problem}
    return {
        "schema": SCHEMA,
        "file": file.argument,
        "length": length,
        "trained": trained,
        "readings": [_reading(each) for each in file.checks],
    }


def _reading(check: ConfigurationCheck) -> dict[str, Any]:
    lengths = ("trained", "stated", "target")
    return {
        **_attributes(check, "semantics", "model_type", "dtype", *lengths),
        "assumed": check.assumed or None,
        **_attributes(check, "softmax_factor", "counts"),
        "layers": {sheet.layer: _layer(sheet) for sheet in check.sheets},
        "findings": [_finding(each) for each in check.findings],
    }


def _layer(sheet: Sheet) -> dict[str, Any]:
    e, report, changed = sheet.encoding, sheet.report, sheet.changed
    found: dict[str, Any] = {
        **_attributes(sheet, "indices", "window", "trained", "target"),
        "encoding": None if e is None else e.name,
        "parameters": sheet.parameters,
        "wavelengths": _numbers(sheet.wavelengths),
        "wavelengths_at_target": _numbers(sheet.wavelengths_at_target),
        "unscaled_wavelengths": _numbers(sheet.unscaled_wavelengths),
        "changed": None if changed is None else changed.tolist(),
        **dict.fromkeys(("never_turned", "new", "worst", "longest")),
        "attention_factor": sheet.attention_factor,
    }
    if report is not None:
        found["never_turned"] = report.never_turned.tolist()
        found["new"] = report.new.tolist()
        if report.worst is not None:
            pair, ratio = report.worst
            found["worst"] = {"pair": pair, "ratio": ratio}
        found["longest"] = finite(report.longest)
    return found


def _finding(finding: Finding) -> dict[str, Any]:
    return _attributes(finding, "level", "kind", "field", "happens", "why", "layers", "versions")


def _attributes(value: object, *names: str) -> dict[str, Any]:
    """Return attributes that have the same name in the output."""
    return {name: getattr(value, name) for name in names}


def _numbers(numbers: Floats | None) -> list[float | None] | None:
    return None if numbers is None else [finite(number) for number in numbers.tolist()]


def finite(number: float) -> float | None:
    """Return a number for JSON, or None if it is not finite."""
    return number if math.isfinite(number) else None
