"""Figures in files, read by other programs: their text, their cells, their size, their session."""

import re
import threading
from concurrent.futures import CancelledError

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer.app.output.figure_files import image, save
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.figures.page import PageImage, PageText, Polyline
from pe_explorer.files import session
from pe_explorer.files.png import text_of
from pe_explorer.files.session import FIGURES
from pe_explorer.params import ParameterError
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.progress import Progress
from tests.support.pages import (
    cells_of,
    colours,
    images_of_pdf,
    page_of,
    raster_of_pdf,
    run,
    table_of,
    text_of_pdf,
    whole_page,
)

pytestmark = pytest.mark.usefixtures("qapp")
every_ending = pytest.mark.parametrize("ending", FIGURES)


def saved(page, path, dpi=300, text="", progress=None):
    save(page, path, dpi, text, progress or threading.Event())
    return path


# -- PDF -------------------------------------------------------------------------------------------


def test_text_stays_text(tmp_path):
    path = saved(whole_page(), tmp_path / "f.pdf")
    words = text_of_pdf(path).split()
    assert {"wavelength", "1015", "(ω)", "dimension", "title"} <= set(words)
    fonts = run("pdffonts", path).splitlines()[2:]
    assert fonts
    assert all("TrueType" in font and " yes " in font for font in fonts)


@pytest.mark.parametrize(("width", "height"), [(84, 60), (174, 90), (20, 20), (1999, 333.3)])
def test_the_page_is_exactly_as_large_as_the_figure(tmp_path, width, height):
    wide, high = width * 72 / 25.4, height * 72 / 25.4
    path = saved(page_of(width=wide, height=high), tmp_path / "f.pdf")
    words = next(line for line in run("pdfinfo", path).splitlines() if "Page size" in line).split()
    assert float(words[2]) == pytest.approx(wide, abs=0.02)
    assert float(words[4]) == pytest.approx(high, abs=0.02)
    raster = raster_of_pdf(path, 300, round(300 * height / width))
    assert (raster == 255).all()


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (300, 7), (513, 400)])
def test_cells_of_a_table_are_embedded_exactly(tmp_path, size):
    picture = cells_of(*size, (10, 10, 90, 60))
    (found,) = images_of_pdf(saved(page_of(picture), tmp_path / "f.pdf"))
    np.testing.assert_array_equal(found, picture.colours[picture.cells])


def test_several_images_are_embedded_in_their_order(tmp_path):
    rng = np.random.default_rng(3)
    free = rng.integers(0, 256, (4, 5, 4), dtype=np.uint8)
    free[..., 3] = 255
    pictures = (
        cells_of(3, 4, (5, 5, 30, 30), seed=1),
        PageImage(free, Rectangle(40, 5, 30, 30)),
        cells_of(1, 1, (80, 5, 30, 30), seed=2),
    )
    path = saved(page_of(*pictures), tmp_path / "f.pdf")
    for picture, found in zip(pictures, images_of_pdf(path), strict=True):
        np.testing.assert_array_equal(found, picture.rgba)
    raster = raster_of_pdf(path, 480, 360)
    assert tuple(raster[80, 380]) == tuple(pictures[2].rgba[0, 0])


def test_cells_without_colour_leave_the_ground(tmp_path):
    table = table_of()
    table[255] = 0
    cells = np.array([[1, 255], [255, 2]], dtype=np.uint8)
    page = page_of(PageImage(cells, Rectangle(10, 10, 100, 60), table), ground="#e0e8f0")
    raster = raster_of_pdf(saved(page, tmp_path / "f.pdf"), 480, 360)
    assert tuple(raster[60, 60]) == tuple(table[1])
    assert tuple(raster[60, 400]) == (0xE0, 0xE8, 0xF0, 255)
    half = np.zeros((1, 2, 4), dtype=np.uint8)
    half[0, 1] = (255, 0, 0, 128)
    page = page_of(PageImage(half, Rectangle(10, 10, 100, 60)))
    raster = raster_of_pdf(saved(page, tmp_path / "g.pdf"), 480, 360)
    np.testing.assert_allclose(raster[160, 400], (255, 127, 127, 255), atol=2)
    assert (raster[160, 60] == 255).all()


def test_what_the_file_says_of_itself(tmp_path):
    page = page_of(title="Sines <of> ω & \u65e5")
    path = saved(page, tmp_path / "f.pdf", text=session.shared(Exploration()))
    told = run("pdfinfo", path)
    assert "Sines <of> ω & \u65e5" in told
    assert "PE Explorer" in told
    author = next(line for line in told.splitlines() if line.startswith("Author"))
    assert author.partition(":")[2].strip() == ""
    metadata = run("pdfinfo", "-meta", path)
    assert "Sines &lt;of&gt; ω &amp; \u65e5" in metadata
    assert "<pe-explorer:session " in metadata
    assert "Date" not in told + metadata


@every_ending
def test_the_same_figure_is_the_same_bytes(tmp_path, ending):
    page, text = whole_page(), session.shared(Exploration())
    first, again = (saved(page, tmp_path / f"{name}{ending}", text=text) for name in "ab")
    assert first.read_bytes() == again.read_bytes()


def test_a_pdf_file_has_names_of_its_own(tmp_path):
    one, other = (
        cells_of(6, 9, (20, 12, 90, 30), seed) for seed in (0, 1)
    )  # which differ only in what is appended
    names = set()
    for number, cells in enumerate((one, other)):
        data = saved(page_of(cells), tmp_path / f"{number}.pdf").read_bytes()
        found = re.findall(rb"/ID \[ <([0-9a-f]+)> <([0-9a-f]+)> \]", data)
        assert len(set(sum(found, ()))) == 1
        names.add(found[0])
    assert len(names) == 2


# -- PNG -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ground", ["#ffffff", ""])
def test_the_file_holds_the_picture(tmp_path, ground):
    page = whole_page()._replace(ground=ground, width=119.7, height=88.3)
    path = saved(page, tmp_path / "f.png", dpi=150)
    read, drawn = QImage(str(path)), image(page, 150)
    np.testing.assert_allclose(colours(read).astype(int), colours(drawn).astype(int), atol=0)
    assert read.hasAlphaChannel() == (ground == "")
    assert read.dotsPerMeterX() == round(150 / 0.0254)
    assert text_of(path.read_bytes()) == {"Title": "A title", "Software": "PE Explorer 0.1.0"}


# -- all kinds -------------------------------------------------------------------------------------


@every_ending
@pytest.mark.parametrize(
    "said",
    [
        "<pe-explorer:session>{}</pe-explorer:session>",
        "Box [0 0 1.0 2.0]",
        "/MediaBox [0 0 1.0 2.0]",
        "trailer <<",
    ],
)
def test_sessions_come_back_whatever_else_the_file_says(tmp_path, ending, said):
    state = Exploration(start=-7, count=20, pins=(Pin(Exploration().encoding, said),))
    extra = {"later": ["<&>\"'", "é 日本 \U0001f600", "]]>", "--"]}
    cells = PageImage(np.zeros((2, 3, 4), dtype=np.uint8), Rectangle(10, 10, 30, 20))
    page = page_of(cells, PageText(said, 10, 50, 6, "#000000"), title=said)
    path = saved(page, tmp_path / f"f{ending}", text=session.shared(state, extra))
    found = session.read(path)
    assert (found.state, dict(found.extra), found.notes) == (state, extra, ())
    if ending == ".pdf":
        whole = path.read_bytes()
        table = int(whole.rsplit(b"startxref", 1)[1].split()[0])
        before = int(whole.split(b"/Prev ", 1)[1].split()[0])
        assert whole[table:].startswith(b"xref")
        assert whole[before:].startswith(b"xref")


@every_ending
def test_a_file_without_a_session_says_so(tmp_path, ending):
    path = saved(page_of(), tmp_path / f"f{ending}")
    with pytest.raises(session.SessionError, match="without a session; choose one that was"):
        session.read(path)


@every_ending
def test_no_file_names_a_folder(tmp_path, ending, monkeypatch):
    home = tmp_path / "home-of-someone"
    home.mkdir()
    for name in ("HOME", "USER", "LOGNAME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    path = saved(whole_page(), home / f"f{ending}", text=session.shared(Exploration(), {}, home))
    data = path.read_bytes()
    for word in ("home-of-someone", tmp_path.name):
        for coding in ("utf-8", "utf-16-be", "utf-16-le"):
            assert word.encode(coding) not in data


@every_ending
@pytest.mark.parametrize("limit", [0.0, 0.1, 0.3, 0.5, 0.7])
def test_a_large_figure_can_be_stopped_at_any_time_and_leaves_what_was_there(
    tmp_path, ending, limit
):
    path = tmp_path / f"f{ending}"
    path.write_bytes(b"before")
    told = []

    class Stopping(Progress):
        def report(self, share, phase=""):
            told.append(share)
            if share >= limit:
                self.set()

    page = page_of(cells_of(5000, 300, (0, 0, 120, 90)), cells_of(5000, 300, (0, 0, 120, 90)))
    with pytest.raises(CancelledError):
        saved(page, path, dpi=1200, progress=Stopping())
    assert told == sorted(told)
    assert told[-1] < limit + 0.25
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(ParameterError, match=r"must end in \.png, \.pdf, \.svg"):
        saved(page_of(), tmp_path / "f.gif")
    assert list(tmp_path.iterdir()) == []


def test_curves_of_the_pdf_are_strokes(tmp_path):
    """A thin line is a stroke with its width, and no outline that is filled."""
    line = Polyline(np.array([[10.0, 10], [100, 80]]), "#000000", 0.4)
    thin, wide = (
        raster_of_pdf(saved(page_of(each), tmp_path / "f.pdf"), 1200, 900)
        for each in (line, line._replace(width=4.0))
    )
    ink = [(1 - raster[..., 0] / 255).sum() for raster in (thin, wide)]
    assert ink[1] / ink[0] == pytest.approx(10, rel=0.05)
