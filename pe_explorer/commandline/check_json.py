"""What `check` finds, and its output for programs: JSON, SARIF and GitHub's commands."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from pe_explorer import __version__, encodings
from pe_explorer.analysis.configuration import TOLERANCE, ConfigurationCheck
from pe_explorer.analysis.sheet import Sheet
from pe_explorer.analysis.specification import Comparison, compare
from pe_explorer.assets import asset
from pe_explorer.configs import ERROR, LLAMA_IF_ROTARY, NOTE, WITHOUT, by_level
from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.params import only_used

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration

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
    about = {"schema": SCHEMA, "file": file.argument, "length": length, "trained": trained}
    return {**about, "readings": [plain(_reading(check)) for check in file.checks]}


def _reading(check: ConfigurationCheck) -> dict[str, Any]:
    of_finding = ("level", "kind", "field", "happens", "why", "layers", "versions")
    return {
        **_attributes(check, "semantics", "model_type", "dtype", "trained", "stated", "target"),
        "assumed": check.assumed or None,
        **_attributes(check, "softmax_factor", "counts"),
        "layers": {sheet.layer: _layer(sheet) for sheet in check.sheets},
        "findings": [_attributes(finding, *of_finding) for finding in check.findings],
    }


def _layer(sheet: Sheet) -> dict[str, Any]:
    report = sheet.report
    return {
        **_attributes(sheet, "indices", "window", "trained", "target"),
        "encoding": None if sheet.encoding is None else sheet.encoding.name,
        **_attributes(sheet, "parameters", "wavelengths", "wavelengths_at_target"),
        **_attributes(sheet, "unscaled_wavelengths", "changed"),
        **_attributes(report, "never_turned", "new"),
        "worst": _named(("pair", "ratio"), report.worst if report else None),
        **_attributes(report, "longest"),
        "attention_factor": sheet.attention_factor,
    }


def _attributes(value: object, *names: str) -> dict[str, Any]:
    """Return attributes that have the same name in the output; None for those of nothing."""
    return {name: None if value is None else getattr(value, name) for name in names}


def _named(names: Sequence[str], values: Sequence[Any] | None) -> dict[str, Any] | None:
    return None if values is None else dict(zip(names, values, strict=True))


def plain(value: Any) -> Any:
    """Return a value for JSON: arrays as lists, and None for numbers that are not finite."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class LayerPair(NamedTuple):
    """A layer type of two configurations: its differences, or why they cannot be compared."""

    differs: bool
    found: Comparison | None
    problem: str = ""


class FilePair(NamedTuple):
    """Two configurations as one version of transformers reads them."""

    semantics: str
    files: list[ReadConfiguration]
    layers: dict[str, LayerPair]

    @property
    def softmax_factors(self) -> list[float]:
        """The softmax factor of each."""
        return [each.softmax_factor for each in self.files]

    @property
    def assumed(self) -> list[str]:
        """The classes that unknown ones are assumed to work like."""
        return [each.assumed for each in self.files]

    @property
    def differs(self) -> bool:
        """Whether the two differ in meaning."""
        first, second = self.softmax_factors
        return first != second or any(layer.differs for layer in self.layers.values())


def compare_files(
    first: Any, second: Any, semantics: str, length: int | None, assume: str | None
) -> FilePair:
    """Return the differences between two configurations, by layer type.

    If each has one encoding, it is that of all layers. Raises `EncodingError` if one of them cannot
    be read, or has no encoding; see `encodings.read_config`.
    """
    assume = assume or LLAMA_IF_ROTARY
    files = [encodings.read_config(each, semantics, length, assume) for each in (first, second)]
    made = [each.require() for each in files]
    layers = [layer for each in files for layer in each.layers if layer != WITHOUT]
    if all(len(by_layer) == 1 for by_layer in made):
        made, layers = [{"all": e} for by_layer in made for e in by_layer.values()], ["all"]
    pairs = {
        layer: _layer_pair(*(by_layer.get(layer, by_layer.get("all")) for by_layer in made))
        for layer in layers
    }
    return FilePair(semantics, files, pairs)


def _layer_pair(first: Encoding | None, second: Encoding | None) -> LayerPair:
    if first is None or second is None:
        if first is second:
            return LayerPair(False, None, "neither file has an encoding for such layers")
        which = "second" if first is None else "first"
        return LayerPair(True, None, f"only the {which} file has such layers")
    try:
        found = compare(first, second)
    except EncodingError as error:
        return LayerPair(only_used(first) != only_used(second), None, error.problem)
    return LayerPair(not found.is_identity, found)


def pair_json(pair: FilePair) -> dict[str, Any]:
    """Return the differences as plain values."""
    found = {
        "semantics": pair.semantics,
        "assumed": [each or None for each in pair.assumed],
        **_attributes(pair, "differs", "softmax_factors"),
        "layers": {layer: _layer_differences(each) for layer, each in pair.layers.items()},
    }
    return {name: plain(value) for name, value in found.items()}


def _layer_differences(pair: LayerPair) -> dict[str, Any]:
    found = pair.found
    if found is None:
        return {"differs": pair.differs, "lack": pair.problem}
    return {
        "differs": pair.differs,
        **_attributes(found, "pairs", "ratios", "differing", "first_pair"),
        "largest": _named(("pair", "ratio"), found.largest),
        "first_beyond": _named(("offset", "pair"), found.first_beyond(TOLERANCE)),
        **_attributes(found, "attention", "permutation"),
    }


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
