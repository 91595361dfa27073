"""Numbers in the pictures of the panes, at the places that the words of an exhibit name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from pe_explorer.app.window.pane import Pane
from pe_explorer.app.window.walks import LessonWalk
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.views import View

if TYPE_CHECKING:
    from pe_explorer.pictures.spots import Where
    from pe_explorer.views.numbered_points import NumberedPoints


class ExhibitPoints(QObject):
    """Gives each view the points of the open exhibit whose words hold, as far as it shows them."""

    def __init__(self, workspace: Workspace, walk: LessonWalk) -> None:
        super().__init__(workspace)
        self._workspace, self._walk = workspace, walk
        self._points: dict[str, NumberedPoints] = {}
        """The numbers of each view that has or had some, by its name."""
        walk.changed.connect(self._show)
        workspace.pane_built.connect(self._prepare)

    @Slot()
    def _show(self) -> None:
        for view in self._workspace.built.values():
            self._mark_look(view)

    @Slot(object)
    def _prepare(self, pane: Pane) -> None:
        self._mark_look(pane.view)

    def _mark_look(self, view: View) -> None:
        named = list(enumerate(self._walk.places, 1))
        name = view.picture.name
        self.mark(view, {number: at for number, at in named if at and at.view == name})

    def mark(self, view: View, places: Mapping[int, Where]) -> None:
        """Mark places of a view's picture by numbers, and no others."""
        name = view.picture.name
        if places and name not in self._points:
            # Only here, as most windows never show an exhibit.
            from pe_explorer.views.numbered_points import NumberedPoints

            self._points[name] = NumberedPoints(view)
        if name in self._points:
            self._points[name].take(places)
