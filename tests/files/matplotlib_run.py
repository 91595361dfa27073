"""Scripts for matplotlib, run in another process, and what they have drawn.

One process runs those of all tests: to start one takes longer than most scripts do.
"""

import json
import subprocess
import sys
import threading
from functools import cache

PATIENCE = 300  # seconds for one script
RUNNER = """
import json, sys, traceback, warnings
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
warnings.simplefilter("error")

def numbers(ticks, limits):
    return [tick for tick in ticks.tolist() if min(limits) <= tick <= max(limits)]

def words(text):
    shown, _ = text._preprocess_math(text.get_text())  # a formula stays as it is written
    return shown

def names_in(legend):
    return [words(text) for text in legend.get_texts()] if legend else []

def lines_of(artists):
    return [{"x": np.asarray(line.get_xdata(), float).tolist(),
             "y": np.asarray(line.get_ydata(), float).tolist(),
             "width": line.get_linewidth(), "colour": line.get_color(),
             "dashes": list(line._dash_pattern[1] or ()),
             "look": line.get_linestyle()} for line in artists]

def described(ax):
    images = [{"values": np.ma.filled(image.get_array().astype(float), np.nan).tolist(),
               "extent": list(image.get_extent()), "limits": list(image.get_clim()),
               "colours": image.cmap(np.linspace(0, 1, 5)).tolist()} for image in ax.images]
    dots = [[each.get_offsets().tolist(), each.norm(np.asarray(each.get_array())).tolist()]
            for each in ax.collections if each.get_offsets().size and each.get_array() is not None]
    return {"xlim": list(ax.get_xlim()), "ylim": list(ax.get_ylim()),
            "xlabel": words(ax.xaxis.label), "ylabel": words(ax.yaxis.label),
            "images": images, "lines": lines_of(ax.lines), "dots": dots,
            "title": words(ax.title), "legend": names_in(ax.get_legend()),
            "is_bar": hasattr(ax, "_colorbar"), "is_shown": ax.axison,
            "xticks": numbers(ax.get_xticks(), ax.get_xlim()),
            "yticks": numbers(ax.get_yticks(), ax.get_ylim())}

def drawn(script):
    plt.close("all")
    plt.style.use("default")
    plt.show = plt.Figure.savefig = lambda *_, **__: None
    exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    figure = plt.gcf()
    figure.canvas.draw()
    return {"size": figure.get_size_inches().tolist(), "dpi": figure.dpi,
            "title": words(figure._suptitle) if figure._suptitle else "",
            "legend": [name for legend in figure.legends for name in names_in(legend)],
            "axes": [described(ax) for ax in figure.axes]}

answers, sys.stdout = sys.stdout, sys.stderr  # what a script prints is no answer
for line in sys.stdin:
    try:
        said = {"drawn": drawn(json.loads(line))}
    except BaseException:  # also where a script exits
        said = {"failed": traceback.format_exc()}
    print(json.dumps(said), file=answers, flush=True)
"""


@cache
def runner():
    """Return the process, which ends with this one: nobody writes to it any more."""
    return subprocess.Popen(
        [sys.executable, "-c", RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def run_scripts(scripts):
    """Return for each script the size, the words and the axes of its figure."""
    return list(map(_run, scripts))


def _run(script):
    process = runner()
    killing = threading.Timer(PATIENCE, process.kill)
    killing.start()
    process.stdin.write(f"{json.dumps(script)}\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    killing.cancel()
    if not answer:
        process.communicate()
        runner.cache_clear()  # the next script has a process of its own
        raise AssertionError(f"the script ended its process, or ran for {PATIENCE} s")
    said = json.loads(answer)
    assert "failed" not in said, said["failed"][-3000:]
    return said["drawn"]
