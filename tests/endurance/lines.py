"""Random command lines out of the declared flags, with values that are legal, odd or hostile."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
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
from pe_explorer.params import (
    Choice,
    FileName,
    Flag,
    Numbers,
    Optional,
    Parameter,
    Real,
    Replaced,
    Span,
    Text,
    Whole,
    declared,
)
from tests.endurance.inputs import TEXTS
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
    *(
        "dangling{}",
        "pipe{}",
        "full{}",
        "a\nb{}",
        "../given/table.npy",
        "../given/full.json",
        "//{}",
    ),
)
_JUNK = ("--bogus", "--dimm", "-x", "--", "-o", "--pin", "--session", "--help", "-h", "--version")


class Line(NamedTuple):
    """A command line, and the name that is given for the file to write, empty where none is."""

    words: list[str]
    target: str = ""

    @property
    def opens_window(self) -> bool:
        """Whether no word of it is a command: the window would open."""
        return not {"list", "export", "code", "render", "check"} & set(self.words)


def random_line(pick: Random, files: Sequence[str]) -> Line:
    """Return a command line; `files` are those in `GIVEN`."""
    commands = ("export", "render", "code", "check", "list", "window")
    command = pick.choices(commands, (8, 8, 4, 2, 1, 1))[0]
    if command == "check":
        return Line([command, *_checked(pick, files)])
    if command in ("list", "window"):
        return Line([*(["list"] if command == "list" else []), *_few_words(pick, files)])
    words = [command]
    name = pick.choice(encodings.names())
    key = f"{command} {name}"
    if command == "render":
        view = pick.choice((*pictures.names(), PLATE, WINDOW))
        words.append(view if pick.random() < 0.95 else pick.choice(_HOSTILE))
        key = f"render {view} {name}"
    beginning = pick.random()
    if beginning < 0.15:
        words += ["--exhibit", _exhibit(pick)]
    else:
        words += ["--encoding", name]
        if beginning < 0.3:
            words += ["--session", f"../{GIVEN}/{pick.choice(files)}"]
        elif beginning < 0.4:
            words += _configuration(pick, files)
    words += _chosen_flags(key, pick, few=beginning < 0.15)
    if command == "render":
        words += ["--size", pick.choice(_SIZES[: 3 if pick.random() < 0.8 else None])]
    target = _target(command, pick)
    if target:
        words += ["-o", target]
    if pick.random() < 0.06:
        words.insert(pick.randrange(len(words) + 1), pick.choice((*_JUNK, *_HOSTILE)))
    return Line(words, target)


def _few_words(pick: Random, files: Sequence[str]) -> list[str]:
    known = (
        "--exhibits",
        "--models",
        "--csv",
        "--theme",
        "--theme=dark",
        "--version",
        "--help",
        "lisst",
        "--self-test",
    )
    named = [f"../{GIVEN}/{name}" for name in files]
    return [pick.choice((*known, *named, *_HOSTILE)) for _ in range(pick.choice((0, 1, 1, 2, 3)))]


def _target(command: str, pick: Random) -> str:
    endings = _ENDINGS.get(command)
    if endings is None or pick.random() < 0.03:
        return ""
    name = "o{}" if pick.random() < 0.8 else pick.choice(_TARGETS)
    return name.format(pick.choice(endings))


# -- flags -----------------------------------------------------------------------------------------

_flags_of = cache(flags_of)
_lines = cache(lines)


def _chosen_flags(key: str, pick: Random, few: bool) -> list[str]:
    """Return some of the flags that a command has, with values."""
    found = _flags_of(_lines()[key])
    subject = ("encoding", "session", "exhibit", "config", "assume", "override", "model", "layers")
    left_out = (*subject, "help", "output", "size", "version")
    known = [flag for flag, meaning in found.items() if meaning not in left_out]
    most = 1 if few else pick.choice((1, 3, 6, 12))
    words: list[str] = []
    for flag in pick.sample(known, min(len(known), pick.randint(0, most))):
        words += _with_value(flag, found[flag], key.split()[-1], pick)
    if not few and not any(word.startswith("--positions") for word in words):
        words += ["--positions", "0:20"]  # the first look at some encodings takes longer
    return words


def _with_value(flag: str, meaning: str, name: str, pick: Random) -> list[str]:
    parameter = _parameter(meaning, name)
    if isinstance(parameter, Flag) and (flag.startswith("--no-") or pick.random() < 0.7):
        return [flag]
    if pick.random() < 0.08:
        value = pick.choice(_HOSTILE)
    elif parameter is None:
        value = _OTHERS[meaning](pick)
    else:
        value = _text(parameter, pick)
    return [f"{flag}={value}"] if pick.random() < 0.5 else [flag, value]


def _parameter(meaning: str, name: str) -> Parameter | None:
    """Return the declaration behind a flag; `name` is that of the encoding."""
    owner, dot, field = meaning.partition(".")
    if owner == ENCODING and dot:
        return declared(encodings.find(name))[field]
    if dot:
        return declared(pictures.find(owner).Options)[field]
    if meaning in quantities.options():
        return quantities.options()[meaning]
    for cls in (ExportRequest, Exploration, RenderSettings, Style):
        if meaning in declared(cls):
            return declared(cls)[meaning]
    return None


def _text(parameter: Parameter, pick: Random) -> str:
    """Return a value as it is typed, mostly a legal one that costs little."""
    if isinstance(parameter, Optional):
        return "" if pick.random() < 0.2 else _text(parameter.inner, pick)
    if isinstance(parameter, FileName):
        return f"../{GIVEN}/{pick.choice(('table.npy', 'words.txt', 'gone.npy'))}"
    if isinstance(parameter, Flag):
        return pick.choice(("on", "off"))
    if isinstance(parameter, Choice):
        return pick.choice(list(parameter.choices))
    if isinstance(parameter, Numbers | Span):
        return " ".join(_text(parameter.item, pick) for _ in range(pick.randint(1, 3)))
    if isinstance(parameter, Replaced):
        olds = ("position", "x title", "matrix y title", "{", "")
        pairs = (f"{pick.choice(olds)}: {_text(parameter.item, pick)}" for _ in range(2))
        return pick.choice((*pairs, "; ".join(pairs), '{"position": "a: b"}', "x"))
    if isinstance(parameter, Text):
        texts = ("a", "the cat sat", "DejaVu Sans", "ünï 😀", "cat the sat mat", "x" * 300)
        return pick.choice(texts)
    low, high = parameter.low, parameter.high
    if isinstance(parameter, Whole):
        small = min(high, max(low, 0) + pick.randrange(40))
        return parameter.format(pick.choice((small, small, small, parameter.default, low, low - 1)))
    assert isinstance(parameter, Real)
    near = parameter.clamp(pick.uniform(max(low, -100.0), min(high, 1000.0)))
    return parameter.format(pick.choice((near, near, parameter.default, parameter.clamp(high))))


def _pin(pick: Random) -> str:
    name = pick.choice((*encodings.names(), "bogus", ""))
    words = [name]
    known = declared(encodings.find(name)) if name in encodings.names() else {}
    for field, parameter in known.items():
        if pick.random() < 0.3:
            words.append(f"{field}='{_text(parameter, pick)}'")
    odd = ("name='a b'", "colour=teal", "colour=x", "name=", "zz=1", "'unclosed", "=5", "")
    return " ".join((*words, pick.choice(odd)))


def _exhibit(pick: Random) -> str:
    return pick.choice((*exhibits(), "bogus", "../start"))


_OVERRIDES = (
    '{"rope_theta": 1000000}',
    '{"rope_parameters": {"rope_type": "yarn", "factor": 4}}',
    '{"text_config": {"rope_scaling": null}}',
    '{"hidden_size": -1}',
    "[1]",
)


def _checked(pick: Random, files: Sequence[str]) -> list[str]:
    """Return the words after `check`: mostly a configuration, and flags."""
    words = [_configuration_file(pick, files) for _ in range(pick.choice((1, 1, 1, 2, 3)))]
    if pick.random() < 0.1:
        words.append(f"../{GIVEN}")
    if pick.random() < 0.3:
        words.append("--each")
    if pick.random() < 0.5:
        formats = ("json", "sarif", "github", "text", *_HOSTILE)
        words += pick.choice((["--json"], ["--format", pick.choice(formats)]))
    if pick.random() < 0.2:
        words += ["--assume", pick.choice(("llama", *_HOSTILE))]
    if pick.random() < 0.1:
        words += ["--override", pick.choice((*_OVERRIDES, *_HOSTILE))]
    for flag in ("--semantics", "--length", "--trained"):
        if pick.random() < 0.4:
            value = pick.choice((*SEMANTICS, "all") if flag == "--semantics" else _LENGTHS)
            words += [flag, pick.choice(_HOSTILE) if pick.random() < 0.1 else value]
    return words


def _configuration_file(pick: Random, files: Sequence[str]) -> str:
    named = [f"{name}.json" for name in CONFIGURATIONS]
    name = pick.choice(named) if pick.random() < 0.8 else pick.choice(files)
    return f"../{GIVEN}/{name}"


def _configuration(pick: Random, files: Sequence[str]) -> list[str]:
    """Return the flags that start from a configuration, a model, or what is neither."""
    words = ["--config", _configuration_file(pick, files)]
    if pick.random() < 0.3:
        words = ["--model", pick.choice((*models(), "llama", *_HOSTILE))]
    if pick.random() < 0.2:
        words += ["--assume", pick.choice(("llama", *_HOSTILE))]
    if pick.random() < 0.1:
        words += ["--override", pick.choice((*_OVERRIDES, *_HOSTILE))]
    if pick.random() < 0.5:
        words += ["--layers", pick.choice(("full_attention", "sliding_attention", *_HOSTILE))]
    return words


def _panes(pick: Random) -> str:
    names = (*pictures.names(), "bogus")
    return ",".join(pick.choice(names) for _ in range(pick.choice((1, 2, 2, 3, 4))))


_OTHERS: Mapping[str, Callable[[Random], str]] = {
    "positions": lambda pick: pick.choice(_POSITIONS),
    "pin": _pin,
    "panes": _panes,
    "arrangement": lambda pick: pick.choice((*ARRANGEMENTS, "bogus")),
    "active": lambda pick: pick.choice((*pictures.names(), "bogus")),
    "preset": lambda pick: pick.choice((*PRESETS, "bogus")),
    "for": lambda pick: pick.choice((*LIBRARY_NAMES, "bogus")),
    "figure": lambda pick: pick.choice((*pictures.names(), "plate", "bogus")),
    "theme": lambda pick: pick.choice((*THEMES, "bogus")),
}
"""What is typed after the flags that are no parameters, by their names."""
