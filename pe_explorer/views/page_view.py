"""A view that lays out its figure like an exported file."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QApplication, QGraphicsItem, QWidget

from pe_explorer import pictures
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.colours.themes import DARK
from pe_explorer.exploration import (
    CURSOR_FIELDS,
    Exploration,
    make_fields_for_rows,
    make_subject_names,
    resolve,
    zoom_range,
)
from pe_explorer.figures.layout import (
    FigureLayout,
    Layers,
    NoRoomError,
    PlacedPanel,
    compute_bounds,
    compute_clock_scale,
    lay_out_figures,
    make_layout_key,
)
from pe_explorer.figures.making import compute_available_space, with_band_names
from pe_explorer.figures.page import PageText, Polyline
from pe_explorer.figures.size import PIXELS_PER_INCH, UNIT_POINTS, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.model import Model
from pe_explorer.painting.page_painter import make_measure
from pe_explorer.params import declared, printed
from pe_explorer.pictures.figure import Figure, MarkLine, Note
from pe_explorer.pictures.gestures import Drag, Pointer, Wheel
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint
from pe_explorer.views._evidence import MIN_COLUMN_WIDTH, EvidenceTable
from pe_explorer.views._header import Header
from pe_explorer.views._note import NoteFrame
from pe_explorer.views._page_items import Grip, PanelArea, Sheet, pixels
from pe_explorer.views.view import View
from pe_explorer.widgets.labels import TintedLabel, make_text_label
from pe_explorer.widgets.layouts import lay_out_column
from pe_explorer.widgets.line_fields import NumberField
from pe_explorer.widgets.mouse_label import MouseLabel
from pe_explorer.widgets.theme import colours

_COLUMN_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_PAGE_STEPS = 10  # number of page steps across the visible positions
_FONT_SCALE = 8.0 / 9.5  # font size of a figure, relative to that of the window
_LINE_WIDTH = 1.0  # width of curves in pixels
_MIN_NOTE_SIDE = 170  # pixels; in a smaller area, the note is centred in the whole view
_BORDER_HALF_WIDTH = 2  # half the width in pixels of the draggable border between two panels
_LABEL_MARGIN = 4  # pixels between an edge and a label in a corner
_REFINING_FONT_SCALE, _CAPTION_FONT_SCALE = 0.85, 0.92  # font sizes relative to the normal size
_MAX_CAPTION_LENGTH, _LETTER_WIDTH = 190, 7  # longest caption in characters; pixels per character
_CAPTION_MARGIN = 6  # pixels around the caption
_MIN_HEIGHT = 290  # pixels; a view with less height hides its caption
_MIN_COMBINED_SIZE = QSize(280, 300)  # minimum size in pixels of a view with both table and canvas
_MAX_TABLE_SHARE = 0.58  # maximum height of the table, as a fraction of the height of the view
_AMPLE_CANVAS_HEIGHT = 165  # pixels; the table may take the height of the view beyond this
_MIN_SHARE_ABOVE_TABLE = 0.45  # minimum height of an area above a table of values
_MIN_AREA_SIZE = QSize(80, 60)  # minimum size in pixels of a legible area
_HIDDEN_PICTURE_SIZE = Size(16, 16)  # pixels; size for computing a picture whose canvas is hidden
_TICK_HALF_WIDTH = 2.25  # half the width in points of a triangle above a column
_TICK_DISTANCE = 6.0  # least distance in points between triangles, so that they do not merge
_RING_GAP = 3.0  # pixels between a point and its ring


class PageView(View):
    """A view of any picture, with the gestures that the picture declares."""

    is_table_preferred: ClassVar[bool] = (
        False  # whether the table is shown if only table or canvas fits
    )
    min_width_with_bar: ClassVar[int] = 0  # minimum width in pixels of a canvas with colour bars
    max_caption_lines: ClassVar[int] = 0  # maximum number of lines of the caption; 0 for no caption
    preferred_panels: Collection[str] = ()  # panels to prefer if not all fit
    # Areas by panel name; defined on the class, because Qt may hide a partly deleted view.
    _areas: Mapping[str, PanelArea] = MappingProxyType({})

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = pg.GraphicsView()
        self.canvas.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.canvas.setBackground(None)
        self.canvas.setCentralWidget(None)  # updates of the default item would repaint a new view
        # The opaque lower sheet covers the background, so caching the background is useless.
        self.canvas.setCacheMode(self.canvas.CacheModeFlag.CacheNone)
        self.canvas.scene().exposed_region = QRegion()
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for widget in (self.canvas, self.canvas.viewport()):
            widget.setAccessibleName(f"Plot: {self.picture.title}")
        self._lower_sheet, self._upper_sheet = Sheet(is_opaque=True), Sheet(is_opaque=False)
        for sheet, height in ((self._lower_sheet, -1), (self._upper_sheet, 3)):
            sheet.setZValue(height)
            self.canvas.scene().addItem(sheet)
        self._areas = {}
        self._border_grip = Grip("share", Qt.CursorShape.SplitHCursor)
        self._border_grip.dragged.connect(self._drag_border)
        self._border_grip.dropped.connect(self.end_gesture)
        self.canvas.scene().addItem(self._border_grip)
        self._layout: FigureLayout | None = None  # None if nothing fits
        self.placed_panels: Mapping[str, PlacedPanel] = {}  # panels of the layout by name
        self.figure = Figure()  # figure of the layout
        self.layers = Layers((), (), (), ())  # items of the layout
        self._computed_size: tuple[Any, Size] = (None, Size(0, 0))  # key, and size for this key
        self._picture_inputs: tuple[Exploration | None, Any] = (None, None)  # state and ingredients
        self._frame_key: Any = None  # key of the last frame; equal keys mean equal layouts
        self._layout_key: Any = None  # key of the last fine picture that set `_computed_size`
        self._note: Note | None = None  # current note, which defines the action of its button
        self._is_unavailable = True  # whether a sentence replaces the picture
        self._drag = Drag()
        self._hovered_panel = ""
        # Picture, cursor coordinates, and cursor coordinates at the next position.
        self._cursor_points: tuple[Any, Any, Any] = (None, {}, {})
        self._marked_columns: Sequence[int] = ()
        self.table = EvidenceTable() if self.picture.has_evidence else None
        self.caption = (
            make_text_label("muted", scale=_CAPTION_FONT_SCALE) if self.max_caption_lines else None
        )
        header_widgets = [widget for widget in (self.caption, self.table) if widget is not None]
        self.canvas.viewport().installEventFilter(self)
        self.column = lay_out_column(self, *header_widgets, self.canvas, spacing=0)
        for widget in header_widgets:
            widget.hide()
        self._note_frame = NoteFrame(self)
        self._refining_label = TintedLabel("Refining…", scale=_REFINING_FONT_SCALE, parent=self)
        self._refining_label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._refining_label.setAccessibleName("Refining")
        self._refining_label.hide()
        self.mouse_label = MouseLabel(self)
        self.canvas.viewport().installEventFilter(self.mouse_label)
        self.set_header(self.make_header())
        self.fill_header()
        if self.picture.can_compare:
            self.header.add_choice("show", replace(SHOW, label="of"), self.set_option)
            self.header.show_choice("show", SHOW.default, is_offered=False)  # no pin yet

    def make_header(self) -> Header:
        return Header(self.picture.Options)

    def fill_header(self) -> None:
        for option, has_label in self.picture.header.items():
            self.header.add_option(option, self.set_option, has_label=has_label)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = [*super().list_connections(model), (self._note_frame.accepted, self._accept_note)]
        pairs.append((model.playhead.moved, self._follow_playhead))
        if (table := self.table) is not None:
            pairs += [(table.place_requested, self._go_to_place), (table.code_copied, self._copy)]
        for line in self.header.lines.values():
            pairs += [(line.entered, self._enter_option), (line.refused, model.refused)]
            if isinstance(line, NumberField):
                pairs.append((line.stepped, self._step_option))
        return pairs

    @property
    def page_style(self) -> Style:
        """The style for an exported file with the same look as the view."""
        is_dark, font = colours(self.palette()) is DARK, self.font()
        cursor = "show" if self.target.has_cursor_mark else "hide"
        has_bar = self.canvas.width() >= self.min_width_with_bar
        return _make_style(font.family(), _FONT_SCALE * font.pointSizeF(), is_dark, cursor, has_bar)

    def compute_size_in_pixels(self) -> Size:
        """Return the size to compute, estimated from the frame until the figure is laid out."""
        state, key = self.model.state, self._key(self.model.state)
        if self.canvas.isHidden():
            return _HIDDEN_PICTURE_SIZE
        if self._computed_size[0] != key:
            figure = self._with_known_data(state, self.get_picture(state).frame())
            style, layout, before = self.page_style, self._layout, self._frame_key
            self._frame_key = *key[1:], make_layout_key(figure, style, make_measure(style.font))
            if before != self._frame_key or layout is None:  # otherwise the layout is the same
                layout = self._lay_out(figure)
            self._computed_size = key, self._find_size(layout, figure)
        return self._computed_size[1]

    def _key(self, state: Exploration) -> Any:
        self._divide_height()
        self.column.activate()
        size = self.canvas.width(), self.canvas.height()
        if state is not self._picture_inputs[0]:
            self._picture_inputs = state, self.get_picture(state).inputs()
        content = self.get_picture(state).options, frozenset(self.preferred_panels)
        return self._picture_inputs[1], content, size, self.page_style, self.ratio

    def _find_size(self, layout: FigureLayout | None, figure: Figure) -> Size:
        """Return the size to compute for a figure; the layout may be that of an earlier figure."""
        if layout is None:
            return Size(0, 0)
        panels = [figure.panel(placed.panel.name) or placed.panel for placed in layout.panels]
        density = self.ratio / UNIT_POINTS["px"]
        space = compute_available_space(panels, layout.areas, layout.look.style, density)
        return self.picture.find_size(space)

    def _with_known_data(self, state: Exploration, frame: Figure) -> Figure:
        old_panels = {panel.name: panel for panel in self.figure.panels}
        panels = []
        for panel in frame.panels:
            if old := old_panels.get(panel.name):
                names = "cells", "curves", "has_bar", "trail"
                data = {name: getattr(old, name) for name in names}
                y = old.y if panel.y.origin is None else panel.y
                panel = panel._replace(y=y, badge=old.band_name, **data)
            panels.append(panel)
        table = None if self.table is not None else self.figure.table
        frame = frame._replace(panels=tuple(panels), table=table)
        return with_band_names(frame, self.get_picture(state).options)

    def _lay_out(self, figure: Figure) -> FigureLayout | None:
        style = self.page_style
        size = FigureSize(max(1, self.canvas.width()), max(1, self.canvas.height()))
        layout = None
        for part in self.list_parts(figure):
            try:
                layout = lay_out_figures([part], style, size, make_measure(style.font))
            except NoRoomError:
                continue
            if self.is_legible(layout):
                break
        return layout

    def is_legible(self, layout: FigureLayout) -> bool:
        """Return whether all areas are large enough; if not, a smaller part is tried."""
        width, height = (
            _MIN_AREA_SIZE.width() * UNIT_POINTS["px"],
            _MIN_AREA_SIZE.height() * UNIT_POINTS["px"],
        )
        if any(placed.figure.table for placed in layout.figures):
            height = max(height, _MIN_SHARE_ABOVE_TABLE * self.canvas.height() * UNIT_POINTS["px"])
        return all(area.width >= width and area.height >= height for area in layout.areas)

    def list_parts(self, figure: Figure) -> Iterator[Figure]:
        """Yield a figure and ever smaller parts; the last part is shown if none is legible."""
        yield figure
        figure = figure._replace(table=None)
        yield figure
        yield remove_bars(figure)
        figures = figure.separate_figures
        for count in range(len(figures) - 1, 0, -1):
            panels = [panel for part in figures[:count] for panel in part.panels]
            if heading := panels[-1].heading:
                heading = f"{heading}, and {len(figures) - count} more"
                panels[-1] = panels[-1]._replace(heading=heading, has_bar=True)
            yield figure._replace(panels=tuple(panels))
        panels = sorted(figure.panels, key=lambda panel: panel.name not in self.preferred_panels)
        # Repeat the preferred panel at the end, because the last part is shown if none is legible.
        for panel in (*panels, *panels[:1]) if len(panels) > 1 else panels:
            part = figure.with_panel(panel.name)
            yield part
            yield part._replace(panels=(part.panels[0]._replace(has_legend=False, heading=""),))

    def _divide_height(self) -> None:
        """Divide the height among caption, table and canvas; if too small, hide one of them."""
        if self.caption is not None:
            self.caption.setContentsMargins(_CAPTION_MARGIN, 0, _CAPTION_MARGIN, 0)
            # Reserve room for the longest caption, so that the canvas does not move.
            lines = -(-_MAX_CAPTION_LENGTH * _LETTER_WIDTH // max(1, self.width()))
            spacing = self.caption.fontMetrics().lineSpacing()
            self.caption.setFixedHeight(
                min(lines, self.max_caption_lines) * spacing + _CAPTION_MARGIN
            )
            # A low view hides the caption, because the status bar shows the same text.
            self.caption.setVisible(bool(self.caption.text()) and self.height() >= _MIN_HEIGHT)
        if self.table is None:
            return
        rows, columns = self.get_picture(self.model.state).compute_table_shape()
        min_width = _MIN_COMBINED_SIZE.width()
        if not self.is_table_preferred:  # a plot that matters less than the table is not made tiny
            min_width = min(min_width, (1 + columns) * MIN_COLUMN_WIDTH)
        can_show_both = self.width() >= min_width and self.height() >= _MIN_COMBINED_SIZE.height()
        height = self.table.compute_height(rows, columns)
        max_height = round(_MAX_TABLE_SHARE * self.height())
        max_height = max(max_height, self.height() - _AMPLE_CANVAS_HEIGHT)
        self.table.setFixedHeight(min(height, max_height) if can_show_both else self.height())
        is_visible = can_show_both or self.is_table_preferred
        self.table.setVisible(is_visible and not self._is_unavailable)
        self.canvas.setVisible(can_show_both or not self.is_table_preferred or self._is_unavailable)

    def _show_caption_and_table(self, figure: Figure) -> None:
        if self.caption is not None:
            self.caption.setText(figure.caption)
            self.caption.setToolTip(f"<p>{figure.caption}</p>" if figure.caption else "")
        if self.table is not None and figure.table is not None:
            self.table.show_table(figure.table)
            self._divide_height()  # the number of lines in the titles may have changed

    @Slot(object)
    def _go_to_place(self, fields: Mapping[str, Any]) -> None:
        self.model.set_cursor(**{name: fields[name] for name in fields if name in CURSOR_FIELDS})
        if remaining_fields := {name: fields[name] for name in fields if name not in CURSOR_FIELDS}:
            self.change(remaining_fields)

    @Slot(str)
    def _copy(self, code: str) -> None:
        QApplication.clipboard().setText(code)

    def set_preferred_panels(self, panels: Collection[str]) -> None:
        """Set the panels to prefer if not all fit."""
        has_changed, self.preferred_panels = panels != self.preferred_panels, panels
        if has_changed and len(self.placed_panels) < len(self.figure.panels):
            self.redraw()

    def show_figure(self, state: Exploration, figure: Figure, *, is_coarse: bool) -> None:
        self._note = figure.note
        self.show_choices(state)
        self._is_unavailable = False
        self._show_caption_and_table(figure)
        key = self._key(state)
        self.show_page(with_band_names(figure, self.get_picture(state).options))
        if not is_coarse and self._layout_key != key:
            self._computed_size = key, self._find_size(self._layout, figure)
            self._layout_key = key
        panel = figure.panels[figure.note_index] if figure.panels else None
        # A finer picture may need no note, and a caption may replace the note.
        is_hidden = is_coarse and panel is not None and panel.cells is not None
        is_hidden |= self.caption is not None and panel is not None and not panel.is_empty
        self._show_note(None if is_hidden else figure.note)

    def show_unavailable(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._note = None
        self.show_choices(state)
        empty = (panel._replace(cells=None) for panel in frame.panels)
        self._is_unavailable = True
        self._show_caption_and_table(Figure())
        self._divide_height()
        self.column.activate()
        self.show_page(frame._replace(panels=tuple(empty), note=Note("")))
        for area in self._areas.values():
            area.unmark()
        self._show_note(Note(sentence, self.get_remedy_text(state)))

    def show_page(self, figure: Figure, *, has_new_data: bool = True) -> None:
        """Lay out and show a figure; keep the displayed data unless `has_new_data`."""
        self.figure = figure
        if self.table is not None:
            figure = figure._replace(table=None)
        if figure.note is not None:  # `_note_frame` shows the sentence
            figure = figure._replace(note=figure.note._replace(sentence=""))
        self._layout = layout = self._lay_out(figure)
        self.placed_panels = {p.panel.name: p for p in layout.panels} if layout else {}
        self.layers = layers = layout.layers() if layout else Layers((), (), (), ())
        self._show_sheets()
        self._lower_sheet.hidden_region = QRegion()
        areas, names = layout.areas if layout else (), set[str]()
        panels = tuple(self.placed_panels) or ("",)  # clocks have a single area
        for panel, area, items in zip(panels, areas, layers.data, strict=False):
            names.add(panel)
            target = self._get_area(panel)
            target.place(pixels(area))
            if has_new_data:
                target.data.show_items(items, pixels(area), self.font().family())
            self._lower_sheet.hidden_region |= target.data.covered_region
        self._place_border()
        for name, target in self._areas.items():
            for item in (target, target.data):
                item.setVisible(name in names)
            if name not in names:
                target.data.release()
                target.unmark()

    def _show_sheets(self) -> None:
        rect = QRectF(0, 0, self.canvas.width(), self.canvas.height())
        look = self.ratio, self.font().family(), colours(self.palette()).base
        self._lower_sheet.show_items(self.layers.outer_items, self.layers.background, rect, look)
        foreground = *self.layers.foreground, *self._make_column_marks()
        self._upper_sheet.show_items((), foreground, rect, look)

    def mark_columns(self, dimensions: Sequence[int]) -> None:
        """Draw a small triangle above each column of the visible clocks, if they stay separate."""
        if dimensions != self._marked_columns:
            self._marked_columns = dimensions
            self._show_sheets()

    def _make_column_marks(self) -> Iterator[Polyline]:
        if self._is_unavailable or not self.is_attached or not self._marked_columns:
            return
        colour = colours(self.palette()).text
        columns = self.get_picture(self.model.state).find_panel_columns(self._marked_columns)
        for name, placed in self.placed_panels.items():
            axis, y, last_x = placed.panel.x, placed.area.top, -math.inf
            visible_columns = (c for c in columns.get(name, ()) if axis.low <= c <= axis.high)
            points: list[tuple[float, float]] = []
            for x in map(placed.axes.to_page_x, visible_columns):
                if x - last_x >= _TICK_DISTANCE:
                    last_x = x
                    left, right = x - _TICK_HALF_WIDTH, x + _TICK_HALF_WIDTH
                    top = y - 2 * _TICK_HALF_WIDTH
                    points += (left, top), (right, top), (x, y), (left, top), (math.nan, math.nan)
            if points:
                yield Polyline(np.array(points[:-1]), colour, 0.0, fill=colour)

    @property
    def _parts(self) -> list[QRectF]:
        """The rectangles on both sides of the draggable border; empty if there is no border."""
        parts: list[QRectF] = []
        is_below = False
        for panel in self.figure.panels:
            if panel.name in self.placed_panels:
                place = pixels(self.placed_panels[panel.name].outer_rectangle)
                parts = [*parts[:-1], parts[-1].united(place)] if is_below else [*parts, place]
                is_below = panel.is_above_next_panel
        is_single = len(self.figure.separate_figures) == 1
        has_share = "share" in declared(self.picture.Options) and is_single
        return parts if has_share and len(parts) == 2 else []

    def _place_border(self) -> None:
        parts = self._parts
        self._border_grip.setVisible(bool(parts))
        if parts:
            first, second = parts
            if first.right() <= second.left():
                gap = QRectF(first.topRight(), second.bottomLeft())
                gap.adjust(-_BORDER_HALF_WIDTH, 0, _BORDER_HALF_WIDTH, 0)
                self._border_grip.setCursor(Qt.CursorShape.SplitHCursor)
            else:
                gap = QRectF(first.bottomLeft(), second.topRight())
                gap.adjust(0, -_BORDER_HALF_WIDTH, 0, _BORDER_HALF_WIDTH)
                self._border_grip.setCursor(Qt.CursorShape.SplitVCursor)
            self._border_grip.place(gap)

    @Slot(str, QPointF, QPointF)
    def _drag_border(self, name: str, start: QPointF, point: QPointF) -> None:
        if self.is_attached and self._parts and not self.is_blank:
            first, second = self._parts
            whole = first.united(second)
            share = (whole.bottom() - point.y()) / whole.height()
            if first.right() <= second.left():
                share = (whole.right() - point.x()) / whole.width()
            self.model.gesture.begin()
            self.set_option("share", round(min(max(share, 0.1), 0.9), 3))

    @Slot()
    def end_gesture(self) -> None:
        if self.is_attached:
            self.model.gesture.end()

    def to_panel_coordinates(self, panel: str, place: QPointF) -> tuple[float, float]:
        """Convert a point on the page, in pixels, to coordinates in a panel."""
        placed = self.placed_panels[panel]
        area = pixels(placed.area)
        x, y = (place.x() - area.left()) / area.width(), (place.y() - area.top()) / area.height()
        return placed.axes.find_coordinates(x, y)

    def find_mark(self, panel: str, x: float, y: float, radius: float) -> MarkLine | None:
        """Return the mark whose line or label is at a point, or None if there is none.

        `x` and `y` are fractions of the panel's area, and `radius` is the maximum distance in
        pixels between the point and a line.
        """
        if self._layout is None or panel not in self.placed_panels:
            return None
        axes, area = self.placed_panels[panel].axes, self.placed_panels[panel].area
        x, y = area.left + x * area.width, area.top + y * area.height
        texts = [item for item in self.layers.background if isinstance(item, PageText)]
        for mark in axes.panel.marks:
            if abs(axes.to_page_x(mark.x) - x) <= radius * UNIT_POINTS["px"]:
                return mark
            labels = mark.label, mark.label.partition(": ")[0]
            boxes = (
                compute_bounds(t, self._layout.look.measure) for t in texts if t.text in labels
            )
            if any(box.left <= x <= box.right and box.top <= y <= box.bottom for box in boxes):
                return mark
        return None

    def _get_area(self, panel: str) -> PanelArea:
        if panel not in self._areas:
            area = PanelArea(panel)
            self._areas = {**self._areas, panel: area}
            marks = [(mark, 1) for pair in area.marks for mark in pair]
            items: list[tuple[QGraphicsItem, int]] = [(area.data, 0), *marks, (area, 4)]
            for item, height in items:
                item.setZValue(height)
                self.canvas.scene().addItem(item)
            area.hovered.connect(self._hover)
            area.mouse_exited.connect(self._end_hover)
            area.clicked.connect(self._click)
            area.zoom_requested.connect(self._zoom)
            area.pan_requested.connect(self._pan)
            area.double_clicked.connect(self._double_click)
        return self._areas[panel]

    def locate(self, panel: str, x: float, y: float) -> QPointF | None:
        """Convert panel coordinates to a point in the view; return None if the panel is hidden."""
        if panel not in self.placed_panels or self.canvas.isHidden():
            return None
        return _to_pixels(self.placed_panels[panel], x, y) + QPointF(self.canvas.pos())

    def find_free_area(self, panel: str) -> tuple[QRectF, list[QRectF]]:
        """Return the plot area of a panel and the boxes of all texts, relative to the view."""
        assert self._layout is not None
        measure, place, layers = self._layout.look.measure, self.canvas.pos(), self.layers
        area = QRectF(self.canvas.rect())  # clocks have no axes
        if panel in self.placed_panels:
            area = pixels(self.placed_panels[panel].area)
        items = chain(layers.outer_items, layers.background, *layers.data, layers.foreground)
        texts = (item for item in items if isinstance(item, PageText))
        boxes = [pixels(compute_bounds(text, measure)).translated(place) for text in texts]
        return area.translated(place), boxes

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave and watched is self.canvas.viewport():
            self.canvas.scene().leaveEvent(event)  # also end hovering if the mouse enters a note
        if event.type() == QEvent.Type.Resize:
            self._show_sheets()
            self.redraw()
        if isinstance(event, QPaintEvent):
            self.canvas.scene().exposed_region = QRegion(event.region())
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_labels()

    def hideEvent(self, event: Any) -> None:
        super().hideEvent(event)
        for area in self._areas.values():
            area.data.release()
        if self._areas:
            self._lower_sheet.release()
            self._upper_sheet.release()

    def show_choices(self, state: Exploration) -> None:
        """Show the options in the header, even without a picture."""
        options = self.get_picture(state).options
        for option in self.header.options:
            is_offered = option not in options.ineffective_parameters
            self.header.show_choice(option, getattr(options, option), is_offered=is_offered)
        for option, line in self.header.lines.items():
            if hasattr(options, option):
                line.display(getattr(options, option))
        if self.picture.can_compare:
            self.header.combos["show"].rename_items(make_subject_names(state))
            show, has_pins = self.get_picture(state).show, bool(state.pins)
            self.header.show_choice("show", show, is_offered=has_pins)

    @property
    def steps(self) -> tuple[int, int]:
        """The steps of the arrow and page keys in a number field of the header."""
        return 1, max(self.model.state.count // _PAGE_STEPS, 1)

    @Slot(object)
    def _enter_option(self, value: object) -> None:
        self.set_option(self.sender().objectName(), value)

    @Slot(int, bool)
    def _step_option(self, direction: int, page: bool) -> None:
        line = self.sender()
        assert isinstance(line, NumberField)
        if line.value is None:
            line.enter_value(float(self.model.state.position))
        else:
            line.add(direction * self.steps[page])

    def show_cursor(self, state: Exploration) -> None:
        """Mark the cursor or, during playback, a point between its position and the next one."""
        picture, lead = self.get_picture(state), self.model.playhead.lead
        if lead and self._cursor_points[0] is not picture:
            next_state = resolve(state.with_(position=state.position + 1), self.model.store)
            next_picture = pictures.make_picture(self.picture.name, next_state)
            self._cursor_points = (
                picture,
                picture.find_cursor_points(),
                next_picture.find_cursor_points(),
            )
        _, places, next_points = (
            self._cursor_points if lead else (None, picture.find_cursor_points(), {})
        )
        for name in self.placed_panels.keys() & places.keys() & next_points.keys():
            panel = self.placed_panels[name].panel
            ends = zip((panel.x, panel.y), places[name], next_points[name], strict=True)
            x, y = (_interpolate(*end, lead) for end in ends)
            places = {**places, name: (x, y)}
        self.mark(0, places)
        self._mark_points(0, state)

    @Slot()
    def _follow_playhead(self) -> None:
        has_cursor = self.target.has_cursor_mark and not (self.is_blank or self.is_stale)
        if self.isVisible() and has_cursor:
            self.show_cursor(self.model.state)

    def show_preview(self, state: Exploration | None) -> None:
        self.mark(1, self.get_picture(state).find_cursor_points() if state else {})
        self._mark_points(1, state)

    def _mark_points(self, kind: int, state: Exploration | None) -> None:
        for name, placed in self.placed_panels.items():
            trail = placed.panel.trail
            point = trail.locate(state.position) if trail and state else None
            if trail is not None and point is not None:
                middle = _to_pixels(placed, float(trail.x[point]), float(trail.y[point]))
                assert self._layout is not None
                shades = self._layout.look.colours
                point_size, _ = compute_clock_scale(self.page_style)
                radius = (trail.radius + _RING_GAP) * point_size / UNIT_POINTS["px"]
                colour = (shades.cursor, shades.muted)[kind]
                self._areas[name].show_ring(kind, middle, radius, colour)

    def mark(self, kind: int, places: Mapping[str, PanelPoint]) -> None:
        """Draw lines at panel coordinates; `kind` is 0 for the cursor, 1 for the hover mark."""
        for name, placed in self.placed_panels.items():
            assert self._layout is not None
            axes, area = placed.axes, placed.area
            x, y = places.get(name, (None, None))
            is_marked = kind == 0 and any(x == mark.x for mark in placed.panel.marks)
            # Hide the cursor line at a marked position, because it would cover the mark.
            if x is not None and (is_marked or not area.left <= axes.to_page_x(x) <= area.right):
                x = None
            if y is not None and not area.top <= axes.to_page_y(y) <= area.bottom:
                y = None
            self._areas[name].mark(kind, *placed.find_cursor_places((x, y), self._layout.look))

    def pointer(self, panel: str, x: float, y: float) -> Pointer:
        """Convert fractions of a panel's area to a pointer in panel coordinates."""
        return Pointer(panel, *self.placed_panels[panel].axes.find_coordinates(x, y))

    def _find_cursor_fields(self, panel: str, x: float, y: float) -> Mapping[str, int]:
        pointer = self.pointer(panel, x, y)
        return self.get_picture(self.model.state).find_pointer_fields(self.snapshot, pointer)

    @Slot(str, float, float)
    def _hover(self, panel: str, x: float, y: float) -> None:
        self._hovered_panel = panel
        if self.is_attached and panel in self.placed_panels:
            self.model.point_at(self.picture.name, **self._find_cursor_fields(panel, x, y))
            self.mouse_label.set_remark("")

    @Slot(str)
    def _end_hover(self, panel: str) -> None:
        # Qt reports entering the next area before leaving this one.
        if self.is_attached and panel == self._hovered_panel:
            self.model.point_at()
            self.mouse_label.set_remark("")

    @Slot(str)
    def show_at_mouse(self, values: str) -> None:
        """Show values beside the mouse if the mouse is over the view."""
        has_mouse = self.is_attached and self.model.hovered_view == self.picture.name
        is_visible = has_mouse and self.target.has_cursor_mark and not self.target.is_for_export
        self.mouse_label.show_values(values if is_visible else "")

    @Slot(str, float, float)
    def _click(self, panel: str, x: float, y: float) -> None:
        is_placed = self.is_attached and panel in self.placed_panels
        if is_placed and (cursor := self._find_cursor_fields(panel, x, y)):
            self.model.set_cursor(**cursor)

    @Slot(str, float, float)
    def _double_click(self, panel: str, x: float, y: float) -> None:
        if self.is_attached and panel in self.placed_panels:
            picture, pointer = self.get_picture(self.model.state), self.pointer(panel, x, y)
            self.change(picture.find_double_click_fields(self.snapshot, pointer))

    @Slot(str, float, float, float, object)
    def _zoom(self, panel: str, factor: float, x: float, y: float, modifiers: Any) -> None:
        if self.is_attached:
            wheel = Wheel(panel, factor, x, y, bool(modifiers & _COLUMN_MODIFIERS))
            self.change(self.get_picture(self.model.state).find_wheel_fields(self.snapshot, wheel))

    @Slot(str, float, float)
    def _pan(self, panel: str, x: float, y: float) -> None:
        if self.is_attached:
            self._drag.panel, self._drag.x, self._drag.y = panel, x, y
            picture = self.get_picture(self.model.state)
            self.change(picture.find_drag_fields(self.snapshot, self._drag))

    def _show_note(self, note: Note | None) -> None:
        self.show_message(note.sentence if note else "", note.button_text if note else "")

    @Slot(str)
    def show_message(self, sentence: str, offer: str = "") -> None:
        if sentence or not self._note_frame.isHidden():
            self._note_frame.show_sentence(printed.text(sentence), offer)
            self._place_labels()

    def _place_labels(self) -> None:
        self._refining_label.adjustSize()
        top = self.height() - self._refining_label.height() - _LABEL_MARGIN
        self._refining_label.move(_LABEL_MARGIN, top)
        if self._note_frame.isHidden():
            return
        rect, areas = self.rect(), self._layout.areas if self._layout and self.placed_panels else ()
        if len(areas) == 1 or (areas and self.figure.note is not None):
            area = pixels(areas[min(self.figure.note_index, len(areas) - 1)]).toRect()
            if min(area.height(), area.width()) >= _MIN_NOTE_SIDE:
                rect = area.translated(self.canvas.pos())
        self._note_frame.place(rect, self.rect())

    def show_refining(self, is_coarse: bool) -> None:
        self._refining_label.setVisible(is_coarse)

    @Slot()
    def _accept_note(self) -> None:
        if self.is_blank:
            self.apply_remedy()
        elif self._note is not None:
            self.apply_note(self._note)

    def apply_note(self, note: Note) -> None:
        """Apply the fix that a note suggests."""
        state = self.model.state
        if note.rows is not None:
            self.model.set(**make_fields_for_rows(state, note.rows))
        elif note.period and self._layout is not None:
            size = pixels(self._layout.areas[0]).size()
            count = self.picture.count_legible_positions(note.period, size.width(), size.height())
            self.model.set(**zoom_range(state, max(1.0, count) / state.count, 0.0))
        elif note.metric:
            self.model.set(metric=note.metric)
        elif note.should_retry:
            self.compute_again()


def _to_pixels(placed: PlacedPanel, x: float, y: float) -> QPointF:
    return QPointF(placed.axes.to_page_x(x), placed.axes.to_page_y(y)) * (1 / UNIT_POINTS["px"])


def _interpolate(
    axis: PanelAxis, place: float | None, next_place: float | None, fraction: float
) -> float | None:
    # Only positions are interpolated, and there is no next position at the end of an axis.
    if axis.origin is None or place is None or next_place is None:
        return place
    return place + fraction * (next_place - place)


def remove_bars(figure: Figure) -> Figure:
    """Return a figure with its colour bars removed, to save space in a narrow view."""
    panels = (panel._replace(has_bar=False) for panel in figure.panels)
    return figure._replace(panels=tuple(panels))


@lru_cache(8)
def _make_style(font: str, size: float, is_dark: bool, cursor: str, has_bar: bool) -> Style:
    return Style(
        font=font,
        font_size=size,
        line_width=_LINE_WIDTH * UNIT_POINTS["px"],
        ground="dark" if is_dark else "white",
        cursor=cursor,
        colour_bar=has_bar,
        dpi=PIXELS_PER_INCH,
    )
