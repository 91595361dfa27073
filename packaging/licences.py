"""Collect the licences of all software in a packed program."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

_NAMES = ("LICEN", "COPYING", "NOTICE", "AUTHORS")
"""How the names of licence files begin."""
_ALWAYS = ("pyinstaller",)  # the executable contains its bootloader


def collect(sources: Iterable[str], here: Path, target: Path) -> list[str]:
    """Copy the licences of the files `sources` into a folder; return the names of those without.

    Parameters
    ----------
    sources : paths
        The files that were packed.
    here : path
        packaging/licences, with texts for software that comes without one.
    target : path
        A new folder.
    """
    shutil.copytree(here, target, dirs_exist_ok=True)
    shutil.copy(here.parents[1] / "LICENSE", target / "PE Explorer.txt")
    font = here.parents[1] / "resources" / "fonts" / "DejaVu-LICENSE.txt"
    shutil.copy(font, target / "DejaVu Sans.txt")
    paths = {Path(source).resolve() for source in sources}
    packages = _packages(paths)
    bare = [each.name for each in packages if not _copy_of_package(each, target)]
    if not _copy_of_python(target):
        bare.append("Python")
    bare += _copy_of_system(paths, target)
    texts = [path.name for path in here.iterdir()]
    return [name for name in bare if not any(text.startswith(name) for text in texts)]


def _packages(paths: set[Path]) -> list[Distribution]:
    """Return the installed packages to which the files belong."""
    found = []
    for each in distributions():
        files = {Path(str(each.locate_file(file))).resolve() for file in each.files or []}
        if files & paths or each.name in _ALWAYS:
            found.append(each)
    return [each for each in found if each.name != "pe-explorer"]


def _copy_of_package(package: Distribution, target: Path) -> bool:
    files = package.files or []
    named = [file for file in files if file.name.upper().startswith(_NAMES)]
    texts = [file for file in named if ".dist-info" in str(file)]
    for file in texts:
        _, _, place = str(file).partition(".dist-info/")
        _copy(Path(str(package.locate_file(file))), target / package.name / place)
    return bool(texts)


def _copy_of_python(target: Path) -> bool:
    folders = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix))
    for folder in folders:
        if (folder / "LICENSE.txt").is_file():
            _copy(folder / "LICENSE.txt", target / "Python.txt")
            return True
    return False


def _copy_of_system(paths: set[Path], target: Path) -> list[str]:
    """Copy the licences of Debian's libraries; return the names of those without."""
    prefixes = {Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()}
    libraries = [
        path
        for path in paths
        if ".so" in path.name and not any(path.is_relative_to(prefix) for prefix in prefixes)
    ]
    if not libraries or not shutil.which("dpkg-query"):
        return [path.name for path in libraries]
    bare = []
    for path in libraries:
        package = _debian_package(path)
        text = Path("/usr/share/doc", package, "copyright")
        if package and text.is_file():
            _copy(text, target / "system libraries" / f"{package}.txt")
        else:
            bare.append(path.name)
    return bare


def _debian_package(path: Path) -> str:
    """Return the package of a library, which dpkg may list without /usr in its path."""
    for name in (str(path), str(path).removeprefix("/usr")):
        command = ["dpkg-query", "--search", name]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.partition(":")[0]
    return ""


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
