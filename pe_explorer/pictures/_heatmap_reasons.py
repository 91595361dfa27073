"""Why there is nothing to see in a heatmap, in sentences."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import LIMIT, Periodic
from pe_explorer.params import capitalised
from pe_explorer.pictures._heatmap_options import HeatmapOptions

__all__ = ["why_no_rows", "why_nothing"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_FLAT = 0.06  # of the value range: a picture that varies less shows nothing


def why_no_rows(subject: Subject, wanted: range) -> str:
    """Return why no row of pixels has anything to show."""
    for e in subject.encodings:
        if e.shortage:
            return f"{capitalised(e.shortage)}."
    domain, plural = subject.domain, subject.encoding.rows.plural
    first, last = domain[0], domain[-1]
    rows = f"There are rows for the {plural} {first:,} to {last:,} only"
    if first in wanted or wanted[0] in domain:
        return f"{rows}, fewer than a pixel stands for here."
    return f"{rows}, and none of them is shown."


def why_nothing(
    subject: Subject,
    options: HeatmapOptions,
    block: int,
    columns: Ints,
    group: int,
    values: Floats,
    levels: tuple[float, float],
) -> tuple[str, float]:
    """Return why there is nothing to see, and the wavelength to zoom to; else ("", 0).

    The values are those of `columns` of the subject in groups, for blocks of positions.
    """
    if subject.less is not None and not _differ(subject, options, values, columns[::group]):
        single = block == group == 1
        where = "at every position" if single else "in every pixel"
        return f"The two agree {where} shown.", 0.0
    if block == 1 or options.shows_errors:
        return "", 0.0
    period = _longest_period(subject, options, columns)
    if not 0 < period <= LIMIT:  # a wave longer than all positions is flat for another reason
        return "", 0.0
    level = _level_everywhere(subject, options, values, levels)
    if not level:
        return "", 0.0
    compares_angles = options.shows_angles and subject.less is not None
    which = "every two waves against each other" if compares_angles else "every wave"
    positions = f"A pixel stands for {block:,} positions, many turns of {which}"
    return f"{positions}: the {level} everywhere.", period


def _differ(subject: Subject, options: HeatmapOptions, values: Floats, columns: Ints) -> bool:
    """Return whether two encodings differ; also where angles cancel, and where nothing is shown."""
    differences = values
    if options.shows_angles:
        with_wave = subject.angles.wave_of[columns] >= 0
        differences = values[:, with_wave] % 360.0
    return bool(differences.any()) or not differences.size


def _longest_period(subject: Subject, options: HeatmapOptions, shown: Ints) -> float:
    """Return the longest period of some columns, 0 where none repeats."""
    if options.shows_angles:
        return float(subject.angles.periods()[shown].max(initial=0.0))
    longest = 0.0
    for e, columns in zip(subject.encodings, subject.columns, strict=False):
        if isinstance(e, Periodic):
            longest = max(longest, float(e.periods()[columns[shown]].max(initial=0.0)))
    return longest


def _level_everywhere(
    subject: Subject, options: HeatmapOptions, values: Floats, levels: tuple[float, float]
) -> str:
    """Return what all pixels show, where they hardly differ; else an empty text."""
    if not options.averages:
        return ""
    if options.shows_angles:
        return "" if np.isfinite(values).any() else "angles cancel"
    if subject.less is not None or subject.encoding.value_range is None:
        return ""  # the levels follow the values
    if np.ptp(values) >= _FLAT * (levels[1] - levels[0]):
        return ""
    mean = round(float(np.mean(values)), 2) + 0.0  # no minus before a zero
    return f"mean is {mean:g}"
