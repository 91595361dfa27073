"""Random command lines, which must succeed or print one line, and leave no partial files.

They are composed of the declared flags, with values that are legal, unusual or hostile.
"""

import json
import os
import resource
import shlex
import shutil
from functools import cache, partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np
from PySide6.QtGui import QImage

from pe_explorer import encodings, pictures, quantities
from pe_explorer.app.application import Application
from pe_explorer.colours.themes import THEMES
from pe_explorer.configs import SEMANTICS
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.figure_request import read_figure_request
from pe_explorer.files.snippet import LIBRARY_NAMES
from pe_explorer.flags import ENCODING, PLATE, WINDOW, ExportRequest, RenderSettings
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.models import models
from pe_explorer.params import Flag, TextPairs, Texts, Whole, declared
from tests.endurance import calls
from tests.endurance.inputs import PANELS, TEXTS, some_value
from tests.endurance.mutations import mutated
from tests.endurance.originals import CONFIGURATIONS, write_originals
from tests.endurance.tree import tree
from tests.flags.inventory import flags_of, lines

_INPUT_FOLDER = "given"  # the folder with input files, next to the working folder
_MAX_FILE_SIZE = 4 << 20  # bytes; larger files fail, as on a full disk
_MAX_INPUT_SIZE = 1 << 20  # bytes; the files are copied for each line
_PROCESS_INTERVAL = 100  # one of this many lines runs in a separate process
_DAMAGED_SESSIONS = 12


def run(faults, seed, size, folder, plant=()):
    app = Application("light")
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_FILE_SIZE, resource.RLIM_INFINITY))
    with calls.without_windows():
        given = folder / _INPUT_FOLDER
        given.mkdir()
        files = ["data.npy", "table.npy", "gone.json"]
        for kind, path in write_originals(folder / "originals"):
            for each in path.parent.iterdir():
                shutil.copy(each, given)
            files += [path.name] if kind == "session" else []
        pick = Random(f"{seed} given")
        for number in range(_DAMAGED_SESSIONS):
            source = given / pick.choice(files[3:])
            data = mutated(source.read_bytes(), source.suffix, pick)
            files.append(f"{number}-{source.name}")
            (given / files[-1]).write_bytes(data[:_MAX_INPUT_SIZE])
        for number, pick in faults.items(f"{seed} line", size, plant, PLANTS):
            (words, target), call = random_line(pick, files), calls.outcome_of
            if number % _PROCESS_INTERVAL == 1:
                call = calls.outcome_of_process
                while opens_window(words):
                    words, target = random_line(pick, files)
            place = folder / f"line-{number}"
            here = place / "here"
            shutil.copytree(given, place / _INPUT_FOLDER)
            here.mkdir()
            for ending in (".npy", ".csv", ".png", ".svg", ".pdf"):
                (here / f"folder{ending}").mkdir()
                (here / f"loop{ending}").symlink_to(f"loop{ending}")
                (here / f"dangling{ending}").symlink_to(f"gone/x{ending}")
                (here / f"link{ending}").symlink_to(f"folder.npy/x{ending}")
                (here / f"full{ending}").symlink_to("/dev/full")
                os.mkfifo(here / f"pipe{ending}")
            os.chdir(here)
            details = f"{shlex.join(('pe-explorer', *words))}\nin {here}"
            check = partial(_check, here, words, target, call)
            if calls.watched(faults, "a command line", check, details, limited=False):
                shutil.rmtree(place)
            os.chdir(folder)
            app.processEvents()


def _check(folder, words, target, call):
    before = tree(folder)
    outcome = call(words)
    after = tree(folder)
    changed = sorted(name for name, content in after.items() if before.get(name) != content)
    changed += sorted(before.keys() - after.keys())
    assert not [name for name in changed if name.endswith(".part")], f"partial files: {changed}"
    # Standard error may contain notes on a file or on missing parts.
    sources = ("--session", "--exhibit", "--assume", "learned")
    noted = (*sources, *(() if outcome.code else ("render", "evidence")))
    notes = any(word.startswith(noted) for word in words)
    # `check` may report an unreadable file in addition to its output.
    misleading = "check" in words
    files = [word for word in words if word.startswith(f"../{_INPUT_FOLDER}")]
    several = misleading and (len(files) > 2 or bool({"--each", "--format"} & {*words}))
    calls.check_outcome(outcome, notes=notes, misleading=misleading, several=several)
    if outcome.code and "the data are complete" not in outcome.err:
        assert not changed, f"exit code {outcome.code}, and changed {changed}"
    elif changed and target:
        _check_written(list(map(Path, changed)), folder / _INPUT_FOLDER)


def _check_written(changed, given):
    """Check the content of a file, and that the command in the file writes the same again."""
    beside = [path for path in changed if path.name.endswith(".session.json")]
    (written,) = set(changed) - set(beside)
    first = written.read_bytes()
    if written.suffix == ".npy":
        assert np.load(written, allow_pickle=False).ndim > 0
    elif written.suffix == ".csv":
        assert len(first.decode().splitlines()) > 1
    elif written.suffix == ".png":
        assert not QImage.fromData(first).isNull()
    else:
        assert first[:4] in (b"%PDF", b"<?xm")
    if written.suffix in session.DATA_SUFFIXES:
        if not beside:
            return
        session.read(written)  # the session may have notes, for example on misspelt keys
        document = json.loads(beside[0].read_text(encoding="utf-8"))
        again, tables = written.name, document.get(session.TABLES_KEY, ())
        words = shlex.split(document[session.COMMAND_KEY])[1:]
    else:
        try:
            request = read_figure_request(session.read(written).extra)
        except session.SessionError:  # written with --carry omit
            return
        if request is None:  # a picture of the window
            return
        again, tables = f"again{written.suffix}", ("table.npy", "words.txt")
        words = ["render", "--session", written.name, "-o", again]
    for name in tables:  # files in other folders are named without folders
        if not (written.parent / name).exists():
            if not (given / name).exists():  # the file of an exhibit, which belongs to the program
                return
            shutil.copy(given / name, written.parent)
    os.chdir(written.parent)
    outcome = calls.outcome_of(words)
    assert outcome.code == 0, f"{words}: {outcome.err}"
    assert written.with_name(again).read_bytes() == first, f"{words} writes something else"


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
    *("o.txt", "o", "", ".", "gone/o{}", "-o{}", "é😀{}", "\udcff{}", "folder{}", "link{}"),
    *("loop{}", "dangling{}", "pipe{}", "full{}", "a\nb{}", "//{}"),
    *("../given/table.npy", "../given/full.json"),
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
_SEPARATE_FLAGS = (  # flags that other functions choose
    *("encoding", "session", "exhibit", "config", "assume", "override", "model", "layers"),
    *("help", "output", "size", "version"),
)


def opens_window(words):
    return {"list", "export", "code", "render", "check"}.isdisjoint(words)


def random_line(pick, files):
    """Return a random command line, and the name of the file to write, or an empty text."""
    commands = ("export", "render", "code", "check", "list", "window")
    command = pick.choices(commands, (8, 8, 4, 2, 1, 1))[0]
    if command == "check":
        return [command, *_checked(pick, files)], ""
    if command in ("list", "window"):
        named = [f"../{_INPUT_FOLDER}/{name}" for name in files]
        words = pick.choices((*_FEW_WORDS, *named, *_HOSTILE), k=pick.choice((0, 1, 1, 2, 3)))
        return [*(["list"] if command == "list" else []), *words], ""
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
            words += ["--session", f"../{_INPUT_FOLDER}/{pick.choice(files)}"]
        elif beginning < 0.4:
            words += _configuration(pick, files)
    words += _chosen_flags(key, name, pick, few=beginning < 0.15)
    if command == "render":
        words += ["--size", pick.choice(_SIZES[: 3 if pick.random() < 0.8 else None])]
    if command in _ENDINGS and pick.random() < 0.97:
        target = "o{}" if pick.random() < 0.8 else pick.choice(_TARGETS)
        target = target.format(pick.choice(_ENDINGS[command]))
    words += ["-o", target] if target else []
    if pick.random() < 0.06:
        words.insert(pick.randrange(len(words) + 1), pick.choice((*_JUNK, *_HOSTILE)))
    return words, target


_flags = cache(lambda key: flags_of(lines()[key]))


def _chosen_flags(key, name, pick, few):
    found = _flags(key)
    known = [flag for flag, meaning in found.items() if meaning not in _SEPARATE_FLAGS]
    classes = (Style, RenderSettings, Exploration, ExportRequest)
    shared = {name: kind for cls in classes for name, kind in declared(cls).items()}
    shared |= quantities.options()
    most = 1 if few else pick.choice((1, 3, 6, 12))
    words = []
    for flag in pick.sample(known, min(len(known), pick.randint(0, most))):
        owner, dot, meaning = found[flag].rpartition(".")
        if dot:
            is_encoding = owner == ENCODING
            cls = encodings.find(name) if is_encoding else pictures.find(owner).Options
            parameter = declared(cls)[meaning]
        else:
            parameter = shared.get(meaning)
        if isinstance(parameter, Flag) and (flag.startswith("--no-") or pick.random() < 0.7):
            words.append(flag)
            continue
        if pick.random() < 0.08:
            value = pick.choice(_HOSTILE)
        else:
            value = _text(parameter, pick) if parameter else _other(meaning, pick)
        words += [f"{flag}={value}"] if pick.random() < 0.5 else [flag, value]
    if not few and not any(word.startswith("--positions") for word in words):
        words += ["--positions", "0:20"]  # the first use of some encodings takes longer
    return words


def _text(parameter, pick):
    if isinstance(parameter, Whole) and pick.random() < 0.1:
        return f"{parameter.low - 1}"
    if isinstance(parameter, Texts) and not parameter.words:
        return pick.choice((*PANELS, "bogus", "heatmap zz=1", "waves base=x", "clocks '"))
    if isinstance(parameter, TextPairs) and pick.random() < 0.3:
        return pick.choice(('{"position": "a: b"}', "x", ": a", "position: a: b"))
    return parameter.format(some_value(parameter, pick, _FILES, cheap=True))


def _other(meaning, pick):
    if meaning == "pin":
        name = pick.choice((*encodings.names(), "bogus", ""))
        words = [name]
        known = declared(encodings.find(name)) if name in encodings.names() else {}
        for field, parameter in known.items():
            if pick.random() < 0.3:
                words.append(f"{field}='{_text(parameter, pick)}'")
        odd = ("name='a b'", "colour=teal", "colour=x", "name=", "zz=1", "'unclosed", "=5", "")
        return " ".join((*words, pick.choice(odd)))
    names = {
        "positions": _POSITIONS,
        "panes": pictures.names(),
        "arrangement": ARRANGEMENTS,
        "active": pictures.names(),
        "preset": PRESETS,
        "for": LIBRARY_NAMES,
        "figure": (*pictures.names(), "plate"),
        "theme": THEMES,
    }
    count = pick.randint(1, 4) if meaning == "panes" else 1
    return ",".join(pick.choices((*names[meaning], "bogus"), k=count))


def _checked(pick, files):
    words = [_configuration_file(pick, files) for _ in range(pick.choice((1, 1, 1, 2, 3)))]
    if pick.random() < 0.1:
        words.append(f"../{_INPUT_FOLDER}")
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
    return f"../{_INPUT_FOLDER}/{name}"


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


def _planted(code, err, name=""):
    def command(words):
        if name:
            Path(name).touch()
        return calls.Outcome(code, "", err)

    return patch.multiple(calls, outcome_of=command, outcome_of_process=command)


PLANTS = {
    "code": partial(_planted, 3, "pe-explorer: planted\n"),
    "lines": partial(_planted, 2, "pe-explorer: planted\nin two lines\n"),
    "part": partial(_planted, 2, "pe-explorer: planted\n", ".o.npy.0.part"),
    "left": partial(_planted, 2, "pe-explorer: planted\n", "o.npy"),
}
