"""Random command lines out of the declared flags, with values that are legal, odd or hostile."""

from functools import cache
from typing import NamedTuple

from pe_explorer import encodings, pictures, quantities
from pe_explorer.colours.themes import THEMES
from pe_explorer.configs import SEMANTICS
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style
from pe_explorer.files.snippet import LIBRARY_NAMES
from pe_explorer.flags import ENCODING, PLATE, WINDOW, ExportRequest, RenderSettings
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.models import models
from pe_explorer.params import Flag, Replaced, Whole, declared
from tests.endurance.inputs import TEXTS, some_value
from tests.endurance.originals import CONFIGURATIONS
from tests.flags.found import flags_of, lines

GIVEN = "given"
"""The folder beside the working folder where there are files to begin from."""
_ENDINGS = {"export": (".npy", ".csv"), "render": (".png", ".svg", ".pdf")}
_HOSTILE = (*TEXTS, "\udcff", "a\nb", "%s", "%(default)s", "{}", "'", '"', "-5", "e5", "True", "∞")
_POSITIONS = (
    *("0:50", "0:1", "0:3", "5:1:-1", "0:100:7", "-8:9", "1e12+100", "2^53+1", "-2^53+3", "0:1e3"),
    *("0+400", "2^53:-2^53:-2^50", "-2^53:2^53", "0:-1", "::", "0::2", "0:10:0", "a:b", "1+2+3"),
    *("0:2^54", "1_0:2_0", "nan:5", "0:inf", ":5", "5:", "0..5", "٣:٥", "0:100000"),
)
_LENGTHS = ("1", "8k", "128Ki", "2^53", "1e12", "0", "2^54", "1.5")
_SIZES = (
    *("240x160", "300x200", "320x240", "300x200", "84x60mm", "3.3x2.4in", "400×300"),
    *("1x1", "0x0", "16385x1", "x", "240x", "-1x5", "nanxnan", "999999x999999", "84x60", "9x9in"),
)
_TARGETS = (
    *(
        "o.txt",
        "o",
        "",
        ".",
        "gone/o{}",
        "-o{}",
        "é😀{}",
        "\udcff{}",
        "folder{}",
        "link{}",
        "loop{}",
    ),
    *("dangling{}", "pipe{}", "full{}", "a\nb{}", "../given/table.npy", "../given/full.json"),
    "//{}",
)
_FILES = [f"../given/{name}" for name in ("table.npy", "words.txt", "gone.npy")]
_JUNK = ("--bogus", "--dimm", "-x", "--", "-o", "--pin", "--session", "--help", "-h", "--version")
_FEW_WORDS = (
    *("--exhibits", "--models", "--csv", "--theme", "--theme=dark", "--version", "--help"),
    *("lisst", "--self-test"),
)
_OVERRIDES = (
    *('{"rope_theta": 1000000}', '{"rope_parameters": {"rope_type": "yarn", "factor": 4}}'),
    *('{"text_config": {"rope_scaling": null}}', '{"hidden_size": -1}', "[1]"),
)
_ELSEWHERE = (
    *("encoding", "session", "exhibit", "config", "assume", "override", "model", "layers"),
    *("help", "output", "size", "version"),
)
"""Flags that are not chosen like others."""


class Line(NamedTuple):
    """A command line, and the name that is given for the file to write, empty where none is."""

    words: list
    target: str = ""

    @property
    def opens_window(self):
        return not {"list", "export", "code", "render", "check"} & set(self.words)


def random_line(pick, files):
    commands = ("export", "render", "code", "check", "list", "window")
    command = pick.choices(commands, (8, 8, 4, 2, 1, 1))[0]
    if command == "check":
        return Line([command, *_checked(pick, files)])
    if command in ("list", "window"):
        named = [f"../{GIVEN}/{name}" for name in files]
        words = pick.choices((*_FEW_WORDS, *named, *_HOSTILE), k=pick.choice((0, 1, 1, 2, 3)))
        return Line([*(["list"] if command == "list" else []), *words])
    words, name, target = [command], pick.choice(encodings.names()), ""
    key = f"{command} {name}"
    if command == "render":
        view = pick.choice((*pictures.names(), PLATE, WINDOW))
        words.append(view if pick.random() < 0.95 else pick.choice(_HOSTILE))
        key = f"render {view} {name}"
    beginning = pick.random()
    if beginning < 0.15:
        words += ["--exhibit", pick.choice((*exhibits(), "bogus", "../start"))]
    else:
        words += ["--encoding", name]
        if beginning < 0.3:
            words += ["--session", f"../{GIVEN}/{pick.choice(files)}"]
        elif beginning < 0.4:
            words += _configuration(pick, files)
    words += _chosen_flags(key, pick, few=beginning < 0.15)
    if command == "render":
        words += ["--size", pick.choice(_SIZES[: 3 if pick.random() < 0.8 else None])]
    if command in _ENDINGS and pick.random() < 0.97:
        target = "o{}" if pick.random() < 0.8 else pick.choice(_TARGETS)
        target = target.format(pick.choice(_ENDINGS[command]))
    words += ["-o", target] if target else []
    if pick.random() < 0.06:
        words.insert(pick.randrange(len(words) + 1), pick.choice((*_JUNK, *_HOSTILE)))
    return Line(words, target)


_flags_of = cache(flags_of)
_lines = cache(lines)


def _chosen_flags(key, pick, few):
    found = _flags_of(_lines()[key])
    known = [flag for flag, meaning in found.items() if meaning not in _ELSEWHERE]
    most = 1 if few else pick.choice((1, 3, 6, 12))
    words = []
    for flag in pick.sample(known, min(len(known), pick.randint(0, most))):
        meaning = found[flag]
        parameter = _parameter(meaning, key.split()[-1])
        if isinstance(parameter, Flag) and (flag.startswith("--no-") or pick.random() < 0.7):
            words.append(flag)
            continue
        if pick.random() < 0.08:
            value = pick.choice(_HOSTILE)
        else:
            value = _text(parameter, pick) if parameter else _OTHERS[meaning](pick)
        words += [f"{flag}={value}"] if pick.random() < 0.5 else [flag, value]
    if not few and not any(word.startswith("--positions") for word in words):
        words += ["--positions", "0:20"]  # the first look at some encodings takes longer
    return words


def _parameter(meaning, name):
    """Return the declaration behind a flag; `name` is that of the encoding."""
    owner, dot, field = meaning.partition(".")
    if dot:
        cls = encodings.find(name) if owner == ENCODING else pictures.find(owner).Options
        return declared(cls)[field]
    places = map(declared, (ExportRequest, Exploration, RenderSettings, Style))
    found = (place[meaning] for place in (quantities.options(), *places) if meaning in place)
    return next(found, None)


def _text(parameter, pick):
    if isinstance(parameter, Whole) and pick.random() < 0.1:
        return f"{parameter.low - 1}"
    if isinstance(parameter, Replaced) and pick.random() < 0.3:
        return pick.choice(('{"position": "a: b"}', "x", ": a", "position: a: b"))
    return parameter.format(some_value(parameter, pick, _FILES, cheap=True))


def _pin(pick):
    name = pick.choice((*encodings.names(), "bogus", ""))
    words = [name]
    known = declared(encodings.find(name)) if name in encodings.names() else {}
    for field, parameter in known.items():
        if pick.random() < 0.3:
            words.append(f"{field}='{_text(parameter, pick)}'")
    odd = ("name='a b'", "colour=teal", "colour=x", "name=", "zz=1", "'unclosed", "=5", "")
    return " ".join((*words, pick.choice(odd)))


def _one_of(*names):
    return lambda pick: pick.choice((*names, "bogus"))


_OTHERS = {
    "positions": lambda pick: pick.choice(_POSITIONS),
    "pin": _pin,
    "panes": lambda pick: ",".join(
        pick.choices((*pictures.names(), "bogus"), k=pick.randint(1, 4))
    ),
    "arrangement": _one_of(*ARRANGEMENTS),
    "active": _one_of(*pictures.names()),
    "preset": _one_of(*PRESETS),
    "for": _one_of(*LIBRARY_NAMES),
    "figure": _one_of(*pictures.names(), "plate"),
    "theme": _one_of(*THEMES),
}
"""What is typed after the flags that are no parameters, by their names."""


def _checked(pick, files):
    words = [_configuration_file(pick, files) for _ in range(pick.choice((1, 1, 1, 2, 3)))]
    if pick.random() < 0.1:
        words.append(f"../{GIVEN}")
    if pick.random() < 0.3:
        words.append("--each")
    if pick.random() < 0.5:
        formats = ("json", "sarif", "github", "text", *_HOSTILE)
        words += pick.choice((["--json"], ["--format", pick.choice(formats)]))
    words += _assumed(pick)
    for flag in ("--semantics", "--length", "--trained"):
        if pick.random() < 0.4:
            value = pick.choice((*SEMANTICS, "all") if flag == "--semantics" else _LENGTHS)
            words += [flag, pick.choice(_HOSTILE) if pick.random() < 0.1 else value]
    return words


def _configuration_file(pick, files):
    name = f"{pick.choice(CONFIGURATIONS)}.json" if pick.random() < 0.8 else pick.choice(files)
    return f"../{GIVEN}/{name}"


def _configuration(pick, files):
    words = ["--config", _configuration_file(pick, files)]
    if pick.random() < 0.3:
        words = ["--model", pick.choice((*models(), "llama", *_HOSTILE))]
    words += _assumed(pick)
    if pick.random() < 0.5:
        words += ["--layers", pick.choice(("full_attention", "sliding_attention", *_HOSTILE))]
    return words


def _assumed(pick):
    words = []
    if pick.random() < 0.2:
        words += ["--assume", pick.choice(("llama", *_HOSTILE))]
    if pick.random() < 0.1:
        words += ["--override", pick.choice((*_OVERRIDES, *_HOSTILE))]
    return words
