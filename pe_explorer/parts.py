"""The discovered parts of the program: encodings, views, quantities and exhibits.

Some files may be missing from a packaged program. The build therefore writes the names
of all parts to `resources/parts.json`, and the packaged program compares this list with
the parts that it finds.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from pe_explorer import encodings, pictures, quantities
from pe_explorer.assets import find_asset
from pe_explorer.gallery.exhibits import FOLDER, exhibits

Parts = Mapping[str, tuple[str, ...]]  # the names of parts, by kind

PARTS_FILE_NAME = "parts.json"  # name of the file in `resources/` that a build writes
_NAME_PATTERN = re.compile(r'^    name(?:: ClassVar\[str\])? = "(.+)"', re.MULTILINE)
_FOLDERS = {"encodings": "encodings", "views": "pictures", "quantities": "quantities"}
"""The folders of the Python files that declare parts, by kind of part."""


def discover() -> Parts:
    """Return the parts that the program finds, in display order."""
    return {
        "encodings": encodings.names(),
        "views": pictures.names(),
        "quantities": quantities.names(),
        "exhibits": tuple(exhibits()),
    }


def find_required_parts() -> Parts:
    """Return the parts in the build's list, or the parts in the source if no list exists."""
    path = find_asset(PARTS_FILE_NAME)
    if not path.is_file():
        return find_declared_parts()
    parts = json.loads(path.read_text(encoding="utf-8"))
    return {kind: tuple(names) for kind, names in parts.items()}


def find_declared_parts() -> Parts:
    """Return the exhibits and the declared parts without importing the source files."""
    parts: dict[str, tuple[str, ...]] = {}
    for kind, name in _FOLDERS.items():
        folder = Path(__file__).parent / name
        files = (*folder.glob("[!_]*.py"), *folder.glob("[!_]*/__init__.py"))
        texts = [file.read_text(encoding="utf-8") for file in files]
        parts[kind] = tuple(sorted(_NAME_PATTERN.findall("\n".join(texts))))
    parts["exhibits"] = tuple(sorted(file.stem for file in find_asset(FOLDER).glob("*.json")))
    return parts


def describe_differences() -> list[str]:
    """Return sentences about missing and unexpected parts, by kind."""
    expected_parts, parts = find_required_parts(), discover()
    sentences: list[str] = []
    for kind in {**expected_parts, **parts}:
        names, expected_names = parts.get(kind, ()), expected_parts.get(kind, ())
        if missing_names := [name for name in expected_names if name not in names]:
            sentences.append(f"{kind}: {', '.join(missing_names)} is missing")
        if unknown_names := [name for name in names if name not in expected_names]:
            sentences.append(f"{kind}: {', '.join(unknown_names)} is not listed for the build")
    return sentences
