"""The metadata for operating systems agrees with the program; its icons can be read."""

import ast
import re
import sys
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QImageReader

from pe_explorer import __version__
from tests.support.images import distinct, pixels
from tests.support.processes import ROOT

PACKAGING = ROOT / "packaging"
LINUX = PACKAGING / "linux"
ID = "org.pe_explorer.pe_explorer"
MIME = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}


@pytest.fixture
def icons(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(PACKAGING))
    import icons

    icons.write(ROOT / "resources" / "icons" / "app.svg", tmp_path)
    yield icons, tmp_path
    sys.modules.pop("icons")


def test_metadata_of_the_desktop_is_consistent():
    component = ET.parse(LINUX / f"{ID}.metainfo.xml").getroot()
    kind = ET.parse(LINUX / f"{ID}.mime.xml").getroot().find("m:mime-type", MIME)
    lines = (LINUX / f"{ID}.desktop").read_text(encoding="utf-8").splitlines()
    entry = dict(line.split("=", 1) for line in lines if "=" in line)
    assert component.findtext("id") == entry["Icon"] == ID
    assert component.findtext("launchable") == f"{ID}.desktop"
    assert component.findtext("summary") == entry["Comment"]
    assert component.findtext("provides/binary") == entry["TryExec"] == "pe-explorer"
    assert entry["MimeType"] == f"{kind.get('type')};"
    assert component.findtext("provides/mediatype") == kind.get("type")
    assert kind.find("m:icon", MIME).get("name") == ID
    assert kind.find("m:glob", MIME).get("pattern") == "*.pe.json"


def test_the_newest_release_is_this_version():
    newest = ET.parse(LINUX / f"{ID}.metainfo.xml").getroot().find("releases/release")
    assert newest.get("version") == __version__
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"date-released: {newest.get('date')}\n" in cited


def test_every_system_has_its_sizes_of_the_icon(qapp, icons):
    module, folder = icons
    reader, sizes = QImageReader(str(folder / "app.ico")), []
    for number in range(reader.imageCount()):
        reader.jumpToImage(number)
        sizes.append(reader.read().width())
    assert sizes == [16, 24, 32, 48, 64, 128, 256]
    packed = (folder / "app.icns").read_bytes()
    assert (packed[:4], int.from_bytes(packed[4:8], "big")) == (b"icns", len(packed))
    widths, place = [], 8
    while place < len(packed):
        length = int.from_bytes(packed[place + 4 : place + 8], "big")
        widths.append(QImage.fromData(packed[place + 8 : place + length]).width())
        place += length
    assert widths == [16, 32, 128, 256, 512, 1024]
    for size in module.PNG_SIZES:
        image = QImage(str(folder / f"app-{size}.png"))
        assert image.size() == QSize(size, size)
        assert image.pixelColor(0, 0).alpha() == 0  # its corners are round
        assert image.pixelColor(size // 2, size // 8).alpha() == 255
    assert len(distinct(pixels(image))) > 3


def test_the_desktop_finds_menu_entry_and_icon_of_a_window(qapp):
    before, name = qapp.windowIcon(), qapp.desktopFileName()
    qapp.set_desktop_identity()
    drawn = qapp.windowIcon().pixmap(32, 32).toImage()
    assert qapp.desktopFileName() == ID
    qapp.setWindowIcon(before)
    qapp.setDesktopFileName(name)
    assert drawn.pixelColor(4, 10) == "#17324d"
    assert drawn.pixelColor(0, 0).alpha() == 0


def test_the_version_of_windows_can_be_filled_in():
    template = (PACKAGING / "windows" / "version.txt").read_text(encoding="utf-8")
    filled = template.replace("@NUMBERS@", "1, 2, 3, 0").replace("@VERSION@", "1.2.3")
    called = [node.func.id for node in ast.walk(ast.parse(filled)) if isinstance(node, ast.Call)]
    assert called[0] == "VSVersionInfo"
    assert "@" not in filled
    assert re.findall(r"'ProductVersion', '(.+?)'", filled) == ["1.2.3"]
