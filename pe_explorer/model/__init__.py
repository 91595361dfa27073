"""The model: the exploration of the user, whose changes it announces; no widgets here."""

from pe_explorer.exploration import Exploration
from pe_explorer.model.model import Model
from pe_explorer.model.playhead import PlayHead
from pe_explorer.model.worker import Worker
