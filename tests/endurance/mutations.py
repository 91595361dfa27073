"""Files as nobody means them to be: changed by what is in them, and byte by byte."""

import copy
import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from pe_explorer.files.session import PNG_KEY
from tests.support.pngs import SIGNATURE, chunk

_DEEP, _LONG = "@deep@", "@long@"  # stand for what Python's own writer of JSON refuses to write
HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 2**53 + 1, 2**64, -(2**64), 10**40, 10**400),
    *(1e308, -1e308, 5e-324, 0.1, "", " ", "\0", "\ud800", "\u202e"),
    *("😀" * 100, "a" * 10_000, "nan", "sinusoidal", "rope", "learned", "heatmap", "/dev/zero"),
    *([], {}, [[]], [{}], {"": {}}, {"name": None}, ["x"] * 100, [0] * 5000),
)
"""Values that a program may meet in JSON."""

_DAMAGE = (*HOSTILE, float("nan"), float("inf"), _DEEP, _LONG)
_TOKENS = (
    *("NaN", "-Infinity", "1e309", "9" * 5000, "\\ud800", "\0", "\ufeff", "01", "tru"),
    *("{", "[", "}", "]", ",", '"', "[" * 2000),
)
_NUMBERS = (
    *("nan", "-inf", "1e999", "1e-999", "0x10", "1_0", "٣", "", "-", "1,5", "9" * 400, "x" * 99),
    *("\0", "\ufeff1", "1 2", "\x1f"),
)
_CODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "utf-7")
_BOMB_SIZE = 1 << 24  # bytes that each text of a bomb unpacks to
_MOST_BYTES, _MOST_WORDS = 1 << 25, 400_000  # of what is there many times


def mutated(data: bytes, kind: str, pick: Random) -> bytes:
    """Return a file of a kind, by its ending, changed in one to three ways."""
    for _ in range(pick.choice((1, 1, 2, 3))):
        ways = [_STRUCTURE.get(kind, damaged)] * 5 + [damaged] * 3 + [_otherwise]
        data = pick.choice(ways)(data, pick)
    return data


def damaged(data: bytes, pick: Random) -> bytes:
    """Return a file cut off, with bytes changed, or with a token where none belongs."""
    place = pick.randrange(len(data) + 1)
    way = pick.randrange(3)
    if way == 0:
        return data[:place]
    if way == 1:
        return data[:place] + pick.choice(_TOKENS).encode() + data[place + pick.randrange(4) :]
    changed = bytearray(data)
    for _ in range(pick.choice((1, 1, 2, 8, 64))):
        if changed:
            changed[pick.randrange(len(changed))] ^= 1 << pick.randrange(8)
    return bytes(changed)


def _otherwise(data: bytes, pick: Random) -> bytes:
    """Return a file of another size, or in another coding."""
    way = pick.randrange(6)
    if way == 0:
        return b""
    if way == 1:
        return _times(data, pick.choice((2, 50)))
    if way == 2:
        return data + pick.choice((b"\0", b" ", b"\n", b"[", pick.randbytes(1))) * (1 << 21)
    if way == 3:
        return pick.randbytes(pick.choice((1, 100, 10_000)))
    if way == 4:
        first, second = sorted(pick.randrange(len(data) + 1) for _ in range(2))
        return data[:first] + data[second:] + data[first:second]
    return data.decode("utf-8", "replace").encode(pick.choice(_CODINGS), "replace")


def _times(data: bytes, count: int) -> bytes:
    """Return bytes so many times, as far as they are not too large."""
    return data * max(1, min(count, _MOST_BYTES // max(1, len(data))))


# -- JSON ------------------------------------------------------------------------------------------


def changed_json(data: bytes, pick: Random) -> bytes:
    """Return a document with values replaced, removed, added, or there twice."""
    try:
        document = json.loads(data)
        for _ in range(pick.choice((1, 1, 2, 5, 20))):
            _change(pick.choice(list(_containers(document))), pick)
        text = json.dumps(document, ensure_ascii=pick.random() < 0.5)
    except (ValueError, RecursionError):  # it is none any more, or one that is very deep
        return damaged(data, pick)
    levels = pick.choice((20, 60, 900, 100_000))
    text = text.replace(f'"{_DEEP}"', "[" * levels + "]" * levels)
    text = text.replace(f'"{_LONG}"', "9" * 5000)
    if pick.random() < 0.2:  # a key that is there twice
        pairs = re.findall(r'"\w+": [^,{}\[\]]+', text) or ['"schema": 1']
        text = text.replace("{", "{" + pick.choice(pairs) + ", ", 1)
    return text.encode("utf-8", "surrogatepass")


def _change(container: Any, pick: Random) -> None:
    value = copy.deepcopy(pick.choice(_DAMAGE))
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    way = pick.random()
    if not keys or way < 0.15:
        if isinstance(container, dict):
            container["other"] = value
        else:
            container.append(value)
    elif way < 0.3:
        del container[pick.choice(keys)]
    elif way < 0.4:
        container[pick.choice(keys)] = copy.deepcopy(container[pick.choice(keys)])
    else:
        container[pick.choice(keys)] = value


def _containers(document: Any) -> Iterator[Any]:
    """Yield all objects and lists of a document that is one itself."""
    waiting = [document if isinstance(document, dict | list) else [document]]
    while waiting:
        container = waiting.pop()
        yield container
        values = container.values() if isinstance(container, dict) else container
        waiting += [value for value in values if isinstance(value, dict | list)]


# -- what carries a session ------------------------------------------------------------------------


@cache
def _bomb() -> bytes:
    return zlib.compress(b" " * _BOMB_SIZE, 9)


def _png(data: bytes, pick: Random) -> bytes:
    """Return a picture with pieces, or the session in them, changed."""
    pieces = _pieces(data)
    if not pieces:
        return damaged(data, pick)
    texts = [place for place, (kind, _) in enumerate(pieces) if kind == b"iTXt"]
    place = pick.choice(texts) if texts and pick.random() < 0.5 else pick.randrange(len(pieces))
    way = pick.randrange(7)
    if way == 0:
        del pieces[place]
    elif way == 1:
        pieces.insert(pick.randrange(len(pieces)), pieces[place])
    elif way == 2:
        kind = pick.choice((b"iTXt", b"tEXt", b"zTXt", b"IDAT", b"ab1d"))
        pieces[place] = kind, pieces[place][1]
    elif way == 3:
        head = PNG_KEY.encode() + b"\0\0"
        pieces[1:1] = [(b"zTXt", head + _bomb())] * pick.choice((1, 30))
    elif way == 4:
        pieces[1:1] = [(b"tEXt", b"x\0y")] * 200_000
    else:
        pieces[place] = (b"iTXt", _text_piece(pieces[place][1], pick))
    whole = SIGNATURE + b"".join(chunk(*piece) for piece in pieces)
    if pick.random() < 0.1:  # a length that is not true
        at = len(SIGNATURE) + pick.randrange(max(1, len(whole) - len(SIGNATURE)))
        whole = whole[:at] + struct.pack(">I", pick.choice((0, 2**31, 2**32 - 1))) + whole[at + 4 :]
    return whole


def _text_piece(data: bytes, pick: Random) -> bytes:
    """Return a text as it is stored, of a session that was changed."""
    head, _, rest = data.partition(b"\0\1\0\0\0")
    try:
        text = zlib.decompress(rest)
    except zlib.error:
        text = b"{}"
    key = head if pick.random() < 0.8 else pick.choice((b"", b"k" * 200, b"\xff"))
    return key + b"\0\1\0\0\0" + zlib.compress(changed_json(text, pick))


def _pieces(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return kind and content of the chunks of a picture, as far as they are whole."""
    found, place = [], len(SIGNATURE)
    while place + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        found.append((kind, data[place + 8 : place + 8 + length]))
        place += length + 12
    return found


_BEGIN, _END = re.compile(rb"<pe-explorer:session[^>]*>"), b"</pe-explorer:session>"
_LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha">%s]>' % b"".join(
    b'<!ENTITY %c "%s">' % (98 + level, b"&%c;" % (97 + level) * 20) for level in range(20)
)


def _xml(data: bytes, pick: Random) -> bytes:
    """Return a drawing or a PDF file with its session, or what is around it, changed."""
    found = _BEGIN.search(data)
    last = data.find(_END, found.end()) if found else -1
    if not found or last < 0:
        return damaged(data, pick)
    begin, text, whole = found[0], data[found.end() : last], data[found.start() : last + len(_END)]
    way = pick.randrange(7)
    if way == 0:
        new = _times(whole, pick.choice((2, 3000)))
    elif way == 1:
        new = whole + begin + changed_json(text, pick) + _END
    elif way == 2:
        new = begin + b"&quot;" * pick.choice((10, 300_000)) + _END
    elif way == 3:
        new = _times(begin, pick.choice((2, 50_000))) + text + _END
    elif way == 4:
        new = begin + b"<x>" * 100_000 + text + _END
    else:
        new = begin + changed_json(text, pick) + _END
    changed = data[: found.start()] + new + data[last + len(_END) :]
    if pick.random() < 0.1 and data.startswith(b"<"):
        first, _, rest = changed.partition(b"?>")
        changed = first + b"?>" + _LAUGHS + rest.replace(b"<svg", b"<svg x='&u;'", 1)
    return changed


# -- tables, word vectors, settings ----------------------------------------------------------------

_SHAPES = (
    *(
        "(0, 0)",
        "(-1, 4)",
        "(40,)",
        "()",
        "(2**62, 4)",
        "(99999999999999, 99999999999)",
        "(1e3, 2)",
    ),
    *("(40, 6, 1)", "None", "(1, 1048577)", "(40, True)", "((((1,2))))", "(1,2", "[40, 6]"),
)
_TYPES = (
    *("'|O'", "'<f16'", "'<c16'", "'<M8[s]'", "'|S1000000'", "'|V8'", "'<U9'", "'>f8'", "'<i8'"),
    *("[('a', '<f4')]", "'|b1'", "None", "'x'", "('<f4', (9, 9))", "'<f99999999'", "'<e'"),
)


def _npy(data: bytes, pick: Random) -> bytes:
    """Return a table whose header promises something else, or with other numbers."""
    if not data.startswith(b"\x93NUMPY\1\0") or len(data) < 64:
        return damaged(data, pick)
    length = int.from_bytes(data[8:10], "little")
    header, numbers = data[10 : 10 + length].decode("latin-1"), data[10 + length :]
    way = pick.randrange(6)
    if way == 0:
        header = re.sub(r"'shape': \([^)]*\)", f"'shape': {pick.choice(_SHAPES)}", header)
    elif way == 1:
        header = re.sub(r"'descr': '[^']*'", f"'descr': {pick.choice(_TYPES)}", header)
    elif way == 2:
        header = header.replace("False", pick.choice(("True", "1", "None", "[]" * 99)))
    elif way == 3:
        odd = ("-" * 900 + "1", "(" * 300, "{" * 90, "{'shape': " * 50, "\0", "__x__")
        header = pick.choice(odd)
    elif way == 4:
        number = struct.pack("<f", pick.choice((float("nan"), float("inf"), -1e38, 1e-45)))
        numbers = number * (len(numbers) // 4)
    else:
        numbers = numbers[: pick.randrange(len(numbers) + 1)]
    size = len(header) if pick.random() < 0.9 else pick.choice((0, 1, 65_535))
    version = pick.choice((b"\1\0", b"\1\0", b"\1\0", b"\2\0", b"\3\0", b"\7\7"))
    return b"\x93NUMPY" + version + struct.pack("<H", size) + header.encode("latin-1") + numbers


def _lines(data: bytes, pick: Random) -> bytes:
    """Return a text with words, whole lines and ends of lines changed."""
    lines = data.split(b"\n")
    for _ in range(pick.choice((1, 1, 3, 10))):
        place = pick.randrange(len(lines))
        words = lines[place].split(b" ")
        word = pick.randrange(len(words))
        way = pick.randrange(7)
        if way == 0:
            words[word] = pick.choice(_NUMBERS).encode()
        elif way == 1:
            del words[word]
        elif way == 2:
            most = min(_MOST_WORDS // len(words), _MOST_BYTES // (len(lines[place]) + 1))
            words *= pick.choice((2, most + 1))
        elif way == 3:
            words = [b"%d" % pick.choice((0, 1, 10**9, 10**40, 10**5000 % 7)), b"3"]
        elif way == 4:
            words = [b"".join(words)]
        elif way == 5:
            words = [pick.choice((b"", b"\r", b"\t", b"\x85", b"\xff\xfe"))]
        else:
            words[word] += pick.choice((b"\r", b"\t1", b"\xa0", b"\0", b"\xc3"))
        lines[place] = b" ".join(words)
    return pick.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\n\n")).join(lines)


_VALUES = (
    *(
        "",
        "@Invalid()",
        "@Variant(\\0\\0\\0\\x7f)",
        "@ByteArray(\\0\\xff)",
        "@Rect(1 2 3 4)",
        "@@x",
    ),
    *("@Size(9)", "@Variant(", "@Point(a b)", "1, 2, 3", '"', "\\", "\\x", "\\xffffffff", "%U+"),
    *("-1", "99", "true", "😀", "9" * 5000, "x" * 300_000, "\ud800", "one two", "dark", "/"),
)
_SETTINGS = (
    *("[General", "[]", "[%General]", "[recent]", "=", "=x", "schema=2", "schema=0", "schema=-1"),
    *(
        "[lessons]",
        "[figure]",
        "[sizes]",
        "[own_windows]",
        "a/b/c=1",
        "%U=1",
        "\\=2",
        "x\\size=9999",
    ),
    *(";", "recent\\1\\x=1", "folders=x", "theme\\a=1", "figure\\%U+D800=1", "maximised=maybe"),
)


def _ini(data: bytes, pick: Random) -> bytes:
    """Return settings with lines added, taken away, moved and with other values."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for _ in range(pick.choice((1, 1, 3, 10))):
        place = pick.randrange(len(lines))
        key, _, _ = lines[place].partition("=")
        way = pick.randrange(5)
        if way == 0:
            lines.insert(place, pick.choice(_SETTINGS))
        elif way == 1 and len(lines) > 1:
            del lines[place]
        elif way == 2:
            lines.insert(pick.randrange(len(lines)), lines[place])
        else:
            lines[place] = f"{key}={pick.choice(_VALUES)}"
    return "\n".join(lines).encode("utf-8", "surrogatepass" if pick.random() < 0.5 else "replace")


_STRUCTURE: dict[str, Callable[[bytes, Random], bytes]] = {
    ".json": changed_json,
    ".png": _png,
    ".svg": _xml,
    ".pdf": _xml,
    ".npy": _npy,
    ".txt": _lines,
    ".vocab": _lines,
    ".ini": _ini,
}
