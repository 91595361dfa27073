"""Arrange the packed program and its desktop files as in the file system of Linux."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

import icons

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
ID = "org.pe_explorer.pe_explorer"
_PLACES = {
    f"{ID}.desktop": "usr/share/applications",
    f"{ID}.metainfo.xml": "usr/share/metainfo",
    f"{ID}.mime.xml": "usr/share/mime/packages",
}


def lay_out(folder: Path, drawn: Path, tree: Path) -> None:
    """Copy the program to `tree`/opt, with a link in usr/bin, menu entry, file type and icons.

    Parameters
    ----------
    folder : path
        The packed program.
    drawn : path
        The folder with the output of `icons.write`.
    tree : path
        The folder that becomes the root of the system.
    """
    shutil.copytree(folder, tree / "opt" / "pe-explorer", symlinks=True)
    command = tree / "usr" / "bin" / "pe-explorer"
    command.parent.mkdir(parents=True)
    command.symlink_to("../../opt/pe-explorer/pe-explorer")
    for name, place in _PLACES.items():
        _copy(_HERE / name, tree / place / name.replace(".mime.xml", ".xml"))
    themed = tree / "usr" / "share" / "icons" / "hicolor"
    for size in icons.PNG_SIZES:
        _copy(drawn / f"app-{size}.png", themed / f"{size}x{size}" / "apps" / f"{ID}.png")
    svg = _ROOT / "resources" / "icons" / "app.svg"
    _copy(svg, themed / "scalable" / "apps" / f"{ID}.svg")
    _copy(_ROOT / "LICENSE", tree / "usr" / "share" / "doc" / "pe-explorer" / "copyright")
    for path in tree.rglob("*"):
        if path.is_symlink():
            continue
        is_open = path.is_dir() or os.access(path, os.X_OK)
        path.chmod(0o755 if is_open else 0o644)


def write_control(tree: Path, version: str, machine: str) -> None:
    """Fill in the file `control` for Debian's tools."""
    files = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()]
    size = sum(path.stat().st_size for path in files)
    _, libc = platform.libc_ver()
    text = (_HERE / "control").read_text(encoding="utf-8")
    known = {"@VERSION@": version, "@MACHINE@": machine, "@KB@": str(size // 1024), "@LIBC@": libc}
    for mark, value in known.items():
        text = text.replace(mark, value)
    folder = tree / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(text, encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
