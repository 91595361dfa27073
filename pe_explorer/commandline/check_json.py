"""The output of `check` for programs: JSON with all numbers, SARIF, GitHub's workflow commands."""

import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import quote

from pe_explorer import __version__
from pe_explorer.analysis.configuration import ConfigurationCheck
from pe_explorer.analysis.sheet import Sheet
from pe_explorer.arrays import Floats
from pe_explorer.assets import asset
from pe_explorer.configs import ERROR, NOTE, by_level

SCHEMA = 1
"""The version of the names below; each change that breaks a reader increments it."""

_OF_FINDING = ("level", "kind", "field", "happens", "why", "layers", "versions")

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
        "readings": [_reading(check) for check in file.checks],
    }


def _reading(check: ConfigurationCheck) -> dict[str, Any]:
    lengths = ("trained", "stated", "target")
    return {
        **_attributes(check, "semantics", "model_type", "dtype", *lengths),
        "assumed": check.assumed or None,
        **_attributes(check, "softmax_factor", "counts"),
        "layers": {sheet.layer: _layer(sheet) for sheet in check.sheets},
        "findings": [_attributes(finding, *_OF_FINDING) for finding in check.findings],
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


def _attributes(value: object, *names: str) -> dict[str, Any]:
    """Return attributes that have the same name in the output."""
    return {name: getattr(value, name) for name in names}


def _numbers(numbers: Floats | None) -> list[float | None] | None:
    return None if numbers is None else [finite(number) for number in numbers.tolist()]


def finite(number: float) -> float | None:
    """Return a number for JSON, or None if it is not finite."""
    return number if math.isfinite(number) else None


# -- the findings alone ----------------------------------------------------------------------------


_TOKEN = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*+")\s*(:?)|[{}]', re.DOTALL)
"""A JSON string, with the colon after the name of a field, or a brace of an object."""
_IN_FILE = re.compile(r"\(line (\d+), column (\d+)")
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PLACE = {**_IN_MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}


def sarif(files: Sequence[CheckedFile]) -> str:
    """Return a SARIF 2.1.0 log: the one in `findings.sarif`, which has the rules, with results."""
    log = json.loads(asset("findings.sarif").read_text(encoding="utf-8"))
    (run,) = log["runs"]
    run["tool"]["driver"]["version"] = __version__
    for path, line, column, level, kind, message in _results(files):
        place = {
            "artifactLocation": {"uri": quote(os.fsencode(path))},
            "region": {"startLine": line, "startColumn": column},
        }
        result = {"ruleId": kind, "level": level, "message": {"text": message}}
        run["results"].append(result | {"locations": [{"physicalLocation": place}] if path else []})
    return f"{json.dumps(log)}\n"


def github(files: Sequence[CheckedFile]) -> str:
    """Return the commands that annotate files in a GitHub workflow, one per line."""
    text = ""
    for path, line, column, level, kind, message in _results(files):
        place = f"file={path.translate(_IN_PLACE)},line={line},col={column}," if path else ""
        command = "notice" if level == NOTE else level
        text += f"::{command} {place}title={kind}::{message.translate(_IN_MESSAGE)}\n"
    return text


REPORTS = {"sarif": sarif, "github": github}
"""The function for each format."""


def _results(files: Sequence[CheckedFile]) -> Iterator[tuple[str, int, int, str, str, str]]:
    """Yield path (empty for standard input), line, column, level, kind and message, each once."""
    for file in files:
        text, path = file.data.decode("utf-8-sig"), file.name
        with suppress(OSError, ValueError):  # the working folder is gone, or on another drive
            path = os.path.relpath(path)
        path = "" if file.argument == "-" else path.replace(os.sep, "/")
        offsets = _offsets(text)
        if file.problem:
            found = _IN_FILE.search(file.problem)
            place = (int(found[1]), int(found[2])) if found else _place(text, offsets, file.field)
            yield path, *place, ERROR, "unreadable", file.problem
        findings = (finding for check in file.checks for finding in check.findings)
        unique = dict.fromkeys(replace(each, layers=(), versions=()) for each in findings)
        for finding in by_level(unique):
            message = finding.line.removeprefix(f"{finding.level}: ")
            yield path, *_place(text, offsets, finding.field), finding.level, finding.kind, message


def _offsets(text: str) -> dict[str, int]:
    """Return the offset of the name of each field, by its path; lists do not count in paths."""
    offsets: dict[str, int] = {}
    path: list[str] = []
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            path.append("")
        elif token[0] == "}":
            path.pop()
        elif token[2]:
            path[-1] = json.loads(token[1])
            offsets[".".join(path)] = token.start()
    return offsets


def _place(text: str, offsets: dict[str, int], field: str) -> tuple[int, int]:
    """Return line and column of a field; for a missing one, those of the object around it."""
    while field and field not in offsets:
        field = field.rpartition(".")[0]
    at = offsets.get(field, 0)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
