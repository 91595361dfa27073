"""Sentences of exhibits after many random changes, compared with a second formula."""

from unittest.mock import patch

from pe_explorer.analysis import umap_process
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.words import FACTS
from tests.support.exhibit_sentences import falsehoods

_CHANGES = 40  # random changes of an exhibit and of its tries


def run(faults, seed, size, folder, plant=()):
    names = list(exhibits())
    with patch.object(umap_process, "unavailable_reason", lambda: ""):
        for _, pick in faults.items(f"{seed} sentences", size, plant, PLANTS):
            name = pick.choice(names)
            faults.say(name)
            for said, state in falsehoods(exhibits()[name], pick, _CHANGES):
                faults.add(f"a false sentence in {name}", f"{said} of {state}")


def _one_more():
    def wrong(fact):
        return lambda of: found + 1 if type(found := fact(of)) is int else found

    return patch.dict(FACTS, {name: wrong(fact) for name, fact in FACTS.items()})


PLANTS = {"facts": _one_more}
