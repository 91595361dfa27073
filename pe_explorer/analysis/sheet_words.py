"""The sheets of a configuration as rows of text, with a column for each layer type."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from pe_explorer.analysis.configuration import ConfigurationCheck
from pe_explorer.analysis.sheet import Sheet
from pe_explorer.arrays import Floats, Ints
from pe_explorer.configs import META, MISTRAL, UNKNOWN_CLASS
from pe_explorer.encodings import Waves
from pe_explorer.encodings.alibi import Alibi
from pe_explorer.params import printed, to_one_line

TextRows = list[tuple[str, list[str]]]
"""A label and one text per layer type for each row; a text can be empty."""

_MAX_RUNS = 4  # maximum number of runs of consecutive layers to list


def format_heading(check: ConfigurationCheck) -> str:
    """Return a heading that states the class of a configuration and the rules for reading it."""
    model = to_one_line(check.model_type) or "a model"
    if check.assumed:
        known_class = f"{check.assumed} in transformers {check.semantics}"
        return f"{model}, assuming the class works like {known_class}"
    if any(finding.kind == UNKNOWN_CLASS for finding in check.findings):
        return f"{model}, an unknown class"
    return f"{model}, as {describe_reader(check.model_type, check.semantics)} reads it"


def describe_reader(model_type: str, semantics: str) -> str:
    """Return the software that reads a configuration: transformers or the publisher's code."""
    return "its publisher's code" if model_type in (MISTRAL, META) else f"transformers {semantics}"


def list_rows(check: ConfigurationCheck) -> TextRows:
    """Return the sheets of a configuration as rows of text."""
    names = dict.fromkeys(name for sheet in check.sheets for name in sheet.parameters)
    columns = [_format_sheet(sheet, names, check.softmax_factor) for sheet in check.sheets]
    rows: TextRows = []
    for row in zip(*columns, strict=True):
        labels, texts = zip(*row, strict=True)
        if any(texts):
            rows.append((to_one_line(labels[0]), list(texts)))
    return rows


def _format_sheet(
    sheet: Sheet, names: Iterable[str], softmax_factor: float
) -> Iterator[tuple[str, str]]:
    yield "layers", _format_layers(sheet)
    yield "encoding", "none" if sheet.encoding is None else sheet.encoding.name
    for name in names:
        yield name, format_value(sheet.parameters.get(name))
    yield "slopes", _format_slopes(sheet.encoding)
    yield "window", format_value(sheet.window)
    yield "training length", format_value(sheet.trained)
    yield "target length", format_value(sheet.target)
    yield "positions per turn", _format_limits(sheet.wavelengths)
    wavelengths, target_wavelengths = sheet.wavelengths, sheet.wavelengths_at_target
    if wavelengths is None or np.array_equal(wavelengths, np.asarray(target_wavelengths)):
        target_wavelengths = None
    yield "positions per turn at target length", _format_limits(target_wavelengths)
    yield "unscaled positions per turn", _format_limits(sheet.unscaled_wavelengths)
    yield "pairs changed", _format_pairs(sheet, sheet.changed)
    incomplete_pairs_text = unseen_text = length_text = ""
    if (report := sheet.report) is not None:
        incomplete_pairs_text = _format_pairs(sheet, report.never_turned)
        unseen_text = _format_pairs(sheet, report.new)
        if report.worst:
            factor = printed.format_rounded(report.worst[1])
            unseen_text += f", with angles up to {factor} times as large"
        length_text = "any" if math.isinf(report.longest) else printed.fine(report.longest)
    yield "pairs that never turned", incomplete_pairs_text
    yield "pairs with unseen angles", unseen_text
    yield "longest length without unseen angles", length_text
    has_waves = isinstance(sheet.encoding, Waves)
    yield "attention factor", printed.factor(sheet.attention_factor) if has_waves else ""
    yield "softmax factor", printed.factor(softmax_factor) if has_waves else ""


def list_differences(
    check: ConfigurationCheck, second: ConfigurationCheck
) -> list[tuple[str, str]]:
    """Return the labels of the rows that differ between two checks, with the texts of `second`.

    If the texts of a row differ between layer types, the result has an item for each layer
    type whose text changes.
    """
    values, other_values = _group_texts_by_layer(check), _group_texts_by_layer(second)
    rows: list[tuple[str, str]] = []
    for label in {**values, **other_values}:
        left, right = values[label], other_values[label]
        texts = {*right.values()}
        layers = [layer for layer in {**left, **right} if left.get(layer) != right.get(layer)]
        if layers and left.keys() == right.keys() and len({*left.values()}) == len(texts) == 1:
            rows.append((label, texts.pop()))
        else:
            rows += [(f"{label}, {to_one_line(layer)}", right.get(layer, "")) for layer in layers]
    return [(label, text or "none") for label, text in rows]


def _group_texts_by_layer(check: ConfigurationCheck) -> Mapping[str, dict[str, str]]:
    layers = [sheet.layer for sheet in check.sheets]
    rows = {label: dict(zip(layers, cells, strict=True)) for label, cells in list_rows(check)}
    return defaultdict(lambda: dict.fromkeys(layers, ""), rows)


def format_value(value: object) -> str:
    """Format a value briefly; None becomes an empty string."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        if not value:
            return "none"
        low, high = printed.format_rounded(min(value)), printed.format_rounded(max(value))
        return f"{len(value)} numbers, {low} to {high}"
    if isinstance(value, int | float):
        return "infinite" if math.isinf(value) else printed.fine(value)
    return to_one_line(str(value))


def _format_slopes(e: object) -> str:
    if not isinstance(e, Alibi):
        return ""
    slopes = e.slopes
    power = 1 << (len(slopes).bit_length() - 1)
    rule = f"2^(-8k/{power}) for k = 1 to {power}"
    if power < len(slopes):
        rule += f", then 2^(-8k/{2 * power}) for odd k"
    return f"{rule}: {printed.format_rounded(max(slopes))} to {printed.format_rounded(min(slopes))}"


def _format_layers(sheet: Sheet) -> str:
    if not sheet.indices:
        return "unknown"
    breaks = np.flatnonzero(np.diff(sheet.indices) != 1) + 1
    runs = np.split(sheet.indices, breaks)
    texts = [f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    ellipsis = ", …" if len(runs) > _MAX_RUNS else ""
    return f"{len(sheet.indices):,}: {', '.join(texts[:_MAX_RUNS])}{ellipsis}"


def _format_limits(wavelengths: Floats | None) -> str:
    if wavelengths is None:
        return ""
    lengths = wavelengths[np.isfinite(wavelengths)]
    if not len(lengths):
        return "no pair rotates"
    constant_count = len(wavelengths) - len(lengths)
    subject_and_verb = "pair does" if constant_count == 1 else "pairs do"
    remark = f"; {constant_count:,} {subject_and_verb} not rotate" if constant_count else ""
    return f"{lengths.min():,.2f} to {lengths.max():,.2f}{remark}"


def _format_pairs(sheet: Sheet, pairs: Ints | None) -> str:
    if pairs is None or sheet.waves is None:
        return ""
    total = len(sheet.waves.turns)
    return f"{len(pairs)} of {total}" + (f", from pair {pairs[0]} on" if len(pairs) else "")
