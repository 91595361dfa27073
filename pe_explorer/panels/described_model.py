"""A model's configuration that is shown: its checks, and the encoding that it opened as."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.params import used

if TYPE_CHECKING:
    from pe_explorer.analysis.configuration import ConfigurationCheck


class DescribedModel(NamedTuple):
    """A configuration that is shown.

    Attributes
    ----------
    name : str
        The name of its file or of the model.
    checks : tuple of ConfigurationCheck
        One for each version of transformers; it opened as the first of them.
    encoding : Encoding or Unknown
        The encoding that it opened as.
    """

    name: str
    checks: tuple[ConfigurationCheck, ...]
    encoding: Encoding | Unknown

    @property
    def checked(self) -> ConfigurationCheck:
        """The check that it opened as."""
        return self.checks[0]


def edits(described: DescribedModel, now: Encoding | Unknown) -> list[str]:
    """Return sentences on the differences of the current encoding from the configuration."""
    before = described.encoding
    if isinstance(before, Unknown) or isinstance(now, Unknown) or type(before) is not type(now):
        return [] if now == before else [f"The encoding is {now.name} here."]
    kinds = {**used(before), **used(now)}
    changed = [name for name in kinds if getattr(before, name) != getattr(now, name)]
    return [
        f"{name} is {kinds[name].format(getattr(now, name))} here, "
        f"{kinds[name].format(getattr(before, name))} in the file."
        for name in changed
    ]
