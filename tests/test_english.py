"""No text, comment or docstring uses a word for which there is an ordinary one."""

import json
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = re.compile(r"\b(told|lack(s|ed|ing)?|besides|so many|look-?alikes?)\b", re.IGNORECASE)
EXAMPLES = re.compile(  # sentences, an id, a word to search for
    r"[Tt]old him|“told”|`look-alikes`|\.look-alikes|lookalike, twin"
)
PARTS_OF_TEXTS = {
    tokenize.STRING,
    tokenize.COMMENT,
    getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING),  # since Python 3.12
}
NOT_TEXTS = {"set", "when", "exploration"}  # keys of settings
FILES = [
    path
    for pattern in ("*.md", "packaging/**/*.md", "resources/**/*.json", "pe_explorer/**/*.py")
    for path in sorted(ROOT.glob(pattern))
] + [path for path in sorted(ROOT.glob("tests/**/*.py")) if path != Path(__file__)]


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in value.keys() - NOT_TEXTS:
            yield from strings(value[key])
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def texts(path):
    """Yield the texts of a file; in tests only comments and docstrings.

    Sentences under test may contain any word.
    """
    if path.suffix == ".json":
        yield from strings(json.loads(path.read_text()))
    elif path.suffix == ".py":
        starts = ("#", '"""') if path.is_relative_to(ROOT / "tests") else ("",)
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type in PARTS_OF_TEXTS and token.string.startswith(starts):
                    yield token.string
    else:
        yield from path.read_text().splitlines()


def test_texts_use_ordinary_words():
    faults = {}
    for path in FILES:
        prose = (EXAMPLES.sub("", text) for text in texts(path) if " " in text)
        if faulty := [text for text in prose if WORDS.search(text)]:
            faults[path.relative_to(ROOT).as_posix()] = faulty
    assert faults == {}
