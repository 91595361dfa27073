"""Facts of an exploration, and the texts of views that contain them.

A fact is a named function, which is called only when a text contains its name. Facts that depend on
the options or the numbers of one view are declared in the folder of the view in `pictures`.
"""

from pe_explorer.words import distances, shown, waves  # imported because they declare facts
from pe_explorer.words.facts import FACTS, Fact, Facts, NoFactError, fact, require, require_fact
