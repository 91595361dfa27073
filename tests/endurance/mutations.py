"""Damaged files: changes of their content, and of their bytes."""

import copy
import json
import math
import re
import struct
import zlib
from contextlib import suppress
from functools import partial

from pe_explorer.files.session import PNG_KEY
from tests.support.pngs import SIGNATURE, chunk

_DEEP, _LONG = "@deep@", "@long@"  # placeholders for texts that Python's JSON writer does not write
HOSTILE = (  # values that a program may find in JSON
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 2**53 + 1, 2**64, -(2**64), 10**40, 10**400),
    *(1e308, -1e308, 5e-324, 0.1, "", " ", "\0", "\ud800", "\u202e"),
    *("😀" * 100, "a" * 10_000, "nan", "sinusoidal", "rope", "learned", "heatmap", "/dev/zero"),
    *([], {}, [[]], [{}], {"": {}}, {"name": None}, ["x"] * 100, [0] * 5000),
)
_DAMAGE = (*HOSTILE, float("nan"), float("inf"), _DEEP, _LONG)
_TOKENS = (
    *("NaN", "-Infinity", "1e309", "9" * 5000, "\\ud800", "\0", "\ufeff", "01", "tru"),
    *("{", "[", "}", "]", ",", '"', "[" * 2000),
)
_CODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "utf-7")
_MAX_REPEATED_BYTES = 1 << 25  # maximum size of repeated content
_MAX_SEARCHED = 1 << 20  # bytes


def mutated(data, kind, pick):
    for _ in range(pick.choice((1, 1, 2, 3))):
        of_kind = partial(_replaced, kind) if kind in _PIECES else damaged
        of_kind = {".json": changed_json, ".png": _png}.get(kind, of_kind)
        ways = [of_kind] * 5 + [damaged] * 3 + [_otherwise]
        data = pick.choice(ways)(data, pick)
    return data


def damaged(data, pick):
    place, way = pick.randrange(len(data) + 1), pick.randrange(3)
    if way == 0:
        return data[:place]
    if way == 1:
        return data[:place] + pick.choice(_TOKENS).encode() + data[place + pick.randrange(4) :]
    changed = bytearray(data)
    for _ in range(pick.choice((1, 1, 2, 8, 64)) if data else 0):
        changed[pick.randrange(len(changed))] ^= 1 << pick.randrange(8)
    return bytes(changed)


def _otherwise(data, pick):
    first, second = sorted(pick.randrange(len(data) + 1) for _ in range(2))
    ways = (
        lambda: b"",
        lambda: _times(data, pick.choice((2, 50))),
        lambda: data + pick.choice((b"\0", b" ", b"\n", b"[", pick.randbytes(1))) * (1 << 21),
        lambda: pick.randbytes(pick.choice((1, 100, 10_000))),
        lambda: data[:first] + data[second:] + data[first:second],
        lambda: data.decode("utf-8", "replace").encode(pick.choice(_CODINGS), "replace"),
    )
    return pick.choice(ways)()


def _times(data, count):
    return data * min(count, 1 + _MAX_REPEATED_BYTES // (1 + len(data)))


def changed_json(data, pick):
    try:
        document = json.loads(data)
        for _ in range(pick.choice((1, 1, 2, 5, 20))):
            containers = [document if isinstance(document, dict | list) else [document]]
            for found in containers:  # the list grows during the loop
                values = found.values() if isinstance(found, dict) else found
                containers += [value for value in values if isinstance(value, dict | list)]
            _change(pick.choice(containers), pick)
        text = json.dumps(document, ensure_ascii=pick.random() < 0.5)
    except (ValueError, RecursionError):  # no longer valid, or too deep
        return damaged(data, pick)
    levels = pick.choice((20, 60, 900, 100_000))
    text = text.replace(f'"{_DEEP}"', "[" * levels + "]" * levels)
    text = text.replace(f'"{_LONG}"', "9" * 5000)
    if pick.random() < 0.2:  # a duplicate key
        pairs = re.findall(r'"\w+": [^,{}\[\]]+', text) or ['"schema": 1']
        text = text.replace("{", "{" + pick.choice(pairs) + ", ", 1)
    return text.encode("utf-8", "surrogatepass")


def _change(container, pick):
    is_object, way = isinstance(container, dict), pick.random()
    value = copy.deepcopy(pick.choice(_DAMAGE))
    keys = list(container) if is_object else list(range(len(container)))
    if not keys or way < 0.15:
        container.update(other=value) if is_object else container.append(value)
    elif way < 0.3:
        del container[pick.choice(keys)]
    elif way < 0.4:
        container[pick.choice(keys)] = copy.deepcopy(container[pick.choice(keys)])
    else:
        container[pick.choice(keys)] = value


def _png(data, pick):
    pieces, at = [], len(SIGNATURE)
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        pieces.append((kind, data[at + 8 : at + 8 + length]))
        at += length + 12
    if not pieces:
        return damaged(data, pick)
    texts = [place for place, (kind, _) in enumerate(pieces) if kind == b"iTXt"]
    place = pick.choice(texts) if texts and pick.random() < 0.5 else pick.randrange(len(pieces))
    kind, content = pieces[place]
    way = pick.randrange(7)
    if way == 0:
        del pieces[place]
    elif way == 1:
        pieces.insert(pick.randrange(len(pieces)), pieces[place])
    elif way == 2:
        pieces[place] = pick.choice((b"iTXt", b"tEXt", b"zTXt", b"IDAT", b"ab1d")), content
    elif way == 3:
        bomb = b"zTXt", PNG_KEY.encode() + b"\0\0" + zlib.compress(b" " * (1 << 24), 9)
        pieces[1:1] = [bomb] * pick.choice((1, 30))
    elif way == 4:
        pieces[1:1] = [(b"tEXt", b"x\0y")] * 200_000
    else:
        head, _, rest = content.partition(b"\0\1\0\0\0")
        with suppress(zlib.error):  # the text is not part of a session
            rest = zlib.decompress(rest)
        key = head if pick.random() < 0.8 else pick.choice((b"", b"k" * 200, b"\xff"))
        pieces[place] = b"iTXt", key + b"\0\1\0\0\0" + zlib.compress(changed_json(rest, pick))
    whole = SIGNATURE + b"".join(chunk(*piece) for piece in pieces)
    if pick.random() < 0.1:  # a wrong length
        at = len(SIGNATURE) + pick.randrange(max(1, len(whole) - len(SIGNATURE)))
        whole = whole[:at] + struct.pack(">I", pick.choice((0, 2**31, 2**32 - 1))) + whole[at + 4 :]
    return whole


_LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha">%s]>' % b"".join(
    b'<!ENTITY %c "%s">' % (98 + level, b"&%c;" % (97 + level) * 20) for level in range(20)
)
"""Nested entities that expand to 20^20 words."""
_SHAPES = (
    *("(0, 0)", "(-1, 4)", "(40,)", "()", "(2**62, 4)", "(99999999999999, 99999999999)"),
    *("(1e3, 2)", "(40, 6, 1)", "None", "(1, 1048577)", "(40, True)", "((((1,2))))", "(1,2"),
    "[40, 6]",
)
_TYPES = (
    *("'|O'", "'<f16'", "'<c16'", "'<M8[s]'", "'|S1000000'", "'|V8'", "'<U9'", "'>f8'", "'<i8'"),
    *("[('a', '<f4')]", "'|b1'", "None", "'x'", "('<f4', (9, 9))", "'<f99999999'", "'<e'"),
)
_HEADERS = ("-" * 900 + "1", "(" * 300, "{" * 90, "{'shape': " * 50, "\0", "__x__")
_VALUES = (
    *("", "@Invalid()", "@Variant(\\0\\0\\0\\x7f)", "@ByteArray(\\0\\xff)", "@Rect(1 2 3 4)"),
    *("@@x", "@Size(9)", "@Variant(", "@Point(a b)", "1, 2, 3", '"', "\\", "\\x", "\\xffffffff"),
    *("%U+", "-1", "99", "true", "😀", "9" * 5000, "x" * 300_000, "\ud800", "one two", "dark", "/"),
)
_SETTINGS = (
    *("[General", "[]", "[%General]", "[recent]", "=", "=x", "schema=2", "schema=0", "schema=-1"),
    *("[lessons]", "[figure]", "[sizes]", "[own_windows]", "a/b/c=1", "%U=1", "\\=2", ";"),
    *("x\\size=9999", "recent\\1\\x=1", "folders=x", "theme\\a=1", "figure\\%U+D800=1"),
    "maximised=maybe",
)
_WORDS = (
    *("nan", "-inf", "1e999", "1e-999", "0x10", "1_0", "٣", "", "-", "1,5", "9" * 400, "x" * 99),
    *("\0", "\ufeff1", "1 2", "\x1f", "1000000000 3", "1" + "0" * 40),
    *(b"\r", b"\t1", b"\xa0", b"\xc3", b"\x85", b"\xff\xfe"),
)
_QUOTES = (b"&quot;" * 10, b"&quot;" * 300_000, b"<x>" * 100_000)
_XML = (
    (rb"(?<=>)[^<>]*(?=</pe-explorer:session>)", (changed_json,) * 4),
    (rb"(?<=>)[^<>]*(?=</pe-explorer:session>)", _QUOTES),
    (rb"<pe-explorer:session[^>]*>[^<]*</pe-explorer:session>", ()),
    (rb"<pe-explorer:session[^>]*>", ()),
    (rb"\?>\s*<svg", (b"?>" + _LAUGHS + b"<svg x='&u;'",)),
)
_PIECES = {
    ".svg": _XML,
    ".pdf": _XML,
    ".npy": (
        (rb"'shape': \([^)]*\)", [f"'shape': {shape}" for shape in _SHAPES]),
        (rb"'descr': '[^']*'", [f"'descr': {kind}" for kind in _TYPES]),
        (rb"False", ("True", "1", "None", "[]" * 99)),
        (rb"\{[^{}]*\}", _HEADERS),
        (rb"(?<=\n).*", [struct.pack("<f", x) * 240 for x in (math.nan, math.inf, -1e38, 1e-45)]),
        (rb"(?<=\x93NUMPY)..", (b"\2\0", b"\3\0", b"\7\7")),
    ),
    ".txt": ((rb"[^ \n]+", _WORDS), (rb"(?<=\n)[^\n]*", ()), (rb"\n", ("\r\n", "\r", "\n\n", ""))),
    ".ini": ((rb"(?<==)[^\n]*", _VALUES), (rb"(?<=\n)[^\n]*", _SETTINGS)),
}
_PIECES[".vocab"] = _PIECES[".txt"]
"""Parts of files by file name extension: a pattern, and its replacements."""


def _replaced(kind, data, pick):
    for _ in range(pick.choice((1, 1, 3, 10))):
        pattern, instead = pick.choice(_PIECES[kind])
        found = list(re.finditer(pattern, data, re.DOTALL)) if len(data) < _MAX_SEARCHED else []
        if not found:
            return damaged(data, pick)
        match, way = pick.choice(found), pick.random()
        new = b"" if way < 0.2 else match[0] * 2
        if way > 0.3:
            new = _times(match[0], pick.choice((3000, 50_000)))
        if way > 0.4 and instead:
            new = pick.choice(instead)
            new = new(match[0], pick) if callable(new) else new
            new = new.encode("utf-8", "surrogatepass") if isinstance(new, str) else new
        data = data[: match.start()] + new + data[match.end() :]
        if way < 0.1:
            data = match[0] + data
    if kind == ".npy" and pick.random() < 0.9:  # with a correct length of the header
        data = data[:8] + struct.pack("<H", max(0, data.find(b"\n") - 9) % 65_536) + data[10:]
    return data
