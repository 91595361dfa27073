"""The output of `check --json`: stable names, and every number."""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

from pe_explorer.analysis.configuration import ConfigurationCheck
from pe_explorer.analysis.sheet import Sheet
from pe_explorer.arrays import Floats
from pe_explorer.configs import Finding

SCHEMA = 1
"""The version of the names below; it grows with each change that breaks a reader."""

_KINDS = textwrap.fill(
    "attention-factor, beyond-training, cached-keys, contradiction, default, factor-below-1, "
    "list-length, lost-base, lost-field, misplaced, missing, no-effect, no-encoding, odd-width, "
    "offset, old-name, overridden, own-code, precision, proportional, query-factor, "
    "repeated-field, softmax-factor, tokenizer, trained-length, two-forms, unknown-class, "
    "unknown-field, unknown-type, unread-field, version, versions, window",
    90,
    initial_indent=22 * " ",
    subsequent_indent=22 * " ",
    break_on_hyphens=False,
)
EXPLAINED = f"""\
--json prints one object, of schema {SCHEMA}. Lengths are in positions; what is not known is null.
  schema              {SCHEMA}; it grows when a name below goes or changes its meaning
  file                as it was given
  length, trained     as they were given
  readings            a list: one object, or with --semantics all one for each version
    semantics         the version of transformers
    model_type, dtype
    assumed           the class that an unknown one is assumed to work like, or null
    trained, stated, target   of training, of the file's promise, and the one that is looked at
    softmax_factor    of scores, besides the encoding
    counts            {{error, warning, note}}
    layers            {{layer type: object}}; none has those without positions
      indices         numbers of the layers
      window, trained, target   lengths; null where there is no such limit
      encoding        its name, or null
      parameters      {{name: value}}, those that count
      wavelengths     positions per turn of each pair; null for one that does not turn
      wavelengths_at_target   as they are at that length: dynamic and longrope change them
      unscaled_wavelengths    as they are before any scaling
      changed         numbers of the pairs that a scaling changes
      never_turned    those that made no whole turn in training, counted without scaling
      new             those that reach new angles at the target
      worst           {{pair, ratio}}: the pair whose angles grow most beyond those of training
      longest         the longest length at which no pair is new; null where every length is one
      attention_factor
    findings          a list of objects, the gravest first
      level           error, warning or note
      kind            what sort of thing it is:
{_KINDS}
      field           the path in the file, or a flag
      happens, why    what the line says; why can be empty
      layers          the layer types that it is about
      versions        the other versions that it is about"""


def as_json(
    path: str, length: int | None, trained: int | None, checks: Sequence[ConfigurationCheck]
) -> dict[str, Any]:
    """Return the output as plain values."""
    return {
        "schema": SCHEMA,
        "file": path,
        "length": length,
        "trained": trained,
        "readings": [_reading(each) for each in checks],
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
    """Return attributes whose names are those of the output."""
    return {name: getattr(value, name) for name in names}


def _numbers(numbers: Floats | None) -> list[float | None] | None:
    return None if numbers is None else [finite(number) for number in numbers.tolist()]


def finite(number: float) -> float | None:
    """Return a number for JSON: None for one that is not finite."""
    return number if math.isfinite(number) else None
