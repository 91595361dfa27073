"""Facts of an exploration, and the texts of views that contain facts.

A fact is a named value, which is computed only if a text contains its name. Facts that
depend on the options or values of one view are defined in the folder of the view in
`pictures`.
"""

from pe_explorer.words import distances, lessons, shown, waves  # imported because they define facts
from pe_explorer.words.facts import FACTS, Facts, NoFactError, register_fact, require, require_fact
