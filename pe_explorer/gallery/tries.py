"""Something to try: settings that a button makes, and what comes out of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pe_explorer.exploration import Exploration
from pe_explorer.gallery.set_by_path import lack_of, with_settings


class Try(NamedTuple):
    """Something to try: a label, what comes out of it, and the settings that do it."""

    label: str
    outcome: str
    settings: Mapping[str, Any]

    @property
    def lack(self) -> str:
        """Why it cannot be done on this machine, and what helps; mostly an empty text."""
        return lack_of(self.settings)

    def applied(self, state: Exploration) -> Exploration:
        """Return the intention with the settings, or raise `ParameterError`."""
        return with_settings(state, self.settings)
