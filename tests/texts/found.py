"""What can be read in each view of each encoding, and of what can be chosen, with # for numbers."""

import re
import threading
from contextlib import suppress
from itertools import islice
from pathlib import Path

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis.distance import METRICS
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.params import Choice, Flag, ParameterError, declared, printed
from pe_explorer.pictures.clock_texts import clock_text, count_text, wave_texts
from pe_explorer.pictures.pixels import Size
from tests.support.samples import sample
from tests.support.wanted import asked

LISTING = Path(__file__).with_name("listing.txt")
SIZE = Size(300, 200)
ALL = "every encoding"
_NUMBER = re.compile(r"(?<![\w#])\d+(?:,\d{3})*(?:\.\d+)?(?:e[+−-]?\d+)?(?!\w)")
_LIST = re.compile(r"[−+]?#(?:, [−+]?#)+")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_TINY = re.compile("[−+]?#·#⁻ⁿ")  # where it is rounding, its sign depends on NumPy's version


# -- what is read ----------------------------------------------------------------------------------


def of_figure(figure):
    """Yield the texts of a figure, as windows and pages have them."""
    yield from (figure.status, figure.caption, figure.label)
    if figure.note:
        yield from (figure.note.sentence, figure.note.offer)
    if figure.substitute:
        yield figure.substitute.why
    for panel in figure.panels:
        yield from of_panel(panel)
    if figure.clocks:
        yield from of_clocks(figure.clocks)
    if figure.table:
        yield from figure.table.titles
        for row in figure.table.rows:
            yield from row
        for row in figure.table.details:
            for detail in row:
                yield from (detail.sentence, detail.words, detail.does)


def of_panel(panel):
    """Yield the texts of axes, colour bar, legend, marks and lines."""
    yield from (panel.heading, panel.badge)
    for axis in (panel.x, panel.y):
        yield axis.title
        yield from axis.names
    if panel.cells:
        yield from (panel.cells.title, panel.cells.unit, panel.cells.brief)
    if panel.trail:
        yield panel.trail.counted[0]
    for curve in (*panel.curves, *panel.areas):
        yield from (curve.name, curve.brief, curve.lack)
    for mark in panel.marks:
        yield from (mark.name, mark.label)
    yield from (level.name for level in panel.levels)


def of_clocks(face):
    """Yield the texts below clocks, and those of the first one under the mouse."""
    yield face.counted[0]
    for texts in wave_texts(face):
        yield from texts
    yield count_text(2, 0.25, 30)
    yield from clock_text(face, 0, 7, (2, 0.25), 1).splitlines()


def of_inspection(found):
    """Yield the texts of inspector and read-out."""
    for value in found.values:
        yield from (value.name, value.text, value.help)
    yield from (*found.formula, found.lack, *found.brief)


def of_parameters(owner):
    """Yield what forms and the help of commands say of declared parameters."""
    for parameter in declared(owner).values():
        yield from (parameter.label, parameter.help, getattr(parameter, "unit", "") or "")
        if isinstance(parameter, Choice):
            yield from (*parameter.choices.values(), *parameter.texts.values())


# -- where it is read ------------------------------------------------------------------------------


def states(view, name):
    """Yield what a view shows of an encoding: with each choice, and beside another encoding."""
    picture = pictures.find(view)
    plain = Exploration(encoding=sample(name), reference=2, position=7, dimension=1, second=9)
    yield plain
    if "metric" in picture.fields | set(picture.inspected):
        yield from (plain.with_(metric=metric) for metric in METRICS)
    for field, parameter in declared(picture.Options).items():
        values = ()
        if isinstance(parameter, Choice):
            values = tuple(parameter.choices)
        elif isinstance(parameter, Flag):
            values = (True, False)
        for value in values:
            if value != parameter.default and value != "umap":  # which may not be installed
                yield pictures.with_options(plain, view, **{field: value})
    pinned = plain.with_(pins=(Pin(sample("sinusoidal", dim=16)),))
    yield pinned
    if picture.compares:
        yield from (pinned.with_(show=show) for show in ("pinned", "difference"))


def of_view(view, name):
    """Yield all texts of a view of an encoding."""
    picture, never = pictures.find(view), threading.Event()
    for intention in states(view, name):
        state = resolve(intention, DirectStore())
        try:
            pictures.check(view, state)
        except ParameterError as error:
            yield getattr(error, "sentence", str(error))
            continue
        figure = picture.figure(state, picture.compute(state, SIZE, never))
        yield from of_figure(picture.with_cursor(state, figure).as_printed())
        with suppress(ParameterError):
            yield from map(printed.text, of_inspection(picture.inspect(state, never)))


def of_quantities(name):
    """Yield the titles of what can be exported of an encoding, and why something cannot."""
    for quantity in quantities.names():
        yield quantities.find(quantity).help
        for option in quantities.find(quantity).options.values():
            yield option.help
        for metric in METRICS:
            try:
                data = quantities.data(quantity, asked(sample(name), metric=metric))
            except ParameterError as error:
                yield str(error)
            else:
                yield from islice(data.titles(), 3)


# -- the listing -----------------------------------------------------------------------------------


def normal(text):
    """Return a text on one line, with # in the place of each number."""
    text = _NUMBER.sub("#", " ".join(str(text).split()))
    text = _TINY.sub("#·#⁻ⁿ", _RAISED.sub("ⁿ", text))
    return _LIST.sub("#, …", text)


def gathered(texts_of):
    """Return the texts of some encodings, by the names of those that have them."""
    by_text = {}
    for name in encodings.names():
        for text in texts_of(name):
            if text := normal(text):
                by_text.setdefault(text, []).append(name)
    groups = {}
    for text, names in by_text.items():
        names = tuple(dict.fromkeys(names))
        key = ALL if names == tuple(encodings.names()) else ", ".join(names)
        groups.setdefault(key, set()).add(text)
    return groups


def now():
    """Return the listing of today: sections of groups of texts."""
    found = {}
    for view in pictures.names():
        picture = pictures.find(view)
        groups = gathered(lambda name, view=view: of_view(view, name))
        own = {picture.title, picture.help, *of_parameters(picture.Options)}
        groups.setdefault(ALL, set()).update(text for each in own if (text := normal(each)))
        found[f"view {view}"] = groups
    found["exports"] = gathered(of_quantities)
    found["encodings"] = gathered(lambda name: of_parameters(encodings.find(name)))
    found["cursor and range"] = {ALL: {normal(text) for text in of_parameters(Exploration) if text}}
    return found


def text(found):
    """Return a listing as it is stored."""
    lines = []
    for section, groups in found.items():
        lines.append(f"== {section}")
        for names, texts in sorted(groups.items(), key=lambda item: (item[0] != ALL, item[0])):
            lines.append(f"-- {names}")
            lines += sorted(texts)
        lines.append("")
    return "\n".join(lines)
