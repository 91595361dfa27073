"""Draw the pictures of the current encoding, a pin and their difference side by side."""

import math
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from pe_explorer.analysis.comparison import (
    WITHOUT_DIFFERENCE,
    Show,
    Subject,
    columns_of_cursor,
    subtracted,
    why_not_comparable,
)
from pe_explorer.encodings import Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration import subject_names
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures._beside import beside, split_name, status_of
from pe_explorer.pictures.figure import Figure, PanelPlace
from pe_explorer.pictures.gestures import Drag, Fields, OnScreen, Pointer, Wheel
from pe_explorer.pictures.inspection import Inspection, Outside, Value, brief_numbers
from pe_explorer.pictures.picture import AnyPicture, Options, Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.progress import Part


@dataclass(frozen=True)
class SideBySide(Picture[Options, Any]):
    """One or several pictures of the same class, selected by the words of `show`.

    The numbers of several pictures are a mapping by these words. Most classes have an option `show`
    and draw one encoding, so this class subtracts two pictures. The other classes use the field
    `show` of the exploration and compute differences themselves.
    """

    kind: type[AnyPicture]  # defines the name, the sides and the coloured panels

    @cached_property
    def alone(self) -> AnyPicture:
        """The picture of the class by itself."""
        return self.kind(self.state)

    @property
    def options(self) -> Any:
        return self.alone.options

    @property
    def show(self) -> str:
        return getattr(self.options, "show", self.state.show) if self.state.pins else Show.CURRENT

    @cached_property
    def words(self) -> tuple[Show, ...]:
        """The words of the pictures drawn side by side, or only the current encoding."""
        return tuple(map(Show, self.show.split())) if self.options.compared else (Show.CURRENT,)

    @cached_property
    def pictures(self) -> Mapping[Show, AnyPicture]:
        """The pictures to compute, by their words."""
        if not self._has_option:
            return {word: self._with(self.options, show=word.value) for word in self.words}
        options: dict[Show, Options | None] = {}
        for word in self.words:
            sources = (Show.CURRENT, Show.PINNED) if word == Show.DIFFERENCE else (word,)
            options |= dict.fromkeys(sources, self.options.compared)
        if Show.CURRENT in options:
            options[Show.CURRENT] = self.options
        elif self.options.common:
            options = {Show.CURRENT: self.options.common, **options}
        return {word: self._of_encoding(word, own) for word, own in options.items()}

    @property
    def _has_option(self) -> bool:
        return hasattr(self.options, "show")

    def _of_encoding(self, word: Show, options: Any) -> AnyPicture:
        options, state, pin = replace(options, show=Show.CURRENT.value), self.state, self.state.pin
        if word == Show.CURRENT or pin is None:
            return self._with(options)
        column = column_of(pin.encoding, state.encoding, state.dimension)
        return self._with(options, encoding=pin.encoding, dimension=column)

    def _with(self, options: Options, **fields: Any) -> AnyPicture:
        if options != self.options:
            fields["options"] = {**self.state.options, self.kind.name: options}
        state = self.state
        changed = {name: new for name, new in fields.items() if new != getattr(state, name)}
        return self.kind(replace(state, **changed) if changed else state)

    def _source(self, word: Show) -> Show:
        return word if word in self.pictures else Show.CURRENT  # the minuend of a difference

    @property
    def first(self) -> AnyPicture:
        return self.pictures[self._source(self.words[0])]

    def ingredients(self) -> tuple[Any, ...]:
        return self.show, *(picture.ingredients() for picture in self.pictures.values())

    def why_unavailable(self) -> str:
        reasons = (picture.why_unavailable() for picture in self.pictures.values())
        return self.why_no_difference() or next(filter(None, reasons), "")

    def remedy(self) -> str:
        return WITHOUT_DIFFERENCE if self.is_difference_undefined() else self.alone.remedy()

    # -- numbers and figure --------------------------------------------------------------------

    def cost(self, size: Size) -> float:
        return sum(picture.cost(size) for picture in self.pictures.values())

    def is_made_elsewhere(self) -> bool:
        return any(picture.is_made_elsewhere() for picture in self.pictures.values())

    def numbers(self, size: Size, progress: threading.Event) -> Any:
        if len(self.pictures) == 1:
            return self.first.numbers(size, progress)
        numbers, share = {}, 1 / len(self.pictures)
        for place, (word, picture) in enumerate(self.pictures.items()):
            numbers[word] = picture.numbers(size, Part(progress, place * share, share))
        return numbers

    def figure(self, numbers: Any) -> Figure:
        if len(self.pictures) == 1:
            figure = self.first.figure(numbers)
            if not self._has_option:  # the status already names the encodings
                return figure
            return figure._replace(status=status_of(self.state, {self.words[0]: figure}))
        figures = {word: picture.figure(numbers[word]) for word, picture in self.pictures.items()}
        return beside(self.state, self.words, figures, self.kind.coloured)

    def frame(self) -> Figure:
        frames = {word: picture.frame() for word, picture in self.pictures.items()}
        if len(frames) == 1 or self.is_difference_undefined():  # do not name a pin without a curve
            return next(iter(frames.values()))
        return beside(self.state, self.words, frames, self.kind.coloured)

    def limited_colours(self) -> tuple[str, ...]:
        return self.alone.limited_colours()

    def exported(self) -> str:
        compared = self.options.compared if self.show != Show.CURRENT else None
        return self._with(compared or self.options).exported()

    def also_shown(self, exported: str) -> tuple[str, ...]:
        return self.alone.also_shown(exported)

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        return self.first.formula(figure) if len(self.pictures) == 1 else {}

    # -- the cursor ------------------------------------------------------------------------------

    def cursor_places(self) -> Mapping[str, PanelPlace]:
        places: dict[str, PanelPlace] = {}
        for word in self.words:
            for name, place in self.pictures[self._source(word)].cursor_places().items():
                places[name if word == self.words[0] else f"{name}-{word}"] = place
        return places

    def cursor_outside(self) -> Outside | None:
        return self.alone.cursor_outside()

    def inspect(self, progress: threading.Event) -> Inspection:
        """Return the inspection of the first picture, with the values of the other pictures.

        The brief values are those drawn at the cursor: a difference, or the first value of each
        encoding.
        """
        if not self._has_option:
            return self.alone.inspect(progress)
        first = self._source(self.words[0])
        if self.words == (first,) or self.is_unavailable():
            return self.first.inspect(progress)
        made = {word: _inspected(picture, progress) for word, picture in self.pictures.items()}
        drawn = {
            word: _numbers_of(made[word]) if word in made else self._differences(made)
            for word in self.words
        }
        beside = (_values(word, drawn[word]) for word in self.words if word != first)
        return made[first]._replace(
            values=(*made[first].values, *chain.from_iterable(beside)),
            missing_reason=next(
                (found.missing_reason for found in made.values() if found.missing_reason), ""
            ),
            brief=self._brief(drawn),
        )

    def _differences(self, inspections: Mapping[Show, Inspection]) -> dict[str, float]:
        assert self.state.pin is not None
        both = (Show.CURRENT, Show.PINNED)
        current, less = (_numbers_of(inspections[word]) for word in both)
        e, pinned = self.alone.encoding, require_known(self.state.pin.encoding)
        found = subtracted(
            np.array([*current.values()]),
            np.array([less.get(name, np.nan) for name in current]),
            e,
            pinned,
            max(self.pictures[word].least for word in both),
        )
        return dict(zip(current, found.tolist(), strict=True))

    def _brief(self, values: Mapping[Show, Mapping[str, float]]) -> tuple[str, ...]:
        """Return the values of one difference, or the first value of each word."""
        numbers = values[self.words[0]]
        if not numbers:
            return ("no value",)
        main, *rest = numbers
        if len(self.words) > 1:
            of_words = {str(word): values[word].get(main, np.nan) for word in self.words}
            return (*([main] if rest else []), *brief_numbers(of_words))
        name = subject_names(self.state)[self.words[0]]
        first = f"{name}: {main}" if rest else f"{name}:"
        return brief_numbers({first: numbers[main], **{key: numbers[key] for key in rest}})

    def inspecting_takes_long(self) -> bool:
        return any(picture.inspecting_takes_long() for picture in self.pictures.values())

    def under(
        self, on_screen: OnScreen | None, panel: str
    ) -> tuple[AnyPicture, OnScreen | None, str]:
        """Return the picture in a panel, its part of `on_screen`, and its name for the panel."""
        word, name = self._part(panel)
        picture = self.pictures[word]
        if on_screen is None:
            return picture, None, name
        there: SideBySide = on_screen.picture
        word, name = there._part(panel)
        numbers = on_screen.numbers if len(there.pictures) == 1 else on_screen.numbers[word]
        return picture, OnScreen(there.pictures[word], numbers, on_screen.figure), name

    def _part(self, panel: str) -> tuple[Show, str]:
        name, of = split_name(panel)
        word = next((word for word in self.words if word == of), self.words[0])
        return self._source(word), name

    def pointed_at(self, on_screen: OnScreen | None, at: Pointer) -> Mapping[str, int]:
        picture, on_screen, name = self.under(on_screen, at.panel)
        fields = dict(picture.pointed_at(on_screen, at._replace(panel=name)))
        if "dimension" in fields:  # columns of a pin have different numbers
            e, own = self.state.encoding, picture.state.encoding
            fields["dimension"] = column_of(e, own, fields["dimension"])
        return fields

    def double_clicked(self, on_screen: OnScreen | None, at: Pointer) -> Fields:
        picture, on_screen, name = self.under(on_screen, at.panel)
        return picture.double_clicked(on_screen, at._replace(panel=name))

    def wheeled(self, on_screen: OnScreen | None, wheel: Wheel) -> Fields:
        picture, on_screen, name = self.under(on_screen, wheel.panel)
        return picture.wheeled(on_screen, wheel._replace(panel=name))

    def dragged(self, on_screen: OnScreen | None, drag: Drag) -> Fields:
        picture, on_screen, name = self.under(on_screen, drag.panel)
        drag.panel = name
        return picture.dragged(on_screen, drag)


_HELP = {
    Show.CURRENT: "Value of the current encoding at the cursor.",
    Show.PINNED: "Value of the pinned encoding at the cursor.",
    Show.DIFFERENCE: "Current value minus the pinned value.",
}


def _inspected(picture: AnyPicture, progress: threading.Event) -> Inspection:
    try:
        return picture.inspect(progress)
    except EncodingError as error:
        return Inspection(missing_reason=error.sentence)


def _numbers_of(inspection: Inspection) -> dict[str, float]:
    return {value.name: value.number for value in inspection.values if value.number is not None}


def _values(word: Show, numbers: Mapping[str, float]) -> Iterator[Value]:
    for name, number in numbers.items():
        title = capitalised(word) if len(numbers) == 1 else f"{name}, {word}"
        text = printed.exact(number) if math.isfinite(number) else "undefined"
        yield Value(title, text, _HELP[word], number)


def column_of(e: Encoding | Unknown, other: Encoding | Unknown, column: int) -> int:
    """Return the column of an encoding that corresponds to a column of another encoding.

    If there is no such column or an encoding is unknown, return the same index, limited to the
    width of a known encoding.
    """
    if isinstance(e, Unknown) or isinstance(other, Unknown) or e == other:
        return column
    if not why_not_comparable(e, other):
        columns = columns_of_cursor(Subject(Show.PINNED, e), other)
        (places,) = np.nonzero(columns == column)
        if len(places):
            return int(places[0])
    return min(column, e.width - 1)
