"""The names of steps of undo: the change in a few words."""

from typing import Any

from pe_explorer import pictures
from pe_explorer.encodings import Unknown, axes_of
from pe_explorer.exploration import Exploration, changes, difference_name
from pe_explorer.params import Choice, Declared, FileName, Parameter, declared, printed

_PIN_FIELDS = frozenset({"pins", "compared", "show"})
_RANGE_FIELDS = frozenset({"start", "count"})
_ENCODING_FIELDS = frozenset({"encoding", "start", "count", "reference", "metric"})
_SEVERAL = "several changes"
_LONGEST_NAME = 28  # characters of the name of a pin or an encoding

_StepName = tuple[str, str]
"""The name of what changed, and its new value with a preposition, if any."""


def step_name(old: Exploration, new: Exploration) -> str:
    r"""Return the name of a step in the form that Qt's undo stack takes.

    The first line, with the new value, is for the list of steps. A second line, without it,
    is for the menu: while a slider is dragged the value changes with every frame, and a menu
    that showed it would be laid out each time.
    """
    what, value = _describe(old, new)
    return f"{what}{value}\n{what}" if value else what


def have_other_rows(old: Exploration, new: Exploration) -> bool:
    """Return whether positions became offsets, or the other way round."""
    before, after = old.encoding, new.encoding
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return False
    return before.rows != after.rows


def _is_another(old: Exploration, new: Exploration) -> bool:
    return type(old.encoding) is not type(new.encoding)


def _describe(old: Exploration, new: Exploration) -> _StepName:
    fields = changes(old, new)
    if (
        fields & {"pins", "compared"} and fields <= _PIN_FIELDS
    ):  # `show` goes back with the last pin
        return _describe_pins(old, new), ""
    if "encoding" in fields and _follows_encoding(fields, old, new):
        return _describe_encoding(old, new)
    if fields <= _RANGE_FIELDS:
        return _describe_range(fields, new)
    if len(fields) > 1:
        return _SEVERAL, ""
    (field,) = fields
    if field == "show" and new.show == "difference":
        return declared(type(new))[field].label.lower(), f" {difference_name(new)}"
    if field.startswith("options."):
        return _describe_options(field.removeprefix("options."), old, new)
    return _describe_field(old, new)


def _follows_encoding(fields: frozenset[str], old: Exploration, new: Exploration) -> bool:
    """Return whether all other changes follow from the encoding: its range, or its metric."""
    if fields <= {"encoding", "metric"}:
        return len(fields) == 1 or _is_another(old, new)
    return fields <= _ENCODING_FIELDS and have_other_rows(old, new)


def _describe_pins(old: Exploration, new: Exploration) -> str:
    if len(new.pins) > len(old.pins):
        added = [pin for pin in new.pins if pin not in old.pins]
        pin = added[0] if added else new.pins[-1]
        return f"pin {_shortened(pin.name)}"
    if len(new.pins) < len(old.pins):
        removed = [pin for pin in old.pins if pin not in new.pins]
        pin = removed[0] if removed else old.pins[-1]
        return f"unpin {_shortened(pin.name)}"
    pairs = zip(old.pins, new.pins, strict=True)
    changed = [(before, after) for before, after in pairs if before != after]
    if len(changed) == 1:
        before, after = changed[0]
        what = "rename" if before.name != after.name else "colour of"
        return f"{what} {_shortened(before.name)}"
    if new.pin and not changed:
        return f"compare with {_shortened(new.pin.name)}"
    return "several pins"


def _describe_encoding(old: Exploration, new: Exploration) -> _StepName:
    before, after = old.encoding, new.encoding
    if isinstance(after, Unknown):
        return f"encoding {_shortened(after.label)}", ""
    if isinstance(before, Unknown) or _is_another(old, new):
        return f"encoding {after.called()}", ""
    return _describe_field(before, after)


def _describe_range(fields: frozenset[str], new: Exploration) -> _StepName:
    if "count" not in fields:
        return "move", f" to {new.start:,}"
    rows, _ = axes_of(new.encoding)
    return "zoom", f" to {rows.counted(new.count)}"


def _describe_options(view: str, old: Exploration, new: Exploration) -> _StepName:
    picture = pictures.find(view)
    what, value = _describe_field(picture.options(old), picture.options(new))
    return f"{picture.title} {what}", f":{value}" if value else ""


def _describe_field(old: Declared, new: Declared) -> _StepName:
    """Name the one declared field that differs, and its new value."""
    kinds = declared(type(new))
    before, after = vars(old), vars(new)
    changed = [name for name in kinds if after[name] != before[name]]
    if len(changed) != 1:
        return _SEVERAL, ""
    (name,) = changed
    kind = kinds[name]
    value = _format(kind, after[name])
    return kind.label.lower(), f" {value}" if value else ""


def _format(kind: Parameter, value: Any) -> str:
    """Return a value in a few words; a file is named without its folder."""
    if isinstance(kind, Choice):
        return kind.texts.get(value, kind.format(value))
    if isinstance(value, int | float):
        return printed.alone(kind.format(value))
    return kind.last_part(value) if isinstance(kind, FileName) else kind.format(value)


def _shortened(name: str) -> str:
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[: _LONGEST_NAME - 1].rstrip()}…"
