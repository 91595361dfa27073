"""The parts of the program that are found and not listed: encodings, views, quantities, exhibits.

Parts that are found by looking into folders may be missing in a packed program. The build writes
the names from the source files into `resources/parts.json`, and the packed program compares them
with those that it finds.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from pe_explorer import encodings, pictures, quantities
from pe_explorer.assets import asset
from pe_explorer.gallery.exhibits import FOLDER, exhibits

Parts = Mapping[str, tuple[str, ...]]
"""The names of each kind of part."""

LIST_NAME = "parts.json"
"""Name of the file in `resources/` that a build writes."""

_HERE = Path(__file__).parent
_DECLARED_NAME = re.compile(r'^    name(?:: ClassVar\[str\])? = "(.+)"', re.MULTILINE)
_FOLDERS = {"encodings": "encodings", "views": "pictures", "quantities": "quantities"}
"""The kinds of part that are declared in a folder of files, and that folder."""


def discover() -> Parts:
    """Return the parts that this program finds, each kind in its own order."""
    return {
        "encodings": encodings.names(),
        "views": pictures.names(),
        "quantities": quantities.names(),
        "exhibits": tuple(exhibits()),
    }


def expected() -> Parts:
    """Return the required parts: by the list of the build, or else by the source files."""
    listed = asset(LIST_NAME)
    if not listed.is_file():
        return declared_in_source()
    names = json.loads(listed.read_text(encoding="utf-8"))
    return {kind: tuple(each) for kind, each in names.items()}


def declared_in_source() -> Parts:
    """Return the parts that the source files declare, without running them, and the exhibits."""
    declared: dict[str, tuple[str, ...]] = {}
    for kind, name in _FOLDERS.items():
        folder = _HERE / name
        files = (*folder.glob("[!_]*.py"), *folder.glob("[!_]*/__init__.py"))
        texts = [file.read_text(encoding="utf-8") for file in files]
        declared[kind] = tuple(sorted(_DECLARED_NAME.findall("\n".join(texts))))
    exhibits_ = sorted(file.stem for file in asset(FOLDER).glob("*.json"))
    return {**declared, "exhibits": tuple(exhibits_)}


def differences() -> list[str]:
    """Return a sentence for each kind of part where some are missing or unknown."""
    wanted, here = expected(), discover()
    sentences: list[str] = []
    for kind in {**wanted, **here}:
        names, must = here.get(kind, ()), wanted.get(kind, ())
        missing = [name for name in must if name not in names]
        unknown = [name for name in names if name not in must]
        if missing:
            sentences.append(f"{kind}: {', '.join(missing)} is missing")
        if unknown:
            sentences.append(f"{kind}: {', '.join(unknown)} is not in the list of the build")
    return sentences
