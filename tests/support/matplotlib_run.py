"""Scripts for matplotlib, run in a process of their own, and what they have drawn."""

import json
import subprocess
import sys

RUNNER = """
import json, sys, warnings
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

def described(ax):
    images = [{"values": np.ma.filled(image.get_array().astype(float), np.nan).tolist(),
               "extent": list(image.get_extent()), "limits": list(image.get_clim()),
               "colours": image.cmap(np.linspace(0, 1, 5)).tolist()} for image in ax.images]
    lines = [{"x": np.asarray(line.get_xdata(), float).tolist(),
              "y": np.asarray(line.get_ydata(), float).tolist(),
              "label": line.get_label(), "width": line.get_linewidth(),
              "marker": line.get_marker(), "markevery": line.get_markevery(),
              "look": line.get_linestyle()} for line in ax.lines]
    dots = [[each.get_offsets().tolist(), each.norm(np.asarray(each.get_array())).tolist()]
            for each in ax.collections if each.get_offsets().size and each.get_array() is not None]
    legend = ax.get_legend()
    return {"xlim": list(ax.get_xlim()), "ylim": list(ax.get_ylim()),
            "xlabel": words(ax.xaxis.label), "ylabel": words(ax.yaxis.label),
            "images": images, "lines": lines, "dots": dots,
            "legend": [words(text) for text in legend.get_texts()] if legend else [],
            "texts": [words(text) for text in ax.texts], "on": ax.axison,
            "above": ax.get_title("left"),
            "is_bar": ax.get_label() == "<colorbar>", "patches": len(ax.patches),
            "xticks": numbers(ax.get_xticks(), ax.get_xlim()),
            "yticks": numbers(ax.get_yticks(), ax.get_ylim())}

found = []
for script in json.load(sys.stdin):
    plt.close("all")
    plt.style.use("default")
    plt.show = lambda: None
    exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    figure = plt.gcf()
    figure.canvas.draw()
    title = words(figure._suptitle) if figure._suptitle else ""
    legends = [words(text) for each in figure.legends for text in each.get_texts()]
    found.append({"size": figure.get_size_inches().tolist(), "dpi": figure.dpi, "title": title,
                  "legend": legends, "axes": [described(ax) for ax in figure.axes]})
print(json.dumps(found))
"""


def run_scripts(scripts):
    """Return for each script the size, the title and the axes of its figure."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(list(scripts)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
