"""Checks of model configurations that explain their meaning and find misleading settings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pe_explorer import encodings
from pe_explorer.analysis import context, precision
from pe_explorer.analysis.sheet import Sheet, sheets
from pe_explorer.configs import (
    ERROR,
    LLAMA_IF_ROTARY,
    MAX_BYTES,
    NOTE,
    SEMANTICS,
    WARNING,
    Finding,
    load,
    sort_by_level,
)
from pe_explorer.encodings import Bias, Rotary, Steady
from pe_explorer.encodings.alibi import Alibi
from pe_explorer.encodings.learned import Learned
from pe_explorer.encodings.rope import Rope
from pe_explorer.json_text import read_json
from pe_explorer.numeric.rounding import round_to
from pe_explorer.params import find_used_parameters, printed
from pe_explorer.reading import read_bytes

if TYPE_CHECKING:
    from pe_explorer.encodings import EncodedConfiguration

FINDING_LEVELS = (ERROR, WARNING, NOTE)
TOLERANCE = 0.1  # radians; a larger angle error changes a score by several percent
_ORIGINAL_LENGTH_FIELD = "original_max_position_embeddings"
_MAX_STATED_LENGTH = 10**9  # larger values mean no limit; tokenizers without a limit state 10^30
_DEFAULT_MAX_LENGTH = 20  # the `max_length` that transformers writes by default
_TOKENIZER_FILE, _GENERATION_FILE = "tokenizer_config.json", "generation_config.json"


@dataclass(frozen=True)
class ConfigurationCheck:
    """The meaning of a configuration under one version of transformers."""

    semantics: str  # the version of transformers
    model_type: str  # the class by whose rules the file was read; empty if the file names no class
    assumed: str  # the known class whose rules replace those of an unknown class; otherwise empty
    dtype: str | None  # the data type of the weights; None if the file states none
    trained: int | None  # the training length; None if unknown
    stated: int | None  # the length that the file states; None if it states none
    target: int | None  # the length to check; None if unknown
    softmax_factor: float  # the factor that multiplies scores before softmax
    sheets: tuple[Sheet, ...]  # one sheet for each layer type
    findings: tuple[Finding, ...]  # errors, then warnings, then notes

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each level, starting with the most severe."""
        levels = [finding.level for finding in self.findings]
        return {level: levels.count(level) for level in FINDING_LEVELS}

    @property
    def is_misleading(self) -> bool:
        """Whether any finding is an error or a warning."""
        return any(finding.level != NOTE for finding in self.findings)


class _Inputs(NamedTuple):
    source: Any
    assume: str
    configuration: EncodedConfiguration
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
    """Return the meaning of a configuration, with findings about misleading settings.

    `source` is a `config.json`, a folder that contains one, or the parsed fields. `length`
    is the maximum length in use, by default the length in the file. `trained` is the
    training length, for files whose length was raised by hand. `assume` is as in
    `encodings.read_config`, by default "llama-if-rotary". Raise the same exceptions as
    `encodings.read_config`.
    """
    assume = assume or LLAMA_IF_ROTARY
    configuration = encodings.read_config(source, semantics, length, assume)
    target = length
    if target is None and configuration.stated is not None:
        target = min(configuration.stated, encodings.LIMIT)  # a file can state any length
    all_sheets = tuple(sheets(configuration.encodings, configuration.layers, trained, target))
    inputs = _Inputs(source, assume, configuration, all_sheets, target, length, trained)
    layers_by_finding: dict[Finding, dict[str, None]] = {}
    for finding in _list_findings(inputs):
        layers = layers_by_finding.setdefault(replace(finding, layers=()), {})
        layers |= dict.fromkeys(finding.layers)
    findings = [replace(key, layers=tuple(layers)) for key, layers in layers_by_finding.items()]
    return ConfigurationCheck(
        semantics=semantics,
        model_type=configuration.model_type,
        assumed=configuration.assumed,
        dtype=configuration.dtype,
        trained=configuration.trained if trained is None else trained,
        stated=configuration.stated,
        target=target,
        softmax_factor=configuration.softmax_factor,
        sheets=all_sheets,
        findings=sort_by_level(findings),
    )


def check_versions(source: Any, trained: int | None = None) -> tuple[ConfigurationCheck, ...]:
    """Return the meaning of a configuration under each version of transformers, newest first.

    Older versions that cannot read the configuration are skipped. Raise `EncodingError` if
    the newest version cannot read it.
    """
    newest_version, *older_versions = reversed(SEMANTICS)
    checks = [check(source, newest_version, trained=trained)]
    for version in older_versions:
        with suppress(encodings.EncodingError):
            checks.append(check(source, version, trained=trained))
    return tuple(checks)


def _list_findings(inputs: _Inputs) -> Iterator[Finding]:
    for finding in inputs.configuration.findings:
        if finding.kind == "trained-length" and inputs.trained is not None:
            continue
        if finding.kind == "versions" and not finding.why and finding.versions:
            finding = replace(finding, why=_describe_version_change(inputs, finding))
        yield finding
    for sheet in inputs.sheets:
        for finding in (*_check_length(inputs, sheet), *_check_slopes(inputs, sheet)):
            yield replace(finding, layers=(sheet.layer,))
    yield from _check_precision(inputs)
    yield from _check_neighbour_files(inputs)


def _check_neighbour_files(inputs: _Inputs) -> Iterator[Finding]:
    stated, paths = inputs.configuration.stated, inputs.configuration.paths
    source = getattr(inputs.source, "source", inputs.source)  # the source without overrides
    folder = getattr(load(source), "folder", None)
    if folder is None or stated is None:
        return
    why = f"this file states {stated:,} positions"
    limit = _read_object(Path(folder, _TOKENIZER_FILE)).get("model_max_length")
    if type(limit) is int and 0 < limit < _MAX_STATED_LENGTH and limit != stated:
        happens = f"differs from model_max_length in {_TOKENIZER_FILE}, which is {limit:,}"
        yield Finding(NOTE, "tokenizer", paths["length"], happens, why)
    settings = _read_object(Path(folder, _GENERATION_FILE))
    limit = settings.get("max_length")
    # Ignore a length that `max_new_tokens` overrides, and the default length of transformers.
    if settings.get("max_new_tokens") or type(limit) is not int or limit == _DEFAULT_MAX_LENGTH:
        return
    has_last_position = any(not isinstance(sheet.encoding, Bias | None) for sheet in inputs.sheets)
    if has_last_position and stated < limit <= encodings.LIMIT:
        happens = f"is below max_length in {_GENERATION_FILE}, which is {limit:,}"
        why = f"{why}, so set max_length to {stated} or less"
        yield Finding(WARNING, "generation", paths["stated"], happens, why)


def _read_object(path: Path) -> Mapping[str, Any]:
    try:
        document = read_json(read_bytes(path, MAX_BYTES).decode("utf-8-sig"), is_finite_only=False)
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, Mapping) else {}


def _describe_version_change(inputs: _Inputs, finding: Finding) -> str:
    version, layer = finding.versions[-1], finding.layers[0]
    configuration = encodings.read_config(inputs.source, version, inputs.length, inputs.assume)
    rope, other_rope = (
        item.encodings.get(layer, item.encodings.get("all"))
        for item in (inputs.configuration, configuration)
    )
    if not isinstance(rope, Rope) or not isinstance(other_rope, Rope):
        return ""
    if len(rope.turns) != len(other_rope.turns):
        count = len(other_rope.turns)
        return f"that version rotates {count} pairs, and this version {len(rope.turns)}"
    pairs = list(zip(rope.turns.fixed, other_rope.turns.fixed, strict=True))
    count = sum(context.differ(*pair) for pair in pairs)
    if not count:
        return "no pair differs"
    ratios = [max(pair) / min(pair) if all(pair) else 1.0 for pair in pairs]
    largest = max(ratios)
    largest_text = f"{printed.format_rounded(largest)} (pair {ratios.index(largest)})"
    return f"{count} of {len(pairs)} pairs differ; the largest frequency ratio is {largest_text}"


def _check_length(inputs: _Inputs, sheet: Sheet) -> Iterator[Finding]:
    e, report, configuration = sheet.encoding, sheet.report, inputs.configuration
    target, trained = sheet.target or 0, sheet.trained or 0
    happens = f"{target:,} is beyond the training length of {trained:,}"
    if report is not None and len(report.new):
        pairs = len(report.new) + len(report.turned) + len(report.within)
        why = f"{len(report.new)} of {pairs} pairs reach unseen angles"
        # A stated length probably results from further training, so it deserves only a note.
        is_length_stated = inputs.trained is None and trained < target <= (
            configuration.stated or 0
        )
        if target <= trained:
            happens = f"{target:,} is within the training length of {trained:,}"
            why = f"even so, {why}, because scaling raises their frequencies"
        path = configuration.paths["stated"] if inputs.length is None else "--length"
        yield Finding(NOTE if is_length_stated else WARNING, "beyond-training", path, happens, why)
    elif isinstance(e, Learned) and inputs.length is not None and 0 < trained < target:
        why = "positions beyond the training length have no row in the table"
        yield Finding(WARNING, "beyond-training", "--length", happens, why)
    training_length = inputs.trained
    if (
        training_length is not None
        and e is not None
        and _ORIGINAL_LENGTH_FIELD in find_used_parameters(e)
    ):
        rope_length, rope_type = e.parameters[_ORIGINAL_LENGTH_FIELD], e.parameters["rope_type"]
        if rope_length != training_length:
            happens = f"{training_length:,} differs from the training length that {rope_type} uses"
            field = (
                configuration.paths["length"] if rope_type == "dynamic" else _ORIGINAL_LENGTH_FIELD
            )
            why = f"set {field} to {training_length}"
            yield Finding(WARNING, "contradiction", "--trained", f"{happens}, {rope_length:,}", why)
    if sheet.window is not None and inputs.target is not None and inputs.target > sheet.window:
        full_report = sheet.make_report(inputs.target)
        if full_report is not None and len(full_report.new):
            happens = f"queries attend to at most {sheet.window:,} keys"
            why = "a program that ignores this limit reaches unseen angles"
            yield Finding(NOTE, "window", configuration.paths["window"], happens, why)


def _check_slopes(inputs: _Inputs, sheet: Sheet) -> Iterator[Finding]:
    e, path = sheet.encoding, inputs.configuration.paths.get("rounded_slopes")
    if not isinstance(e, Alibi) or path is None:
        return
    error = float(np.max(np.abs(round_to(e.slopes, "bfloat16") / e.slopes - 1)))
    if error:
        happens = f"{inputs.configuration.model_type} rounds the slopes to bfloat16"
        percent_text = printed.format_rounded(100 * error, 2)
        why = f"its biases differ from the exact biases by up to {percent_text} %"
        yield Finding(NOTE, "precision", path, happens, why)


def _check_precision(inputs: _Inputs) -> Iterator[Finding]:
    dtype = inputs.configuration.dtype
    if dtype not in ("bfloat16", "float16"):
        return
    earliest_error = (math.inf, 0)
    for sheet in inputs.sheets:
        e = sheet.encoding
        if isinstance(e, Rotary) and isinstance(e, Steady):
            exact_frequencies = e.frequencies()
            errors = np.abs(round_to(exact_frequencies, dtype) - exact_frequencies)
            pair = int(errors.argmax())
            if errors[pair]:
                earliest_error = min(earliest_error, (math.ceil(TOLERANCE / errors[pair]), pair))
    position, pair = earliest_error
    if position <= encodings.LIMIT:
        happens = f"{dtype} is not precise enough for frequencies"
        why = (
            "this concerns only programs that cast the whole model, because transformers keeps "
            f"frequencies in float32: the angle of pair {pair} is off by {TOLERANCE} rad from "
            f"position {position:,} on"
        )
        length = inputs.target or 0
        if (distinct := precision.distinct(range(length), dtype)) < length:
            effect = f"only {distinct:,} of {length:,} positions stay distinct"
            why += f", and if the program also holds positions in {dtype}, {effect}"
        yield Finding(NOTE, "precision", inputs.configuration.paths["dtype"], happens, why)
