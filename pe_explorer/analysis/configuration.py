"""Checks a model's configuration: its meaning in numbers, and what is misleading."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pe_explorer import encodings
from pe_explorer.analysis import context
from pe_explorer.analysis.sheet import Sheet, sheets
from pe_explorer.arrays import Floats
from pe_explorer.configs import (
    ERROR,
    LLAMA_IF_ROTARY,
    MOST_BYTES,
    NOTE,
    SEMANTICS,
    WARNING,
    Finding,
    by_level,
    load,
)
from pe_explorer.encodings import Bias, Rotary, Steady
from pe_explorer.encodings.alibi import Alibi
from pe_explorer.encodings.learned import Learned
from pe_explorer.encodings.rope import Rope
from pe_explorer.json_text import read_json
from pe_explorer.params import printed, used
from pe_explorer.reading import read_bytes

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration

LEVELS = (ERROR, WARNING, NOTE)
TOLERANCE = 0.1  # radians: a larger error changes a score by some percent
_ORIGINAL = "original_max_position_embeddings"
_NO_LIMIT = 10**9  # tokenizers without a limit have 10^30
_DEFAULT_MAX_LENGTH = 20  # what transformers writes if no length was chosen
_TOKENIZER, _GENERATION = "tokenizer_config.json", "generation_config.json"


@dataclass(frozen=True)
class ConfigurationCheck:
    """What a configuration means under one version of transformers."""

    semantics: str  # the version
    model_type: str  # the class that the file was read as; empty if it names none
    assumed: str  # the class that an unknown one is assumed to work like; empty for a known one
    dtype: str | None  # the type of the weights
    trained: int | None  # the training length
    stated: int | None  # the length in the file
    target: int | None  # the length to check
    softmax_factor: float  # the factor of scores before softmax
    sheets: tuple[Sheet, ...]  # one for each layer type
    findings: tuple[Finding, ...]  # errors, then warnings, then notes

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each level, the most severe level first."""
        found = [finding.level for finding in self.findings]
        return {level: found.count(level) for level in LEVELS}

    @property
    def misleads(self) -> bool:
        """Whether there are errors or warnings."""
        return any(finding.level != NOTE for finding in self.findings)


@dataclass(frozen=True)
class _Input:
    source: Any
    assume: str
    found: ReadConfiguration
    sheets: tuple[Sheet, ...]
    target: int | None
    length: int | None
    trained: int | None


def check(
    source: Any,
    semantics: str = "5",
    length: int | None = None,
    trained: int | None = None,
    assume: str | None = None,
) -> ConfigurationCheck:
    """Return what a configuration means, with findings on what is misleading.

    `source` is a `config.json`, a folder that has one, or its fields, read by the rules of one
    version of transformers. `length` is the longest length in use, by default that in the file;
    `trained` is the training length, if the one in the file was raised by hand. `assume`, by
    default "llama-if-rotary", and errors are those of `encodings.read_config`.
    """
    assume = assume or LLAMA_IF_ROTARY
    found = encodings.read_config(source, semantics, length, assume)
    target = length
    if target is None and found.stated is not None:
        target = min(found.stated, encodings.LIMIT)  # a factor can state too many
    drawn = tuple(sheets(found.encodings, found.layers, trained, target))
    merged: dict[Finding, tuple[str, ...]] = {}
    for each in _found(_Input(source, assume, found, drawn, target, length, trained)):
        key = replace(each, layers=())
        merged[key] = (*merged.get(key, ()), *each.layers)
    findings = [replace(key, layers=tuple(dict.fromkeys(layers))) for key, layers in merged.items()]
    return ConfigurationCheck(
        semantics=semantics,
        model_type=found.model_type,
        assumed=found.assumed,
        dtype=found.dtype,
        trained=found.trained if trained is None else trained,
        stated=found.stated,
        target=target,
        softmax_factor=found.softmax_factor,
        sheets=drawn,
        findings=by_level(findings),
    )


def check_versions(source: Any, trained: int | None = None) -> tuple[ConfigurationCheck, ...]:
    """Return what a configuration means under each version of transformers, the newest first.

    Versions that cannot read it are left out, except the newest, for which `EncodingError` is
    raised.
    """
    newest, *others = reversed(SEMANTICS)
    found = [check(source, newest, trained=trained)]
    for version in others:
        with suppress(encodings.EncodingError):
            found.append(check(source, version, trained=trained))
    return tuple(found)


# -- what frequencies show -------------------------------------------------------------------------


def _found(given: _Input) -> Iterator[Finding]:
    for finding in given.found.findings:
        if finding.kind == "trained-length" and given.trained is not None:
            continue
        if finding.kind == "versions" and not finding.why and finding.versions:
            finding = replace(finding, why=_version_difference(given, finding))
        yield finding
    for sheet in given.sheets:
        found = (
            _beyond_training(given, sheet),
            _trained_length_conflict(given, sheet),
            _window_note(given, sheet),
            _slope_note(given, sheet),
        )
        yield from (replace(each, layers=(sheet.layer,)) for each in found if each is not None)
    yield from _precision_notes(given)
    yield from _beside_findings(given)


def _beside_findings(given: _Input) -> Iterator[Finding]:
    stated, paths = given.found.stated, given.found.paths
    source = getattr(given.source, "source", given.source)  # without an override
    folder = getattr(load(source), "folder", None)
    if folder is None or stated is None:
        return
    why = f"this file states {stated:,} positions"
    limit = _object_in(Path(folder, _TOKENIZER)).get("model_max_length")
    if type(limit) is int and 0 < limit < _NO_LIMIT and limit != stated:
        happens = f"differs from model_max_length in {_TOKENIZER}, which is {limit:,}"
        yield Finding(NOTE, "tokenizer", paths["length"], happens, why)
    generation = _object_in(Path(folder, _GENERATION))
    limit = generation.get("max_length")
    # A bias has no last position, and max_new_tokens replaces max_length.
    if generation.get("max_new_tokens") or type(limit) is not int or limit == _DEFAULT_MAX_LENGTH:
        return
    ends = any(not isinstance(sheet.encoding, Bias | None) for sheet in given.sheets)
    if ends and stated < limit <= encodings.LIMIT:
        happens = f"is below max_length in {_GENERATION}, which is {limit:,}"
        why = f"{why}, so set max_length to {stated} or less"
        yield Finding(WARNING, "generation", paths["stated"], happens, why)


def _object_in(path: Path) -> Mapping[str, Any]:
    try:
        found = read_json(read_bytes(path, MOST_BYTES).decode("utf-8-sig"), only_finite=False)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, Mapping) else {}


def _version_difference(given: _Input, finding: Finding) -> str:
    version, layer = finding.versions[-1], finding.layers[0]
    other = encodings.read_config(given.source, version, given.length, given.assume)
    both = given.found.encodings, other.encodings
    here, there = (made.get(layer, made.get("all")) for made in both)
    if not isinstance(here, Rope) or not isinstance(there, Rope):
        return ""
    if len(here.turns) != len(there.turns):
        return f"{len(there.turns)} pairs rotate there, {len(here.turns)} here"
    pairs = list(zip(here.turns.fixed, there.turns.fixed, strict=True))
    count = sum(context.differ(*pair) for pair in pairs)
    if not count:
        return "no pair differs"
    ratios = [max(pair) / min(pair) if all(pair) else 1.0 for pair in pairs]
    most = max(ratios)
    differing = f"{count} of {len(pairs)} pairs differ"
    return f"{differing}, pair {ratios.index(most)} most, by a factor of {printed.rounded(most)}"


def _beyond_training(given: _Input, sheet: Sheet) -> Finding | None:
    report, found = sheet.report, given.found
    if report is None or not len(report.new):
        return _beyond_table(given, sheet)
    target, trained = sheet.target or 0, sheet.trained or 0
    pairs = len(report.new) + len(report.turned) + len(report.within)
    path = found.paths["stated"] if given.length is None else "--length"
    why = f"{len(report.new)} of {pairs} pairs reach unseen angles"
    if target <= trained:
        happens = f"{target:,} is within the training length of {trained:,}"
        why = f"yet {why}, because scaling speeds them up"
        return Finding(WARNING, "beyond-training", path, happens, why)
    # If the file states the length itself, the model was probably trained further.
    is_stated = given.trained is None and target <= (found.stated or 0)
    happens = f"{target:,} is beyond the training length of {trained:,}"
    return Finding(NOTE if is_stated else WARNING, "beyond-training", path, happens, why)


def _beyond_table(given: _Input, sheet: Sheet) -> Finding | None:
    target, trained = sheet.target or 0, sheet.trained or 0
    if not isinstance(sheet.encoding, Learned) or given.length is None or not 0 < trained < target:
        return None
    happens = f"{target:,} is beyond the training length of {trained:,}"
    why = "later positions have no row in the table"
    return Finding(WARNING, "beyond-training", "--length", happens, why)


def _trained_length_conflict(given: _Input, sheet: Sheet) -> Finding | None:
    e = sheet.encoding
    if given.trained is None or e is None or _ORIGINAL not in used(e):
        return None
    original, rope_type = e.parameters[_ORIGINAL], e.parameters["rope_type"]
    if original == given.trained:
        return None
    happens = f"{given.trained:,} is not the {original:,} that {rope_type} uses"
    field = given.found.paths["length"] if rope_type == "dynamic" else _ORIGINAL
    why = f"set {field} to {given.trained}"
    return Finding(WARNING, "contradiction", "--trained", happens, why)


def _window_note(given: _Input, sheet: Sheet) -> Finding | None:
    target = given.target
    if sheet.window is None or target is None or target <= sheet.window:
        return None
    report = sheet.report_at(target)
    if report is None or not len(report.new):
        return None
    happens = f"queries see at most {sheet.window:,} keys"
    why = "a program that ignores this reaches unseen angles"
    return Finding(NOTE, "window", given.found.paths["window"], happens, why)


def _slope_note(given: _Input, sheet: Sheet) -> Finding | None:
    e, path = sheet.encoding, given.found.paths.get("rounded_slopes")
    if not isinstance(e, Alibi) or path is None:
        return None
    error = float(np.max(np.abs(_as_bfloat16(e.slopes) / e.slopes - 1)))
    if not error:
        return None
    happens = f"{given.found.model_type} rounds the slopes to bfloat16"
    why = f"its biases differ by up to {printed.rounded(100 * error, 2)} % from the exact ones"
    return Finding(NOTE, "precision", path, happens, why)


def _precision_notes(given: _Input) -> Iterator[Finding]:
    if given.found.dtype not in ("bfloat16", "float16"):
        return
    first = (math.inf, 0)
    for sheet in given.sheets:
        e = sheet.encoding
        if isinstance(e, Rotary) and isinstance(e, Steady):
            exact = e.frequencies()
            is_half = given.found.dtype == "float16"
            rounded = exact.astype(np.float16) if is_half else _as_bfloat16(exact)
            errors = np.abs(rounded - exact)
            pair = int(errors.argmax())
            if errors[pair]:
                first = min(first, (math.ceil(TOLERANCE / errors[pair]), pair))
    position, pair = first
    if position <= encodings.LIMIT:
        happens = f"{given.found.dtype} is too coarse for frequencies"
        off = f"pair {pair} would be off by {TOLERANCE} rad from position {position:,} on"
        why = f"casting the whole model to it rounds them, so {off}"
        yield Finding(NOTE, "precision", given.found.paths["dtype"], happens, why)


def _as_bfloat16(numbers: Floats) -> Floats:
    """Return numbers rounded to bfloat16, half to even: the upper half of a float32."""
    bits = numbers.astype(np.float32).view(np.uint32)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    return (rounded & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)
