"""Finds the text of a session in what carries it: a JSON file, a figure, a file beside data."""

import codecs
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pe_explorer.figures import session_element
from pe_explorer.figures.session_element import ElementError
from pe_explorer.files.png import PngError, text_of
from pe_explorer.params import ParameterError, reason
from pe_explorer.reading import file_size, read_bytes

PNG_KEY = "PE Explorer session"
TABLE = ".npy"
"""Ending of data that can be opened without a session, as a learned table."""
DATA = (TABLE, ".csv")
"""Endings of exported data, which have their session in a file beside them."""
FIGURES = (".png", ".pdf", ".svg")
"""Endings of pictures and figures, which can carry a session."""
MOST_BYTES = 1 << 26
"""Size of the largest file that is read, a figure."""
MOST_JSON = 1 << 20
"""Size of the longest text of a session."""
_START_BYTES = 1 << 10  # bytes from which the kind of a file is read


class SessionError(ParameterError):
    """A file from which no exploration can be read."""

    def __init__(self, problem: str) -> None:
        super().__init__("session", problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem,)


def session_text(path: Path) -> str:
    """Return the text of the session in a JSON file or a figure; raises `SessionError`."""
    _require_size(_size(path), MOST_BYTES, "session or picture of this program")
    with _naming_system_errors():
        data = read_bytes(path, MOST_BYTES)
    if data.startswith(b"\x89PNG"):
        return _text_of_picture(data)
    if data.startswith(b"%PDF"):
        return _text_of_element(data, "PDF file")
    if _is_svg(data):
        return _text_of_element(data, "drawing (SVG)")
    _require_size(len(data), MOST_JSON, "session")
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        remedy = "choose a session (JSON) or a figure (PNG, PDF, SVG) of this program"
        raise SessionError(f"not a text; {remedy}") from None


def _text_of_picture(data: bytes) -> str:
    try:
        texts = text_of(data, PNG_KEY)
    except PngError as error:
        raise SessionError(f"{error}; choose another file") from None
    if PNG_KEY in texts:
        _require_size(len(texts[PNG_KEY]), MOST_JSON, "session")
        return texts[PNG_KEY]
    if PNG_KEY.encode() in data:
        raise SessionError("a picture whose session is damaged; choose another file")
    raise _without_session("picture")


def _is_svg(data: bytes) -> bool:
    """Return whether a file begins like XML, which JSON does not."""
    start = data[:_START_BYTES].removeprefix(codecs.BOM_UTF8)
    return start.lstrip().startswith(b"<")


def _text_of_element(data: bytes, kind: str) -> str:
    try:
        text = session_element.text_in(data, MOST_JSON)
    except ElementError as error:
        raise SessionError(f"a {kind} that cannot be used: {error}; choose another file") from None
    if text is None:
        raise _without_session(kind)
    _require_size(len(text), MOST_JSON, "session")
    return text


def _without_session(kind: str) -> SessionError:
    remedy = "choose one that was exported together with its session"
    return SessionError(f"a {kind} without a session; {remedy}")


def side_file(path: Path | str) -> Path:
    """Return the file beside exported data that holds their session."""
    data = os.fspath(path)
    if os.path.islink(data):  # noqa: PTH114 - of names that are too long, Path raises
        data = os.path.realpath(data)  # an export follows it
    return Path(f"{data}.session.json")


def set_aside(path: Path | str) -> Path:
    """Return where the session beside data is while other data take their place."""
    return side_file(path).with_suffix(".part")


def found_side_file(data: Path | str) -> Path | None:
    """Return the session's file beside exported data, if there is one.

    It is still set aside if an export was killed before other data, which are newer, took the
    place of its own.
    """
    side, aside = side_file(data), set_aside(data)
    if os.path.exists(side):
        return side
    try:
        is_theirs = os.stat(data).st_mtime_ns <= aside.stat().st_mtime_ns
    except (OSError, ValueError):
        return None
    return aside if is_theirs else None


def existing_side_file(data: Path) -> Path:
    """Return the session's file beside exported data; raises `SessionError` if either is gone."""
    _size(data)
    side, found = side_file(data), found_side_file(data)
    if found is None:
        problem = f"no session file {side.name} was found beside these data"
        raise SessionError(f"{problem}; choose another file, or export them with their session")
    return found


def _size(path: Path) -> int:
    with _naming_system_errors():
        return file_size(path)


@contextmanager
def _naming_system_errors() -> Iterator[None]:
    """Turn errors of the system about a file into a `SessionError`."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise SessionError(f"{reason(error)}; choose another file") from None


def _require_size(size: int, most: int, what: str) -> None:
    if size > most:
        limit = f"no {what} is larger than {most:,}"
        problem = f"has {size:,} bytes; {limit}"
        raise SessionError(f"{problem}; choose another file")
