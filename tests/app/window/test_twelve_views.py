"""A window with twelve views: it opens as small as with three, and draws only what is seen."""

import json
import re
import shutil

from tests.support.processes import ROOT, run_program

TWELVE = 12

SCRIPT = """
import json
from PySide6.QtTest import QTest
from pe_explorer import pictures, views
from pe_explorer.app.application import Application
from pe_explorer.app.window.main_window import MainWindow

app = Application("light")
computed = []

def wait_for_pictures():
    # Those of the panes come; then there is time in which others would.
    for _ in range(6000):
        if len(set(computed)) >= 3:
            break
        QTest.qWait(10)
    QTest.qWait(300)

for name in pictures.names():
    picture = pictures.find(name)
    def counted(cls, state, size, cancelled, own=picture.compute.__func__):
        computed.append(cls.name)
        return own(cls, state, size, cancelled)
    picture.compute = classmethod(counted)
window = MainWindow()
window.resize(1280, 800)
window.show()
wait_for_pictures()
at_start, hint = sorted(set(computed)), window.minimumSizeHint()
computed.clear()
window.model.set_encoding(base=500.0)
wait_for_pictures()

ends = [b.mapTo(window, b.rect().bottomLeft()).y() for b in window.rail.buttons.values()]
print(json.dumps({
    "names": pictures.names(), "built": sorted(window.workspace.built), "at_start": at_start,
    "after_an_edit": sorted(set(computed)), "size": [window.width(), window.height()],
    "least": [hint.width(), hint.height()], "bottom_of_the_rail": max(ends),
}))
window.leave()
"""


def with_twelve_views(folder):
    """Copy the program, with copies of its heatmap under other names until there are twelve."""
    for part in ("pe_explorer", "resources"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    package, resources = folder / "pe_explorer", folder / "resources"
    present = len(list((resources / "icons").glob("view-*.svg")))
    for number in range(TWELVE - present):
        name = f"copy{number}"
        heatmap = package / "pictures" / "heatmap" / "__init__.py"
        picture = heatmap.read_text(encoding="utf-8")
        picture = picture.replace('= "heatmap"', f'= "{name}"').replace(
            '= "Heatmap"', f'= "Copy {number}"'
        )
        picture = re.sub(r"(rank: ClassVar\[int\] = )\d+", rf"\g<1>{40 + number}", picture)
        (package / "pictures" / f"{name}.py").write_text(picture, encoding="utf-8")
        view = (package / "views" / "heatmap.py").read_text(encoding="utf-8")
        view = view.replace("pe_explorer.pictures.heatmap", f"pe_explorer.pictures.{name}")
        (package / "views" / f"{name}.py").write_text(view, encoding="utf-8")
        shutil.copy(
            resources / "icons" / "view-heatmap.svg", resources / "icons" / f"view-{name}.svg"
        )


def test_twelve_views_need_only_their_files(tmp_path):
    with_twelve_views(tmp_path)
    places = {"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)}
    done = run_program(tmp_path, program=("-c", SCRIPT), QT_QPA_PLATFORM="offscreen", **places)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found["names"]) == TWELVE
    first = ["clocks", "distances", "heatmap"]
    assert found["built"] == found["at_start"] == found["after_an_edit"] == first
    assert found["size"] == [1280, 800]
    assert found["least"][0] <= 800
    assert found["least"][1] <= 560
    assert found["bottom_of_the_rail"] <= 800
