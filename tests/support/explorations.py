"""Hypothesis strategies for legal values of parameters, encodings, pins and explorations."""

from hypothesis import strategies as st

from pe_explorer import encodings, params
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import MAX_PINS, Exploration, Pin
from pe_explorer.figures.style import ColourScale, CurveStyles

LETTERS = st.characters(categories=["L", "N", "P", "S"])
PANELS = ("waves", "clocks start=3 count=9 'letter=Fig. b'", "distances metric=dot")
CURVE_WORDS = ("colour=#d62728 dash=6,2,1,2", "dash=dash-dot width=0.1", "colour=teal", "width=10")
PARTS = st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters="/"), max_size=9)


def values_of(parameter):
    if isinstance(parameter, params.Choice):
        return st.sampled_from(list(parameter.choices))
    if isinstance(parameter, params.Flag):
        return st.booleans()
    if isinstance(parameter, params.FileName):
        named = st.builds("/{}/{} {}.npy".format, PARTS, PARTS, PARTS)
        return st.just("") | named
    if isinstance(parameter, params.Optional):
        return st.none() | values_of(parameter.inner)
    if isinstance(parameter, params.Numbers):
        each = values_of(parameter.item)
        return st.lists(each, min_size=1, max_size=min(3, parameter.longest)).map(tuple)
    if isinstance(parameter, params.Span):
        ends = st.lists(values_of(parameter.item), min_size=2, max_size=2, unique=True)
        return ends.map(sorted).map(tuple)
    if isinstance(parameter, CurveStyles | params.TextPairs | params.LabelledNumbers):
        return _pairs_of(parameter)
    if isinstance(parameter, params.Texts):  # texts without a list of words are names of panels
        texts = st.sampled_from(list(parameter.words) or PANELS)
        texts = texts | values_of(parameter.item) if parameter.words else texts
        return st.lists(texts, max_size=3, unique=True).map(tuple)
    if isinstance(parameter, ColourScale):
        return st.sampled_from(["", "viridis", "red-blue_r", "hues_r", "#000000 #c0ffee #ffffff"])
    if isinstance(parameter, params.Text):
        return st.text(LETTERS, min_size=parameter.shortest, max_size=min(9, parameter.longest))
    if isinstance(parameter, params.Whole):
        return st.integers(parameter.low, parameter.high)
    return st.floats(parameter.low, parameter.high, exclude_min=parameter.excludes_low)


def _pairs_of(parameter):
    second = values_of(getattr(parameter, "label_item", parameter.item))
    if isinstance(parameter, CurveStyles):
        second = st.sampled_from(CURVE_WORDS)
    pairs = st.dictionaries(values_of(parameter.item), second, max_size=3)
    return pairs.map(lambda found: tuple(found.items()))


def fields_of(cls):
    kinds = params.declared(cls).items()
    return st.fixed_dictionaries({name: values_of(kind) for name, kind in kinds})


def legal_values(cls):
    """Return values of a declared class, or its default if fields do not fit together."""

    def made(given):
        try:
            return cls(**given)
        except params.ParameterError:
            return cls()

    return fields_of(cls).map(made)


ENCODINGS = st.sampled_from(encodings.names()).map(encodings.find).flatmap(legal_values)
NAMES = st.text(LETTERS, min_size=1, max_size=30)
PINS = st.builds(Pin, ENCODINGS, NAMES, values_of(params.declared(Pin)["colour"]))


@st.composite
def explorations(draw):
    e, pins = draw(ENCODINGS), draw(st.lists(PINS, max_size=MAX_PINS))
    fields = draw(fields_of(Exploration))
    fields["count"] = min(fields["count"], LIMIT + 1 - fields["start"])
    return Exploration(encoding=e, pins=tuple(pins), **fields)
