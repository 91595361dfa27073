"""The source that the flags of a command start from: a session, an exhibit or a configuration."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pe_explorer import encodings, flags, pictures, quantities
from pe_explorer.commandline.streams import load_config
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.session import Session
from pe_explorer.flags import SHOWN, ExportRequest, shell_words
from pe_explorer.flags.commands import PANES, SUBJECT
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import ParameterError, declared, did_you_mean, not_one_of, one_line, quoted

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration
    from pe_explorer.gallery.exhibits import Exhibit


_OUTPUT_FIELDS = ("what", "curves", "dtype", "carry")
"""Fields of a request that only concern the output, not what is explored."""
_FIXED_BY_EXHIBIT = (
    *SUBJECT,
    *PANES,
    "pin",
    *SHOWN,
    *(name for name in declared(ExportRequest) if name not in _OUTPUT_FIELDS),
    *quantities.options(),
)
"""Names of the flags that an exhibit fixes, besides the options of encodings and views."""


_EXHIBIT, _SESSION, _CONFIG, _MODEL = "--exhibit", "--session", "--config", "--model"
_SOURCES = {_SESSION: "a session", _CONFIG: "a configuration", _MODEL: "a model"}
"""The flags of sources, of which one may be given, in words; an exhibit refuses all of them."""
_FILE, _NAME = {_CONFIG: "--config FILE"}, {_MODEL: "--model NAME"}
_OF_CONFIG = {"--layers": {**_FILE, **_NAME}, "--assume": _FILE, "--override": _FILE}
"""The flags that concern a configuration, and those of which they need one, with their values."""


class Start(NamedTuple):
    """The values that flags start from.

    Attributes
    ----------
    opened : Session
        The session given, or a new one, with the encoding and the pins given, or with those of
        a configuration or a model.
    positions : range or None
        Those of the session or the exhibit given; None for those where the encoding begins.
    exhibit : Exhibit or None
        The exhibit given.
    """

    opened: Session
    positions: range | None
    exhibit: Exhibit | None = None

    @property
    def encoding(self) -> Encoding:
        """The encoding whose parameters are flags."""
        return encodings.require_known(self.opened.state.encoding)


def start_from(typed: Sequence[Word], *, several: bool = False) -> Start:
    """Return the values that a command starts from.

    With `several`, a configuration whose layer types have encodings of their own gives all of
    them, one as the current encoding and the others as pins.

    Raises
    ------
    ParameterError
        If the session or the configuration cannot be read, or its encoding is not known here
        and no other is given; or if there is no such exhibit, or flags stand beside it that
        change what it shows.
    """
    if shell_words.values(typed, _EXHIBIT):
        return _start_from_exhibit(typed)
    start = _start_from_config(typed, several)
    paths = shell_words.values(typed, _SESSION)
    if paths:
        opened = session.read(paths[-1])
        start = Start(opened, opened.state.positions)
    names = shell_words.values(typed, "--encoding")
    if names and names[-1] in encodings.names():
        start = _with_encoding(start, names[-1])
    try:
        encodings.require_known(start.opened.state.encoding)
    except ParameterError as error:
        raise ParameterError("session", f"{paths[-1]}: {error.problem}") from None
    pins = flags.parse_pins(shell_words.values(typed, "--pin"))
    if not pins:
        return start
    state = start.opened.state.with_(pins=pins)
    return Start(dataclasses.replace(start.opened, state=state), start.positions)


def _given_flags(typed: Sequence[Word]) -> dict[str, str]:
    """Return the flags of sources and of configurations that are given, with their values.

    Raises `ParameterError` for two sources, or a flag without the source that it needs.
    """
    values = {flag: shell_words.values(typed, flag) for flag in (*_SOURCES, *_OF_CONFIG)}
    given = {flag: texts[-1] for flag, texts in values.items() if texts}
    sources = [flag for flag in _SOURCES if flag in given]
    if len(sources) > 1:
        problem = f"{_SOURCES[sources[0]]} is given, too"
        raise ParameterError(sources[1].removeprefix("--"), problem, "leave one of the two out")
    for flag, needed in _OF_CONFIG.items():
        if flag in given and not {*sources} & {*needed}:
            problem = "it applies only to a configuration"
            remedy = f"pass {' or '.join(needed.values())}, too"
            raise ParameterError(flag.removeprefix("--"), problem, remedy)
    return given


def _start_from_config(typed: Sequence[Word], several: bool) -> Start:
    """Return a start with the encodings of a configuration, or the default one without any."""
    given = _given_flags(typed)
    flag = next((flag for flag in (_CONFIG, _MODEL) if flag in given), "").removeprefix("--")
    if not flag:
        return Start(Session(Exploration()), None)
    # Other commands start without this folder.
    from pe_explorer import configs
    from pe_explorer.exploration.layer_types import pinned_layers

    name, source = _configuration(flag, given[f"--{flag}"])
    assume = given.get("--assume")
    if assume not in (None, configs.LLAMA):
        raise ParameterError("assume", not_one_of(assume, (configs.LLAMA,)))
    if "--override" in given:
        source = configs.Overridden(source, configs.override_from(given["--override"]))
    try:
        found = encodings.read_config(source, assume=assume)
    except encodings.EncodingError as error:
        field = "" if error.name == configs.CONFIGURATION else f"{error.name}: "
        raise ParameterError(flag, f"{name}: {field}{error.fault}", error.remedy) from None
    if not found.encodings:
        raise ParameterError(flag, f"{name}: {found.lack()}")
    chosen = _chosen(flag, name, found, given.get("--layers", ""))
    if len(chosen) > 1 and not several:
        problem = f"{name} has several layer types: {_named(chosen)}"
        raise ParameterError(flag, problem, "choose one with --layers")
    state = pinned_layers(chosen)
    if found.trained:
        state = pictures.with_options(state, "context", trained=found.trained)
    reported_kinds = (configs.UNKNOWN_CLASS, configs.LOST_FIELD)
    lines = (each.line for each in found.findings if each.kind in reported_kinds)
    return Start(Session(state, notes=tuple(f"{name}: {line}" for line in lines)), None)


def _configuration(flag: str, name: str) -> tuple[str, Any]:
    """Return the name and the source of the configuration that a flag gives."""
    if flag == "model":
        from pe_explorer.gallery import models  # the gallery takes a while to load

        return name, models.find(name).config
    try:
        source = load_config(name)
    except ParameterError as error:
        raise ParameterError(flag, f"{error.name}: {error.fault}", error.remedy) from None
    return source.name, source


def _start_from_exhibit(typed: Sequence[Word]) -> Start:
    from pe_explorer.gallery.exhibits import find  # the gallery takes a while to load

    refuse_beside_exhibit(typed, map(flags.flag, _FIXED_BY_EXHIBIT))
    exhibit = find(shell_words.values(typed, _EXHIBIT)[-1])
    state = exhibit.exploration
    return Start(Session(state), state.positions, exhibit)


def refuse_beside_exhibit(typed: Sequence[Word], fixed: Iterable[str]) -> None:
    """Raise `ParameterError` if one of the flags that an exhibit fixes is typed, too."""
    known = set(fixed)
    for word in typed:
        if word.flag in known:
            problem = f"an exhibit fixes all that it shows; leave {word.flag} out"
            raise ParameterError("exhibit", problem)


def _with_encoding(start: Start, name: str) -> Start:
    """Return a start with another encoding, at its own positions if its rows mean others."""
    opened, positions = start.opened, start.positions
    old = opened.state.encoding
    if name == old.name and not isinstance(old, Unknown):
        return start
    new = encodings.create(name)
    fields: dict[str, Any] = {"encoding": new}
    if not isinstance(old, Unknown) and old.rows != new.rows:
        first = new.first_range
        fields |= {"start": first.start, "count": len(first)}
        positions = None
    # problems with an encoding that is not used would only distract
    notes = tuple(note for note in opened.notes if not note.startswith("encoding."))
    state = opened.state.with_(**fields)
    return Start(dataclasses.replace(opened, state=state, notes=notes), positions)


# -- a configuration as the start ------------------------------------------------------------------


_LONGEST_NAME = 60  # letters of the name of a layer type in a message


def _chosen(flag: str, name: str, found: ReadConfiguration, layers: str) -> Mapping[str, Encoding]:
    """Return the encoding of the layer type that is chosen, or those of all where none is.

    Raises `ParameterError` where there are no such layers, or one that is wanted has no encoding.
    """
    from pe_explorer.configs import WITHOUT

    types = [layer for layer in found.layers if layer != WITHOUT]
    if layers and layers not in (*types, *found.encodings):
        hint = did_you_mean(layers, types)
        raise ParameterError("layers", f"{quoted(layers)} is not one of {_named(types)}{hint}")
    if found.encodings.keys().isdisjoint(types):  # one for all of them
        return found.encodings
    wanted = [layers] if layers else types
    for layer in wanted:
        if layer not in found.encodings:
            others = f"choose {_named(found.encodings)} with --layers"
            raise ParameterError(flag, f"{name}: {found.lack(layer)}", others)
    return {layer: found.encodings[layer] for layer in wanted}


def _named(layers: Iterable[str]) -> str:
    """Return the names of layer types as a part of a sentence; a file may have very long ones."""
    names = (name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…" for name in layers)
    return ", ".join(map(one_line, names))
