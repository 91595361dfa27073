"""Inputs of events: hostile texts, random explorations, damaged files."""

import json
import os

import numpy as np

from pe_explorer import encodings, params, pictures
from pe_explorer.exploration import MAX_PINS, Exploration, Pin
from pe_explorer.figures.style import CurveStyles
from pe_explorer.files import session
from tests.endurance.mutations import HOSTILE, changed_json, damaged
from tests.support.explorations import PANELS
from tests.support.pngs import PNG, with_text

TEXTS = (
    *("0", "1", "-1", "2", "3", "7", "8", "50", "64", "128", "512", "1000", "1e3", "1e4", "5e5"),
    *("1e12", "2^53", "-2^53", "2^53+1", "9007199254740992", "65536", "1_000", "1,000,000", "-0"),
    *("0.5", "0.01", "1e-5", "1.0001", "-1e6", "1e308", "1e999999999", "nan", "inf", "0x10", "--"),
    *("", "  ", "\t", "1\n2", "abc", "½", "٣", "𝟙𝟚", "😀", "\u202e12", "9" * 400, "x" * 5000),
)
_WIDTHS = (1, 2, 3, 8, 18, 64, 128, 512)  # wide encodings are rare, because they take long
_WIDTH_PARAMETERS = ("dim", "head_dim", "heads")
_TABLES = ("rows", "other  rows", "é😀", "missing")
_SHAPES = ((1, 1), (9, 4), (50, 128), (3000, 12), (20_000, 64))
_SESSIONS = 48
_CURVES = ("colour=#d62728 dash=0.1,999", "dash=dotted width=10", "colour=ink width=0.1")


def write_tables(folder, pick):
    """Write tables for learned encodings; return their names, including one of a missing file."""
    (folder / "tables").mkdir()
    paths = [folder / "tables" / f"{name}.npy" for name in _TABLES]
    for path in paths[:-1]:
        change_table(path, "replaced", pick)
    return list(map(str, paths))


def change_table(path, way, pick):
    kept = path.with_suffix(".kept")
    if way == "replaced":
        shape, kind = pick.choice(_SHAPES), pick.choice(("<f2", "<f4", "<f8", ">f4", "<i2"))
        new = path.with_suffix(".new.npy")
        numbers = np.random.default_rng(pick.randrange(100)).normal(scale=9, size=shape)
        np.save(new, numbers.astype(kind))
        new.replace(path)
    elif way == "moved away" and path.exists():
        path.replace(kept)
    elif way == "restored" and kept.exists():
        kept.replace(path)
    elif way == "deleted":
        path.unlink(missing_ok=True)
    elif way == "cut short" and path.exists():
        os.truncate(path, pick.randrange(path.stat().st_size + 1))
    elif way == "damaged" and path.exists():
        path.write_bytes(damaged(path.read_bytes(), pick))
    elif way == "written over":
        odd = np.zeros(3), np.zeros((2, 0)), np.array([["a"]]), np.ones((4, 4)) * np.nan
        np.save(path, pick.choice(odd))


TABLE_WAYS = (  # changes of table files for `change_table`
    *("replaced", "replaced", "restored", "restored", "moved away"),
    *("deleted", "cut short", "damaged", "written over"),
)


def write_files(folder, pick, tables):
    (folder / "folder").mkdir()
    (folder / "empty.json").touch()
    (folder / "loop.npy").symlink_to("loop.npy")
    (folder / "dangling.json").symlink_to("nowhere.json")
    os.mkfifo(folder / "pipe.json")
    for number in range(_SESSIONS):
        text = session.dumps(_exploration(pick, tables))
        kind = number % 6
        if kind == 1:
            document = json.loads(text)  # written by a later version with unknown encodings
            entries = [document, *document["pins"]]
            for entry in pick.sample(entries, pick.randint(1, len(entries))):
                entry["encoding"] = {"name": "x-helix", "dim": 64, "theta": pick.choice(HOSTILE)}
            text = json.dumps(document)
        data = text.encode()
        if kind == 2:
            data = changed_json(data, pick)
        if kind == 3:
            data = damaged(data, pick)
        if kind == 4:
            data = with_text(PNG, {session.PNG_KEY: text})
            data = damaged(data, pick) if pick.random() < 0.5 else data
        if kind == 5:
            (folder / f"data {number}.npy").write_bytes(b"\x93NUMPY")
        name = {4: f"session {number}.png", 5: f"data {number}.npy.session.json"}.get(kind)
        (folder / (name or f"session {number}.json")).write_bytes(data)
    known = sorted(os.fspath(path) for path in folder.iterdir())
    return [*known, *tables, f"{folder}/missing.json", f"{folder}/{'y' * 250}", "/dev/zero", ""]


def _exploration(pick, tables):
    while True:
        try:
            fields = _fields(Exploration, pick)
            count = pick.choice((0, 0, 1, 3, MAX_PINS))
            pins = [Pin(_encoding(pick, tables), **_fields(Pin, pick)) for _ in range(count)]
            kinds = {name: pictures.find(name).Options for name in pictures.names()}
            options = {name: cls(**_fields(cls, pick)) for name, cls in kinds.items()}
            e = _encoding(pick, tables)
            return Exploration(encoding=e, pins=tuple(pins), options=options, **fields)
        except params.ParameterError:
            continue  # the fields do not fit together


def _encoding(pick, tables):
    cls = encodings.find(pick.choice(encodings.names()))
    while True:
        try:
            fields = _fields(cls, pick, tables)
            narrow = {key: pick.choice(_WIDTHS) for key in _WIDTH_PARAMETERS if key in fields}
            return cls(**fields if pick.random() < 0.1 else {**fields, **narrow})
        except params.ParameterError:
            continue


def _fields(cls, pick, tables=()):
    return {name: some_value(kind, pick, tables) for name, kind in params.declared(cls).items()}


def _some_texts(parameter, pick, several):
    olds = ("position", "x title", "matrix y title", "{")
    if isinstance(parameter, params.Texts) and not parameter.words:
        return tuple(pick.choices(PANELS, k=pick.randint(0, parameter.longest)))
    if isinstance(parameter, params.Texts):
        return tuple(pick.sample((*parameter.words, *olds, "[;"), 2))
    if isinstance(parameter, CurveStyles):
        return ((pick.choice(("dimension 0", "a: b", "sinusoidal")), pick.choice(_CURVES)),)
    return tuple(zip(pick.sample(olds, 2), several(parameter.item, 2), strict=True))


def some_value(parameter, pick, tables, *, cheap=False):
    """Return a value of a parameter, often at a limit; a cheap value takes little time to draw."""

    def several(inner, count):
        return tuple(some_value(inner, pick, tables, cheap=cheap) for _ in range(count))

    if isinstance(parameter, params.Optional):
        return None if pick.random() < 0.3 else several(parameter.inner, 1)[0]
    if isinstance(parameter, params.FileName):
        return pick.choice(("", *tables))
    if isinstance(parameter, params.Flag):
        return pick.random() < 0.5
    if isinstance(parameter, params.Choice):
        return pick.choice(list(parameter.choices))
    if isinstance(parameter, params.Numbers):
        return several(parameter.item, pick.randint(1, 3)) if cheap else parameter.default
    if isinstance(parameter, params.Span):
        return several(parameter.item, 2)
    if isinstance(parameter, params.LabelledNumbers):
        both = several(parameter.item, 2), several(parameter.label_item, 2)
        return tuple(dict(zip(*both, strict=True)).items())
    if isinstance(parameter, params.TextPairs | params.Texts):
        return _some_texts(parameter, pick, several)
    if isinstance(parameter, params.Text):
        return pick.choice(("a", "cat the sat mat", "ünï 😀", "x" * parameter.longest, "日本"))
    return _some_number(parameter, pick, cheap=cheap)


def _some_number(parameter, pick, *, cheap):
    low, high, default = parameter.low, parameter.high, parameter.default
    if isinstance(parameter, params.Whole):
        near = max(low, 0) + pick.randrange(40) if cheap else default + pick.randrange(1000)
        near = parameter.clamp(near)
        most = (near, near) if cheap else (high, pick.randint(low, high))
        return pick.choice((low, default, near, near, *most))
    near = pick.uniform(max(low, -100.0), min(high, 1000.0))
    small = low + 10 ** pick.uniform(-12, 3)
    most = near if cheap else pick.choice((small, pick.uniform(low, high)))
    return pick.choice((default, *map(parameter.clamp, (high, near, most))))
