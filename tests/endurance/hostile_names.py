"""Names that shells, Python, markup and formulas would read otherwise, in what is really run."""

import json
import os
import subprocess
import sys
import threading
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np

from pe_explorer import encodings, pictures
from pe_explorer.app.application import Application
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.figure_code import figure_code
from pe_explorer.files.figure_request import FigureRequest, carried_by
from pe_explorer.files.snippet import snippet
from pe_explorer.flags import RenderSettings, render_line
from pe_explorer.model.steps import at_once
from pe_explorer.params import ParameterError
from tests.endurance.limits import check_sentence
from tests.support.processes import ENVIRONMENT

_TIMES = 2  # figures in a round
_SIZE = FigureSize(84, 60, "mm")
_ROWS = range(6)
_OF_TIME = (b"/CreationDate", b"/ModDate", b"/ID")
_MARK = "executed"
"""The file that is there if something of a name was executed."""
_SHELL = (
    *(f"$(touch {_MARK})", f"`touch {_MARK}`", f"; touch {_MARK};", f"| touch {_MARK}"),
    *(f"&& touch {_MARK}", "~root", "*", "{a,b}", "!!", "#c", "${x}", "-rf", "--help", "-o x"),
)
_PYTHON = f"import os; os.system('touch {_MARK}')"
_CODE = (
    *(f"'); {_PYTHON}; ('", f'"); {_PYTHON} #', f"a\n{_PYTHON}", f"\x0c{_PYTHON}"),
    *(f"\u2028{_PYTHON}", f'""" + {_PYTHON} + """', "'''", '"""', "\\", "a\\", "\\'"),
    *("{0}", "%(a)s", "a'b", 'a"b'),
)
_MARKUP = (
    *("$x^2$", "$\\frac{", "<script>alert(1)</script>", "]]>", "&amp;&#0;", "</title></svg>"),
    *("</pe-explorer:session>", "(a) Tj ET", "endstream endobj", "é😀\u202e", "\x1b[31m", "a\r\nb"),
    *(" lead", "trail ", "a\tb", "_under", "=cmd|'/C calc'!A0", "\ufeff", "\ud800", "."),
)
_RUNNER = """
import json, sys, warnings
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
warnings.simplefilter("ignore")  # of letters that the font does not have
plt.show = lambda: None
plt.Figure.savefig = lambda *_: None  # into PDF, matplotlib 3.10 cannot write U+FEFF
script, code = json.load(sys.stdin)
exec(compile(script, "script", "exec"), {"__name__": "__main__"})
figure = plt.gcf()
figure.canvas.draw()
top = max(axes.get_position().y1 for axes in figure.axes)
above = [line for line in figure.texts if line.get_position()[1] > top]
lines = [line for line in above if line.get_ha() == "center"]
title = "".join(line._preprocess_math(line.get_text())[0] for line in lines)
names = {}
exec(compile(code, "code", "exec"), names)
print(json.dumps([title, names["table"].tolist()]))
"""


def check(place, pick, careless):
    """Copy commands and scripts with hostile names, and run them as a person would.

    Raises `AssertionError` where they do not draw the same, or do anything else. Where it is
    `careless`, words are quoted as nobody should.
    """
    _application()
    command = place / "bin" / "pe-explorer"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pe_explorer "$@"\n')
    command.chmod(0o755)
    with patch("shlex.quote", '"{}"'.format) if careless else nullcontext():
        for number in range(_TIMES):
            folder = place / str(number)
            folder.mkdir()
            os.chdir(folder)
            _check_one(folder, pick)


@cache
def _application():
    """Return the application, which draws figures; there can be only one."""
    return Application("light")


def _check_one(folder, pick):
    view = pick.choice(("heatmap", "distances", "tokens"))
    pinned = encodings.create("sinusoidal", dim=8, base=500.0)
    pin = _accepted(pick, lambda name: Pin(pinned, name))
    state = Exploration(encoding=_encoding(folder, pick), count=len(_ROWS), pins=(pin,))
    if view == "tokens":
        options = pictures.with_options
        state = _accepted(pick, lambda name: options(state, view, sentence=f"{name} x"))
    state = resolve(state, DirectStore())
    style = _accepted(pick, lambda name: Style(title=name))
    if pick.random() < 0.5:
        style = _accepted(pick, lambda name: replace(style, font=name))
    before = sorted(os.listdir(folder))
    target = folder / f"{_file_name(pick)}{pick.choice(('.svg', '.pdf', '.png'))}"
    order = figure_order.Order(view, state, style, _SIZE)
    page = at_once(figure_order.laid_out(order))
    shared = carried_by(FigureRequest(view, _SIZE, style), state, {}, target)
    figure_files.save(page, target, order.dpi, shared, threading.Event())
    own = _but_for_the_time(target)
    target.unlink()
    line = render_line(view, state, _SIZE, RenderSettings(), target, style)
    _run(["bash", "-c", line.encode("utf-8", "surrogateescape")], line)
    assert sorted(os.listdir(folder)) == sorted([*before, target.name]), os.listdir(folder)
    assert _but_for_the_time(target) == own, f"{target.name} is not the same"
    assert session.read(target).state.pins[0].name == state.intention.pins[0].name
    script = figure_code((view,), state, style, _SIZE, "", threading.Event())
    scripts = json.dumps([script, snippet(state.encoding, _ROWS)])
    printed = _run([sys.executable, "-c", _RUNNER], script, scripts.encode())
    title, table = json.loads(printed.splitlines()[-1])
    drawn, wanted = ("".join(text.split()) for text in (title, style.title))
    assert drawn == wanted, f"{title!r} instead of {style.title!r}"
    np.testing.assert_allclose(table, state.encoding.table(_ROWS), rtol=0, atol=1e-15)
    assert sorted(os.listdir(folder)) == sorted([*before, target.name]), os.listdir(folder)


def _encoding(folder, pick):
    if pick.random() < 0.3:
        return encodings.create("sinusoidal", dim=8)
    path = folder / f"{_file_name(pick)}.npy"
    np.save(path, np.random.default_rng(pick.randrange(99)).standard_normal((60, 6)))
    try:
        return encodings.create("learned", file=str(path))
    except ParameterError as error:
        check_sentence(error.sentence, path)
        path.unlink()
        return _encoding(folder, pick)


def _name(pick):
    parts = [pick.choice(pick.choice((_SHELL, _CODE, _MARKUP))) for _ in range(pick.randint(1, 3))]
    return pick.choice(("", " ", "x")).join(parts)


def _file_name(pick):
    name = _name(pick).replace("/", "_").encode("utf-8", "replace").decode()
    return name if name.strip(" .") else "_"


def _accepted(pick, make):
    """Return what `make` makes of a name, the first that it does not refuse in a sentence."""
    while True:
        try:
            return make(_name(pick))
        except ParameterError as error:
            check_sentence(error.sentence)


def _but_for_the_time(path):
    lines = path.read_bytes().splitlines()
    return [line for line in lines if not line.startswith(_OF_TIME)]


def _run(command, what, data=b""):
    """Run a command as it is pasted into a shell, and return what it prints."""
    variables = ENVIRONMENT | {"PATH": f"{Path.cwd().parent / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(
        command, input=data, env=variables, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, f"{what}\n{done.stderr.decode(errors='replace')[-2000:]}"
    return done.stdout.decode()
