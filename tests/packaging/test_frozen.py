"""The packed program, wherever it lies and whoever starts it: run by .ci/run with -m frozen -n 0.

It is built for these tests, unless the variable PACKED names the folder of one that was built.
"""

import json
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from pe_explorer import encodings, parts
from tests.support.processes import ROOT

pytestmark = [
    pytest.mark.frozen,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="tested on Linux only"),
]

MOST_BYTES = 175e6
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
BUILD = (sys.executable, str(ROOT / "packaging" / "build.py"), "--folder-only")
NOT_INSIDE = ("umap", "numba", "scipy", "matplotlib", "pytest", "hypothesis", "mpmath", "tests")


@pytest.fixture(scope="session")
def packed(tmp_path_factory):
    if named := os.environ.get("PACKED"):
        return Path(named)
    target = tmp_path_factory.mktemp("dist")
    command = [*BUILD, "--into", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr
    return target / "pe-explorer"


@pytest.fixture(scope="session")
def moved(packed):
    """Return the program in a folder with an odd name, where nobody may write."""
    above = Path(tempfile.mkdtemp())
    above.chmod(0o755)
    folder = above / "my programs, größer 編碼" / "pe-explorer"
    shutil.copytree(packed, folder, symlinks=True)
    set_rights(above, 0o555, 0o444)
    yield folder
    set_rights(above, 0o755, 0o644)
    shutil.rmtree(above)


def set_rights(folder, of_folders, of_files):
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            runs = 0o111 if os.access(path, os.X_OK) else 0
            path.chmod(of_folders if path.is_dir() else of_files | runs)


@pytest.fixture
def place():
    """Return a folder in which everybody may write."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


def run(folder, place, *arguments, before=(), **environment):
    """Run the packed program with few variables; one that is None is taken away."""
    homes = {"HOME": str(place), "TMPDIR": str(place)}
    given = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **homes, **environment}
    variables = {name: value for name, value in given.items() if value is not None}
    options = {"capture_output": True, "text": True, "timeout": 180, "check": False}
    command = [*before, str(folder / "pe-explorer"), *arguments]
    return subprocess.run(command, cwd=place, env=variables, **options)


def assert_passes(answer, platform="offscreen"):
    """Check that a self-test found everything, and drew it on a platform."""
    assert (answer.returncode, answer.stderr) == (0, "")
    lines = answer.stdout.splitlines()
    assert f"Platform plugin: {platform}" in lines
    for kind, names in parts.discover().items():
        assert f"{kind}: {len(names)} ({', '.join(names)})" in lines
    assert sum(line.startswith("view ") for line in lines) == len(parts.discover()["views"])
    assert sum(line.startswith("file ") for line in lines) == 4
    assert lines[-1] == "self-test: passed"


def test_it_finds_all_parts_where_it_was_built(packed, place):
    assert_passes(run(packed, place, "--self-test"))
    assert list(place.iterdir()) == []


BWRAP = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"]
has_sandbox = shutil.which("bwrap") and not subprocess.call(BWRAP, stderr=subprocess.DEVNULL)
in_sandbox = pytest.mark.skipif(not has_sandbox, reason="this machine allows no sandbox")


@in_sandbox
def test_it_shows_its_window_on_an_x_server(packed, place):
    user = ("bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--ro-bind", "/", "/")
    private = ("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", place, place)
    server = ("xvfb-run", "-a", "-s", "-screen 0 1280x800x24 -noreset")
    before = (*user, *private, "--ro-bind", packed, packed, *server)
    assert_passes(run(packed, place, "--self-test", before=before), platform="xcb")


def test_where_a_part_is_missing_it_fails_its_test(packed, place):
    """The list of its parts names an encoding more than the build has packed."""
    folder = place / "pe-explorer"
    shutil.copytree(packed, folder, symlinks=True)
    (path,) = folder.rglob(parts.PARTS_FILE_NAME)
    listed = json.loads(path.read_text(encoding="utf-8"))
    listed["encodings"].append("another")
    path.write_text(json.dumps(listed), encoding="utf-8")
    answer = run(folder, place, "--self-test")
    assert answer.returncode == 1
    assert "pe-explorer --self-test: encodings: another is missing\n" in answer.stderr
    build = runpy.run_path(BUILD[1])
    assert [build["passes_its_test"](each) for each in (packed, folder)] == [True, False]


@pytest.mark.parametrize("home", ["", None, "/nowhere/at all"])
def test_it_runs_elsewhere_and_needs_no_home(moved, place, home):
    assert_passes(run(moved, place, "--self-test", HOME=home))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("home", ["/nonexistent", None])
def test_another_user_may_run_it_and_write_nothing_into_it(moved, place, home):
    tried = [*NOBODY, "touch", str(moved / "written")]
    assert subprocess.run(tried, capture_output=True, check=False).returncode != 0
    assert_passes(run(moved, place, "--self-test", before=NOBODY, HOME=home))


def test_its_commands_give_what_the_source_gives(moved, place):
    words = shlex.split("export --encoding rope --positions 1e9+7 -o table.npy")
    answer = run(moved, place, *words)
    assert answer.returncode == 0, answer.stderr
    wanted = encodings.create("rope").table(range(10**9, 10**9 + 7))
    np.testing.assert_array_equal(np.load(place / "table.npy"), wanted)
    answer = run(moved, place, *shlex.split("render clocks -o clocks.svg"))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert (place / "clocks.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_it_says_that_umap_is_not_in_it(packed, place):
    answer = run(packed, place, *shlex.split("export --what projection --method umap -o p.npy"))
    assert answer.returncode == 2
    assert "UMAP is not part of this build" in answer.stderr
    assert "pip" not in answer.stderr
    assert list(place.iterdir()) == []


def test_it_is_small_and_whole(packed):
    files = [path for path in packed.rglob("*") if path.is_file() and not path.is_symlink()]
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES
    assert [path for path in packed.rglob("*") if path.is_symlink() and not path.exists()] == []


def test_neither_umap_nor_tools_of_tests_are_inside(packed):
    from PyInstaller.archive.readers import CArchiveReader

    modules = set(CArchiveReader(str(packed / "pe-explorer")).open_embedded_archive("PYZ.pyz").toc)
    assert {"numpy", "pe_explorer.views.waves"} <= modules
    roots = {name.partition(".")[0] for name in modules}
    roots |= {path.name for path in (packed / "_internal").iterdir()}
    assert roots & set(NOT_INSIDE) == set()


def test_the_licences_of_all_are_inside(packed):
    folder = packed / "licences"
    texts = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    names = {text.partition("/")[0] for text in texts}
    wanted = {"LGPL-3.txt", "GPL-3.txt", "PE Explorer.txt", "Python.txt", "DejaVu Sans.txt"}
    wanted |= {"numpy", "pyqtgraph", "pyinstaller", "system libraries"}
    assert wanted <= names
    assert all((folder / text).stat().st_size > 100 for text in texts)


@pytest.mark.parametrize(
    "command",
    [
        "desktop-file-validate {linux}/{id}.desktop",
        "appstreamcli validate --no-net {linux}/{id}.metainfo.xml",
    ],
)
def test_the_validators_are_content(command):
    linux, name = ROOT / "packaging" / "linux", "org.pe_explorer.pe_explorer"
    words = [word.format(linux=linux, id=name) for word in command.split()]
    answer = subprocess.run(words, capture_output=True, text=True, check=False)
    output = answer.stdout + answer.stderr
    assert answer.returncode == 0, output
    assert not {"error", "warning", "hint"} & set(output.replace(":", " ").split())


def test_the_file_type_is_known_once_it_is_installed(tmp_path):
    source = ROOT / "packaging" / "linux" / "org.pe_explorer.pe_explorer.mime.xml"
    folder = tmp_path / "packages"
    folder.mkdir()
    shutil.copy(source, folder / "org.pe_explorer.pe_explorer.xml")
    subprocess.run(["update-mime-database", str(tmp_path)], check=True)
    globs = (tmp_path / "globs2").read_text(encoding="utf-8")
    assert "application/x-pe-explorer-session+json:*.pe.json" in globs


def test_it_opens_the_files_of_gtk_desktops_with_their_own_gtk(packed):
    plugins = packed / "_internal" / "PySide6" / "Qt" / "plugins" / "platformthemes"
    assert (plugins / "libqgtk3.so").is_file()
    names = {path.name for path in packed.rglob("*.so*")}
    assert {name for name in names if name.startswith(("libgtk", "libgdk", "libgobject"))} == set()


@in_sandbox
def test_it_needs_no_glib_and_no_fontconfig_of_the_system(packed, place):
    library = "import ctypes; ctypes.CDLL('{}'); print(open('/proc/self/maps').read())"
    shared = runpy.run_path(str(ROOT / "packaging" / "entry.py"))["SHARED_WITH_GTK"]
    assert {path.name for path in (packed / "_internal" / "fallback").iterdir()} == set(shared)
    hidden = []
    for name in shared:
        maps = subprocess.run(
            [sys.executable, "-c", library.format(name)], capture_output=True, text=True, check=True
        ).stdout
        (path,) = {line.split()[-1] for line in maps.splitlines() if f"/{name}" in line}
        hidden += ["--ro-bind", "/dev/null", path]
    bare = ("bwrap", "--dev-bind", "/", "/", *hidden)
    assert_passes(run(packed, place, "--self-test", before=bare))
