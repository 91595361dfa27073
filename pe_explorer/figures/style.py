"""The style of a figure, with settings for the dialog, command-line flags and sessions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from pe_explorer.colours.dashes import NAMED_DASHES
from pe_explorer.colours.maps import ANGLE_MAPS, VALUE_MAPS
from pe_explorer.colours.themes import PIN_SHADES
from pe_explorer.figures.size import PIXELS_PER_INCH, UNIT_POINTS, FigureSize
from pe_explorer.params import (
    Choice,
    Declared,
    Flag,
    Numbers,
    Optional,
    ParameterError,
    Real,
    Span,
    Text,
    TextPairs,
    Texts,
    Whole,
    declare,
    declared,
    describe_bad_choice,
    format_fault,
    suggest_choice,
)

_DEFAULT_FONT_SIZE, _MAX_FONT_SIZE = 8.0, 48.0  # in points
_COLOUR_MAPS = tuple(dict.fromkeys([*VALUE_MAPS, *ANGLE_MAPS]))
_SCREEN_SIZE = FigureSize(1600, 900)
_SCREEN_FONT_SIZE = 20 * UNIT_POINTS["px"]  # in points, for images viewed from a distance


def _declare_limits(label: str, meaning: str, limits: tuple[float, float] = (0.0, 1.0)) -> Any:
    number = Real(0.0, -1e300, 1e300, label="Limit", help="The value at one end of the range.")
    ends = Span(limits, number, label=label, help=meaning)
    return declare(Optional(None, ends, auto="as in the window"))


def _declare_ticks(label: str, place: str) -> Any:
    number = Real(0.0, -1e300, 1e300, label="Value", help="The value at a tick.")
    help_text = f"The values of the ticks {place}; values outside the limits are omitted."
    values = Numbers((), number, 100, label=label, help=help_text)
    return declare(Optional(None, values, auto="round numbers"))


def _declare_scale(label: str, axis: str) -> Any:
    choices = {
        "auto": "as in the view",
        "linear": "equal distances on the axis are equal differences",
        "log": "equal distances on the axis are equal ratios",
    }
    help_text = f"The scale of the {axis} axis of curves; log requires values above 0."
    return declare(Choice("auto", choices, label=label, help=help_text))


@dataclass(frozen=True)
class ColourScale(Text):
    """The name of a colour map, or a list of colours from low to high."""

    limits = (
        f"one of {', '.join(_COLOUR_MAPS)}, optionally reversed as in viridis_r, or at least two "
        "colours such as #000000 #ffffff"
    )

    def check(self, name: str, value: object) -> str:
        """Check a value; return a map's name, or lower-case colours separated by spaces."""
        text = super().check(name, value)
        unknown_name = text if text and text.removesuffix("_r") not in _COLOUR_MAPS else ""
        if text.startswith("#"):
            colours = text.replace(",", " ").lower().split()
            text = " ".join(colours)
            bad_colours = (colour for colour in colours if not re.fullmatch("#[0-9a-f]{6}", colour))
            unknown_name = next(bad_colours, "" if len(colours) > 1 else text)
        if unknown_name:
            hint = suggest_choice(unknown_name, _COLOUR_MAPS)
            raise ParameterError(name, f"{format_fault(self.limits, unknown_name)}{hint}")
        return text


_COLOUR_HINT = f"a colour such as #d62728, or one of {', '.join(PIN_SHADES)}"
_DASHES = f"one of {', '.join(NAMED_DASHES)}, or lengths in line widths such as 6,2,1,2"
_LENGTH_PATTERN = r"(?!0+(\.0)?(,|$))\d{1,3}(\.\d)?"  # matches a positive length
_PATTERNS = {
    "colour": (rf"#[0-9a-fA-F]{{6}}|{'|'.join(PIN_SHADES)}", _COLOUR_HINT),
    "dash": (rf"{'|'.join(NAMED_DASHES)}|{_LENGTH_PATTERN}(,{_LENGTH_PATTERN}){{0,11}}", _DASHES),
}  # the regular expression and description of valid texts for each setting of a curve


@dataclass(frozen=True)
class CurveStyle(Declared):
    """The settings of one curve; empty strings and None leave the curve unchanged."""

    colour: str = declare(Text("", 9, shortest=0, label="Colour", help=f"Use {_COLOUR_HINT}."))
    dash: str = declare(Text("", 60, shortest=0, label="Dash", help=f"Use {_DASHES}."))
    width: float | None = declare(
        Optional(
            None,
            Real(1.5, 0.1, 10.0, label="Width", help="The line width in points."),
            auto="the line width of the figure",
        )
    )

    def check_combination(self) -> None:
        """Raise `ParameterError` if the colour or the dash pattern is invalid."""
        for name, (pattern, description) in _PATTERNS.items():
            if (text := getattr(self, name)) and not re.fullmatch(pattern, text):
                raise ParameterError(name, format_fault(description, text))

    @classmethod
    def read(cls, name: str, words: str) -> CurveStyle:
        """Parse settings such as ``colour=teal width=2``; errors refer to the parameter `name`."""
        kinds = declared(cls)
        pairs = [word.partition("=")[::2] for word in words.split()]
        try:
            return cls(**{key: kinds[key].parse(key, text) for key, text in pairs})
        except KeyError as error:
            raise ParameterError(name, describe_bad_choice(error.args[0], kinds)) from None
        except ParameterError as error:
            raise ParameterError(name, f"{error.name}: {error.fault}", error.remedy) from None


class CurveStyles(TextPairs):
    """The settings of curves by name; the name of a curve may contain colons."""

    SYNTAX_HINT = "write NAME: KEY=VALUE, with semicolons between pairs"
    PAIR_SPLITTER = str.rpartition

    def check(self, name: str, value: object) -> tuple[tuple[str, str], ...]:
        """Check the pairs and their settings, and return the pairs."""
        pairs = super().check(name, value)
        for _, words in pairs:
            CurveStyle.read(name, words)
        return pairs


HIDEABLE_PARTS = (
    *("shading", "hatching", "dots", "levels", "marks", "names", "numbers", "badges", "legend"),
    *("table", "notes"),
)  # words for the parts of a figure that a style can hide


@dataclass(frozen=True)
class Style(Declared):
    """All settings of a figure except for its size and content."""

    dpi: float = declare(
        Real(
            300.0,
            30.0,
            2400.0,
            label="Dots per inch",
            help="The resolution of PNG files, and of cells in PDF and SVG files. It does not "
            "apply to sizes in pixels.",
        )
    )
    font: str = declare(
        Text("DejaVu Sans", 120, label="Font", help="The font of all texts, if it is installed.")
    )
    font_size: float | None = declare(
        Optional(
            None,
            Real(
                _DEFAULT_FONT_SIZE,
                4.0,
                _MAX_FONT_SIZE,
                label="Font size",
                unit="points",
                help="The size of all texts.",
            ),
            auto="8 points; in proportion to a size in pixels, such as 20 points at 1600 × 900",
        )
    )
    title: str = declare(
        Text(
            "",
            200,
            shortest=0,
            label="Title",
            help="The title above the figure. Leave it empty to show no title.",
        )
    )
    subtitle: str = declare(
        Text(
            "",
            200,
            shortest=0,
            label="Subtitle",
            help="The text below the title. Leave it empty to show no subtitle.",
        )
    )
    panels: tuple[str, ...] = declare(
        Texts(
            (),
            Text("heatmap", 1000, label="Panel", help="One panel of a plate."),
            12,
            label="Panels",
            help="The panels of a plate, which replace the panes. Each panel is a view with "
            "changes for this panel only, such as heatmap base=500 letter=(a). You can "
            "change letter, only (one part), encoding and its parameters, options of the view, "
            "start, count, metric and show.",
        )
    )
    labels: bool = declare(
        Flag(True, label="Axis labels", help="Show the title of each axis, with its unit.")
    )
    colour_bar: bool = declare(
        Flag(True, label="Colour bar", help="Show the bar that maps colours to values.")
    )
    legend: str = declare(
        Choice(
            "auto",
            {
                "auto": "at the ends of curves if there is room, otherwise inside or below",
                "inside": "inside the axes",
                "below": "below the figure",
                "none": "no legend",
            },
            label="Legend",
            help="Where to show the names of several curves.",
        )
    )
    grid: bool = declare(Flag(False, label="Grid", help="Draw faint lines at all ticks."))
    ticks: int | None = declare(
        Optional(
            None,
            Whole(5, 2, 20, label="Ticks", help="The maximum number of ticks on each axis."),
            auto="as many as fit",
        )
    )
    line_width: float = declare(
        Real(1.5, 0.1, 10.0, label="Line width", unit="points", help="The width of curves.")
    )
    limits: tuple[float, float] | None = _declare_limits(
        "Colour limits", "The values at both ends of the colour bar.", (-1.0, 1.0)
    )
    x_limits: tuple[float, float] | None = _declare_limits(
        "X-axis limits",
        "The values at both ends of the lower axis of curves. Cells always show the selected "
        "positions and dimensions.",
    )
    y_limits: tuple[float, float] | None = _declare_limits(
        "Y-axis limits", "Lower and upper limits of the left axis in curve plots."
    )
    x_scale: str = _declare_scale("X-axis scale", "lower")
    y_scale: str = _declare_scale("Y-axis scale", "left")
    x_ticks: tuple[float, ...] | None = _declare_ticks("X-axis ticks", "below the axes")
    y_ticks: tuple[float, ...] | None = _declare_ticks("Y-axis ticks", "left of the axes")
    bar_ticks: tuple[float, ...] | None = _declare_ticks("Colour bar ticks", "at the colour bar")
    colours: str = declare(
        ColourScale(
            "",
            2048,
            shortest=0,
            label="Colours",
            help="A colour map, or colours from low to high. Leave it empty to use the colours of "
            "the view.",
        )
    )
    texts: tuple[tuple[str, str], ...] = declare(
        TextPairs(
            (),
            Text(
                "text",
                200,
                label="Text",
                help="A text of the figure, or the text that replaces it.",
            ),
            100,
            label="Custom texts",
            help="Replacements for titles and names of the figure, each as OLD: NEW; you can also "
            "click a text in the preview. OLD can be x title, y title or bar title for all lower "
            "axes, left axes or colour bars, or matrix x title for the part matrix only.",
        )
    )
    hide: tuple[str, ...] = declare(
        Texts(
            (),
            Text(
                "text",
                200,
                label="Text",
                help=f"One of {', '.join(HIDEABLE_PARTS)}, or a text of the figure.",
            ),
            100,
            HIDEABLE_PARTS,
            label="Hidden",
            help=f"Parts to leave out: {', '.join(HIDEABLE_PARTS)} (names at lines and clocks, "
            "numbers in cells, badges about combined positions). If you enter a text of the "
            "figure, the curve, line or table row that it names is also left out.",
        )
    )
    curves: tuple[tuple[str, str], ...] = declare(
        CurveStyles(
            (),
            Text(
                "text",
                200,
                label="Curve",
                help="The name of a curve (NAME), or its settings (KEY=VALUE).",
            ),
            100,
            label="Custom curves",
            help="Settings of curves by name, such as base 500: colour=#d62728 dash=dotted "
            f"width=2. A dash is {_DASHES}.",
        )
    )
    upward: bool = declare(
        Flag(
            False,
            label="Position upward",
            help="Draw the first position at the bottom, even if the view shows it at the top.",
        )
    )
    ground: str = declare(
        Choice(
            "white",
            {
                "white": "dark on white",
                "transparent": "dark, without a background",
                "dark": "light on dark",
            },
            label="Background",
            help="The background of the figure.",
        )
    )
    cursor: str = declare(
        Choice(
            "hide",
            {"hide": "without the cursor", "show": "with the cursor, as on the screen"},
            label="Cursor",
            help="Show the cursor in the figure (lines, clock hands and highlighted pair).",
        )
    )
    clocks: tuple[int, ...] | None = declare(
        Optional(
            None,
            Numbers(
                (0,),
                Whole(0, 0, 65_535, label="Pair", help="The number of a pair."),
                160,
                label="Clocks",
                help="The pairs to draw as clocks.",
            ),
            auto="the pairs on the screen",
        )
    )

    @property
    def text_size(self) -> float:
        """The font size in points, or the default font size if no size is set."""
        return _DEFAULT_FONT_SIZE if self.font_size is None else self.font_size

    def with_size(self, size: FigureSize) -> Style:
        """Return the style with the font size and dots per inch that apply to a size."""
        if size.unit != "px" or (self.font_size and self.dpi == PIXELS_PER_INCH):
            return self
        scale = min(size.width / _SCREEN_SIZE.width, size.height / _SCREEN_SIZE.height)
        points = max(_DEFAULT_FONT_SIZE, min(scale * _SCREEN_FONT_SIZE, _MAX_FONT_SIZE))
        return replace(self, font_size=self.font_size or points, dpi=PIXELS_PER_INCH)


SINGLE_FIGURE_SETTINGS = (
    *("title", "subtitle", "panels"),
    *("limits", "x_limits", "y_limits", "x_scale", "y_scale", "x_ticks", "y_ticks"),
    *("bar_ticks", "colours", "texts", "hide", "curves", "clocks"),
)  # settings that apply only to the figure for which the user chose them

FIGURE_KEY, VIEW_KEY = "figure", "of"
"""A session's key for a figure's settings, and the key for the view in those settings."""
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


def with_style(
    extra: Mapping[str, Any],
    view: str,
    style: Style,
    figure_settings: Mapping[str, str] = _NO_SETTINGS,
) -> dict[str, Any]:
    """Return the extra values of a session, with the settings of a figure of `view`.

    Without `figure_settings`, such as the size of the figure, only `SINGLE_FIGURE_SETTINGS` are
    included.
    """
    settings = {}
    for name, kind in declared(Style).items():
        value, is_included = getattr(style, name), figure_settings or name in SINGLE_FIGURE_SETTINGS
        if is_included and value != kind.default:
            settings[name] = kind.format(value)
    settings.update(figure_settings)
    others = {key: value for key, value in extra.items() if key != FIGURE_KEY}
    return {**others, FIGURE_KEY: {VIEW_KEY: view, **settings}} if settings else others


def read_style(extra: Mapping[str, Any], view: str, style: Style) -> Style:
    """Return a style with the settings that `with_style` stored, except for invalid settings."""
    stored_settings = extra.get(FIGURE_KEY)
    if not isinstance(stored_settings, Mapping) or stored_settings.get(VIEW_KEY) != view:
        return style
    values, parameters = {}, declared(Style)
    for name in parameters.keys() & stored_settings.keys():
        with suppress(ParameterError):
            values[name] = parameters[name].parse(name, str(stored_settings[name]))
    return replace(style, **values)
