"""Draw the pictures of the current encoding, a pin and their difference side by side."""

import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from pe_explorer.analysis.comparison import (
    DIFFERENCE_REMEDY,
    ShowOption,
    Subject,
    explain_mismatch,
    find_cursor_columns,
    subtract_values,
)
from pe_explorer.encodings import Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration import make_subject_names
from pe_explorer.params import capitalise, printed
from pe_explorer.pictures._side_by_side import combine_figures, make_status, split_panel_name
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.gestures import Drag, Fields, Pointer, Snapshot, Wheel
from pe_explorer.pictures.inspection import HiddenCursor, Inspection, Value, format_brief_numbers
from pe_explorer.pictures.picture import AnyPicture, Options, Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelPoint
from pe_explorer.progress import PartialProgress

T = TypeVar("T")

_DIFFERENCE_OPTIONS = (ShowOption.CURRENT, ShowOption.PINNED)  # pictures that a difference needs


@dataclass(frozen=True)
class SideBySidePicture(Picture[Options, Any]):
    """One or several pictures of the same class, selected by the words of `show`.

    The numbers of several pictures are a mapping with these words as keys. If `kind` has an
    option `show`, each picture draws one encoding, and this class computes a difference by
    subtracting two pictures. Otherwise, `kind` uses the field `show` of the exploration and
    computes differences itself.
    """

    kind: type[AnyPicture]  # class of the pictures

    @cached_property
    def base_picture(self) -> AnyPicture:
        """The picture of the state, which shows one encoding or computes differences itself."""
        return self.kind(self.state)

    @property
    def options(self) -> Any:
        return self.base_picture.options

    @property
    def show(self) -> str:
        if not self.state.pins:
            return ShowOption.CURRENT
        return getattr(self.options, "show", self.state.show)

    @cached_property
    def words(self) -> tuple[ShowOption, ...]:
        """The pictures to draw; only `CURRENT` if the options do not support comparison."""
        show = self.show if self.options.compared_options else ShowOption.CURRENT
        return tuple(map(ShowOption, show.split()))

    @cached_property
    def pictures(self) -> Mapping[ShowOption, AnyPicture]:
        """The pictures to compute, by word."""
        if not self._has_show_option:
            return {word: self._make_picture(self.options, show=word.value) for word in self.words}
        options: dict[ShowOption, Options | None] = {}
        for word in self.words:
            sources = _DIFFERENCE_OPTIONS if word == ShowOption.DIFFERENCE else (word,)
            options |= dict.fromkeys(sources, self.options.compared_options)
        if ShowOption.CURRENT in options:
            options[ShowOption.CURRENT] = self.options
        elif self.options.common_options:
            options = {ShowOption.CURRENT: self.options.common_options, **options}
        return {word: self._make_option_picture(word, options[word]) for word in options}

    @property
    def _has_show_option(self) -> bool:
        return hasattr(self.options, "show")

    def _make_option_picture(self, word: ShowOption, options: Any) -> AnyPicture:
        state, pin = self.state, self.state.pin
        options = replace(options, show=ShowOption.CURRENT.value)
        if word == ShowOption.CURRENT or pin is None:
            return self._make_picture(options)
        column = find_column(pin.encoding, state.encoding, state.dimension)
        return self._make_picture(options, encoding=pin.encoding, dimension=column)

    def _make_picture(self, options: Options, **fields: Any) -> AnyPicture:
        if options != self.options:
            fields["options"] = {**self.state.options, self.kind.name: options}
        state = self.state
        changes = {name: new for name, new in fields.items() if new != getattr(state, name)}
        return self.kind(replace(state, **changes) if changes else state)

    def _find_source_option(self, word: ShowOption) -> ShowOption:
        # A difference has no picture of its own, so use the picture of its minuend.
        return word if word in self.pictures else ShowOption.CURRENT

    @property
    def first_picture(self) -> AnyPicture:
        return self.pictures[self._find_source_option(self.words[0])]

    def inputs(self) -> tuple[Any, ...]:
        return self.show, *(picture.inputs() for picture in self.pictures.values())

    def explain_unavailability(self) -> str:
        reasons = (picture.explain_unavailability() for picture in self.pictures.values())
        return self.explain_no_difference() or next(filter(None, reasons), "")

    def remedy(self) -> str:
        return DIFFERENCE_REMEDY if self.is_difference_undefined() else self.base_picture.remedy()

    # -- numbers and figure --------------------------------------------------------------------

    def cost(self, size: Size) -> float:
        return sum(picture.cost(size) for picture in self.pictures.values())

    def should_use_own_thread(self) -> bool:
        return any(picture.should_use_own_thread() for picture in self.pictures.values())

    def numbers(self, size: Size, progress: threading.Event) -> Any:
        if len(self.pictures) == 1:
            return self.first_picture.numbers(size, progress)
        numbers, share = {}, 1 / len(self.pictures)
        for number, (word, picture) in enumerate(self.pictures.items()):
            numbers[word] = picture.numbers(size, PartialProgress(progress, number * share, share))
        return numbers

    def figure(self, numbers: Any) -> Figure:
        if len(self.pictures) == 1:
            figure = self.first_picture.figure(numbers)
            if not self._has_show_option:  # the status already names the encodings
                return figure
            return figure._replace(status=make_status(self.state, {self.words[0]: figure}))
        figures = {word: picture.figure(numbers[word]) for word, picture in self.pictures.items()}
        return combine_figures(self.state, self.words, figures, self.kind.coloured_panels)

    def frame(self) -> Figure:
        frames = {word: picture.frame() for word, picture in self.pictures.items()}
        if len(frames) == 1 or self.is_difference_undefined():  # do not name a pin without a curve
            return next(iter(frames.values()))
        return combine_figures(self.state, self.words, frames, self.kind.coloured_panels)

    def list_limited_colours(self) -> tuple[str, ...]:
        return self.base_picture.list_limited_colours()

    def quantity_name(self) -> str:
        options = self.options.compared_options if self.show != ShowOption.CURRENT else None
        return self._make_picture(options or self.options).quantity_name()

    def list_omitted_data(self, exported: str) -> tuple[str, ...]:
        return self.base_picture.list_omitted_data(exported)

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        return self.first_picture.formula(figure) if len(self.pictures) == 1 else {}

    # -- the cursor ------------------------------------------------------------------------------

    def find_cursor_points(self) -> Mapping[str, PanelPoint]:
        return self._collect_by_panel(lambda picture: picture.find_cursor_points())

    def find_panel_columns(self, dimensions: Sequence[int]) -> Mapping[str, Sequence[float]]:
        return self._collect_by_panel(lambda picture: picture.find_panel_columns(dimensions))

    def _collect_by_panel(self, find: Callable[[AnyPicture], Mapping[str, T]]) -> dict[str, T]:
        return {
            name if word == self.words[0] else f"{name}-{word}": found
            for word in self.words
            for name, found in find(self.pictures[self._find_source_option(word)]).items()
        }

    def find_hidden_cursor(self) -> HiddenCursor | None:
        return self.base_picture.find_hidden_cursor()

    def inspect(self, progress: threading.Event) -> Inspection:
        """Return the inspection of the first picture, with the values of the other pictures.

        `brief` contains the values drawn at the cursor: a difference, or the first value of
        each encoding.
        """
        if not self._has_show_option:
            return self.base_picture.inspect(progress)
        first = self._find_source_option(self.words[0])
        if self.words == (first,) or self.is_unavailable():
            return self.first_picture.inspect(progress)
        inspections = {word: _inspect(p, progress) for word, p in self.pictures.items()}
        numbers = {word: _collect_numbers(inspection) for word, inspection in inspections.items()}
        if ShowOption.DIFFERENCE in self.words:
            numbers[ShowOption.DIFFERENCE] = self._subtract_numbers(inspections)
        other_values = (_make_values(word, numbers[word]) for word in self.words if word != first)
        reasons = (inspection.missing_reason for inspection in inspections.values())
        return inspections[first]._replace(
            values=(*inspections[first].values, *chain.from_iterable(other_values)),
            missing_reason=next(filter(None, reasons), ""),
            brief=self._format_brief_values(numbers),
        )

    def _subtract_numbers(self, inspections: Mapping[ShowOption, Inspection]) -> dict[str, float]:
        assert self.state.pin is not None
        current, pin_numbers = (_collect_numbers(inspections[word]) for word in _DIFFERENCE_OPTIONS)
        differences = subtract_values(
            np.array([*current.values()]),
            np.array([pin_numbers.get(name, np.nan) for name in current]),
            self.base_picture.encoding,
            require_known(self.state.pin.encoding),
            max(self.pictures[word].min_magnitude for word in _DIFFERENCE_OPTIONS),
        )
        return dict(zip(current, differences.tolist(), strict=True))

    def _format_brief_values(
        self, values: Mapping[ShowOption, Mapping[str, float]]
    ) -> tuple[str, ...]:
        """Return the values for a single word, or the first value for each of several words."""
        numbers = values[self.words[0]]
        if not numbers:
            return ("no value",)
        main, *rest = numbers
        if len(self.words) > 1:
            main_values = {str(word): values[word].get(main, np.nan) for word in self.words}
            return (*([main] if rest else []), *format_brief_numbers(main_values))
        name = make_subject_names(self.state)[self.words[0]]
        title = f"{name}: {main}" if rest else f"{name}:"
        return format_brief_numbers({title: numbers[main], **{key: numbers[key] for key in rest}})

    def is_inspection_slow(self) -> bool:
        return any(picture.is_inspection_slow() for picture in self.pictures.values())

    def find_picture(self, snapshot: Snapshot, panel: str) -> tuple[AnyPicture, Snapshot, str]:
        """Return the picture in a panel, its part of `snapshot`, and the panel's name in it."""
        word, name = self._find_option_and_name(panel)
        picture = self.pictures[word]
        if snapshot is None:
            return picture, None, name
        combined_picture: SideBySidePicture = snapshot.picture
        word, name = combined_picture._find_option_and_name(panel)
        has_one_picture = len(combined_picture.pictures) == 1
        numbers = snapshot.numbers if has_one_picture else snapshot.numbers[word]
        snapshot = snapshot._replace(picture=combined_picture.pictures[word], numbers=numbers)
        return picture, snapshot, name

    def _find_option_and_name(self, panel: str) -> tuple[ShowOption, str]:
        name, word = split_panel_name(panel)
        return self._find_source_option(
            ShowOption(word) if word in self.words else self.words[0]
        ), name

    def find_pointer_fields(self, snapshot: Snapshot, pointer: Pointer) -> Mapping[str, int]:
        picture, snapshot, name = self.find_picture(snapshot, pointer.panel)
        fields = dict(picture.find_pointer_fields(snapshot, pointer._replace(panel=name)))
        if "dimension" in fields:  # a pin may number its columns differently
            encodings = self.state.encoding, picture.state.encoding
            fields["dimension"] = find_column(*encodings, fields["dimension"])
        return fields

    def find_double_click_fields(self, snapshot: Snapshot, pointer: Pointer) -> Fields:
        picture, snapshot, name = self.find_picture(snapshot, pointer.panel)
        return picture.find_double_click_fields(snapshot, pointer._replace(panel=name))

    def find_wheel_fields(self, snapshot: Snapshot, wheel: Wheel) -> Fields:
        picture, snapshot, name = self.find_picture(snapshot, wheel.panel)
        return picture.find_wheel_fields(snapshot, wheel._replace(panel=name))

    def find_drag_fields(self, snapshot: Snapshot, drag: Drag) -> Fields:
        picture, snapshot, name = self.find_picture(snapshot, drag.panel)
        drag.panel = name
        return picture.find_drag_fields(snapshot, drag)


_HELP = {
    ShowOption.CURRENT: "Value of the current encoding at the cursor.",
    ShowOption.PINNED: "Value of the pinned encoding at the cursor.",
    ShowOption.DIFFERENCE: "Current value minus the pinned value.",
}


def _inspect(picture: AnyPicture, progress: threading.Event) -> Inspection:
    try:
        return picture.inspect(progress)
    except EncodingError as error:
        return Inspection(missing_reason=error.sentence)


def _collect_numbers(inspection: Inspection) -> dict[str, float]:
    return {value.name: value.number for value in inspection.values if value.number is not None}


def _make_values(word: ShowOption, numbers: Mapping[str, float]) -> Iterator[Value]:
    for name, number in numbers.items():
        title = capitalise(word) if len(numbers) == 1 else f"{name}, {word}"
        text = printed.exact(number) if math.isfinite(number) else "undefined"
        yield Value(title, text, _HELP[word], number)


def find_column(e: Encoding | Unknown, other: Encoding | Unknown, column: int) -> int:
    """Return the column of `e` that corresponds to a column of `other`.

    If an encoding is unknown, return `column`. If no column corresponds, return `column`,
    limited to the width of `e`.
    """
    if isinstance(e, Unknown) or isinstance(other, Unknown) or e == other:
        return column
    if not explain_mismatch(e, other):
        columns = find_cursor_columns(Subject(ShowOption.PINNED, e), other)
        (places,) = np.nonzero(columns == column)
        if len(places):
            return int(places[0])
    return min(column, e.width - 1)
