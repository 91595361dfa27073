"""Definitions of encodings, pictures and quantities, found by the names in the registries.

Each definition is a class `Definition` in the test file of its owner. Only this module imports test
files from other tests.
"""

from functools import cache, partial
from importlib import import_module

from pe_explorer import encodings
from pe_explorer.flags import WINDOW


@cache
def _owned(room, name):
    module = f"tests.{room}.test_{name.replace('-', '_')}"
    return import_module(module).Definition


of_scheme = partial(_owned, "encodings")
of_picture = partial(_owned, "pictures")
of_quantity = partial(_owned, "quantities")


def definition(e):
    return of_scheme(e.name)(e)


def needs_of(shown):
    """Return the requirements of a picture; the window accepts every encoding."""
    return frozenset() if shown == WINDOW else of_picture(shown).needs


def suited_to(shown):
    """Return the best known encoding that a picture can show."""
    found = map(encodings.create, encodings.names())
    return next(e for e in found if needs_of(shown) <= definition(e).abilities)
