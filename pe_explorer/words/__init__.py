"""Facts of an exploration, and the texts of views that name them.

A fact is a function with a name. It is computed when a text names it, and only then. Facts that
depend on the options or the numbers of one view are declared in its folder in `pictures`.
"""

from pe_explorer.words import distances, shown, waves  # they declare their facts
from pe_explorer.words.facts import FACTS, Fact, Facts, NoFactError, fact, given, require
