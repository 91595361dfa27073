"""`python -m tests.count_words`: count the words of the templates that a user sees, per view.

A template is counted once per view; a fact in braces is one word.
"""

import json
from pathlib import Path

from pe_explorer import pictures
from pe_explorer.params import Choice, declared

WORDS = Path(__file__).parents[1] / "resources" / "words"
NOT_TEXTS = {"when", "set", "each", "number"}  # conditions, settings and names of facts


def templates(value):
    """Yield all texts of a file of words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from templates(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in NOT_TEXTS:
                yield from templates(item)


def texts_of_options(view):
    for param in declared(pictures.find(view).Options).values():
        yield from (param.label, param.help)
        if isinstance(param, Choice):
            yield from param.choices.values()


def count(view):
    picture = pictures.find(view)
    texts = {picture.title, picture.help, *texts_of_options(view)}
    texts.update(templates(json.loads((WORDS / f"{view}.json").read_text())))
    return sum(len(text.split()) for text in texts)


def main():
    counts = {view: count(view) for view in pictures.names()}
    for view, number in (counts | {"sum": sum(counts.values())}).items():
        print(f"{view:12} {number:6,}")


if __name__ == "__main__":
    main()
