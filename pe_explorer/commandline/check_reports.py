"""Formats the findings of `check` as SARIF, or as commands of a GitHub workflow."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from urllib.parse import quote

from pe_explorer import __version__
from pe_explorer.assets import asset
from pe_explorer.commandline.check_json import CheckedFile
from pe_explorer.configs import ERROR, NOTE, by_level

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
