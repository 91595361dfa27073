"""Build the packed program in dist/: freeze, strip, test and archive it.

    python packaging/build.py

It needs the extra `package` of this project, and binutils on Linux. See packaging/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT)]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import icons  # noqa: E402
import licences  # noqa: E402
from linux import install  # noqa: E402

from pe_explorer import __version__, parts  # noqa: E402

_NOT_STRIPPED = "numpy.libs"  # strip breaks the page alignment of these libraries
_NAME = "pe-explorer"
_BUNDLE = "PE Explorer.app"
_EXECUTABLE = f"{_NAME}.exe" if sys.platform == "win32" else _NAME
_PATIENCE = 180  # seconds for a self-test, on a slow machine
_MEGABYTE = 1e6


def main() -> int:
    """Build the program and its archives; return the exit code."""
    parser = argparse.ArgumentParser(description="Build the packed program.")
    parser.add_argument("--folder-only", action="store_true", help="make no archives")
    parser.add_argument(
        "--into", type=Path, default=ROOT / "dist", help="folder for all results (default: dist)"
    )
    options = parser.parse_args()
    target = options.into.resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        _prepare(Path(work))
        folder = _freeze(Path(work), target)
        _add_licences(Path(work), folder)
        _strip(folder)
        print(f"build: {folder} has {_size(folder) / _MEGABYTE:.1f} MB")
        if not passes_its_test(folder):
            print("build: the packed program does not pass its self-test", file=sys.stderr)
            return 1
        if not options.folder_only:
            _archive(folder, target)
            _make_debian_package(Path(work), folder, target)
    return 0


def _prepare(work: Path) -> None:
    """Write the files that the spec includes: icons, the list of parts, the version."""
    icons.write(ROOT / "resources" / "icons" / "app.svg", work)
    listed = json.dumps(parts.find_declared_parts(), indent=1)
    (work / parts.PARTS_FILE_NAME).write_text(listed, encoding="utf-8")
    template = (HERE / "windows" / "version.txt").read_text(encoding="utf-8")
    numbers = ", ".join([*__version__.split("."), "0"])
    filled = template.replace("@VERSION@", __version__).replace("@NUMBERS@", numbers)
    (work / "version.txt").write_text(filled, encoding="utf-8")


def _freeze(work: Path, target: Path) -> Path:
    """Run PyInstaller, and return the folder that it creates."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    command += ["--distpath", str(target), "--workpath", str(work / "pyinstaller")]
    command += [str(HERE / "pe_explorer.spec"), "--", "--work", str(work)]
    subprocess.run(command, cwd=ROOT, check=True)
    return target / _NAME


def _add_licences(work: Path, folder: Path) -> None:
    sources = json.loads((work / "sources.json").read_text(encoding="utf-8"))
    bare = licences.collect(sources, HERE / "licences", folder / "licences")
    if bare:
        names = ", ".join(sorted(bare))
        raise SystemExit(f"build: no licence found for {names}; add it to packaging/licences")
    bundle = folder.parent / _BUNDLE
    if bundle.is_dir():  # macOS starts the bundle
        shutil.copytree(folder / "licences", bundle / "Contents" / "Resources" / "licences")


def _strip(folder: Path) -> None:
    """Remove the symbols of each library."""
    if not sys.platform.startswith("linux"):
        return
    strip = shutil.which("strip")
    if not strip:
        print("build: binutils is not installed, so libraries keep their symbols (26 MB more)")
        return
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_file() or _NOT_STRIPPED in path.parts:
            continue
        with path.open("rb") as file:
            is_library = file.read(4) == b"\x7fELF"
        if is_library and path.name != _EXECUTABLE:  # the program is appended to the executable
            subprocess.run([strip, "--strip-unneeded", str(path)], check=True)


def _size(folder: Path) -> int:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)


def passes_its_test(folder: Path) -> bool:
    """Return whether a packed program passes its self-test, which prints the reason if not."""
    command = [str(folder / _EXECUTABLE), "--self-test"]
    run = subprocess.run(command, cwd=folder, timeout=_PATIENCE, check=False)
    return run.returncode == 0


def _archive(folder: Path, target: Path) -> None:
    """Pack the folder without owners, so that anybody can unpack it."""
    system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
    machine = platform.machine().lower()
    archive = target / f"{_NAME}-{__version__}-{system}-{machine}.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=9) as packed:
        bundle = target / _BUNDLE
        what, name = (bundle, _BUNDLE) if bundle.is_dir() else (folder, _NAME)
        packed.add(what, name, filter=_of_nobody)
    print(f"build: {archive} has {archive.stat().st_size / _MEGABYTE:.1f} MB")


def _of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _make_debian_package(work: Path, folder: Path, target: Path) -> None:
    """Make a .deb if dpkg-deb is installed."""
    if not shutil.which("dpkg-deb"):
        return
    tree = work / "debian"
    install.lay_out(folder, work, tree)
    machine = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    install.write_control(tree, __version__, machine)
    package = target / f"{_NAME}_{__version__}_{machine}.deb"
    command = ["dpkg-deb", "-Zgzip", "--root-owner-group", "--build", str(tree), str(package)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"build: {package} has {package.stat().st_size / _MEGABYTE:.1f} MB")


if __name__ == "__main__":
    sys.exit(main())
