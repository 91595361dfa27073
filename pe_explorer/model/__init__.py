"""The model, which holds the exploration and announces its changes, independently of widgets."""

from pe_explorer.exploration import Exploration
from pe_explorer.model.model import Model
from pe_explorer.model.playhead import PlayHead
from pe_explorer.model.worker import Worker
