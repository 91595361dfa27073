"""The model: it holds the exploration and announces its changes; it knows no widgets."""

from pe_explorer.exploration import Exploration
from pe_explorer.model.model import Model
from pe_explorer.model.playhead import PlayHead
from pe_explorer.model.worker import Worker
