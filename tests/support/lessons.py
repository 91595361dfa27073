"""The actions of a user who follows the steps of a lesson."""

from pe_explorer.gallery.tries import with_settings

BY_MEASURE = {
    "sentence": lambda value: {"options.tokens.sentence": value},
    "turning": lambda value: {"count": 450},
    "slower": lambda value: {"encoding.base": 100.0},
    "words": lambda value: {"options.tokens.sentence": " ".join("abcdefghijkl"[: int(value)])},
}
"""The settings with which a measure has a value."""
_STEPS = {"<": -1, ">": 1}


def doing(step):
    """Return an exploration that meets the first group of conditions of a step."""
    settings = {}
    for condition in step.check.groups[0]:
        value = condition.value
        if condition.op in _STEPS:
            value += _STEPS[condition.op]
        name = condition.name.removeprefix("measure.")
        settings |= BY_MEASURE[name](value) if name != condition.name else {name: value}
    return with_settings(step.exhibit.exploration, settings)
