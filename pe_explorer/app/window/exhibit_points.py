"""Numbers in the pictures of the panes, at the places that the words of an exhibit name."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from pe_explorer.app.window.exhibit_walk import ExhibitWalk
from pe_explorer.app.window.pane import Pane
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.views import View


class ExhibitPoints(QObject):
    """Gives each view the points of the open exhibit that are in its picture."""

    def __init__(self, workspace: Workspace, walk: ExhibitWalk) -> None:
        super().__init__(workspace)
        self._workspace, self._walk = workspace, walk
        walk.changed.connect(self._show)
        workspace.pane_built.connect(self._prepare)

    @Slot()
    def _show(self) -> None:
        for view in self._workspace.built.values():
            self._mark(view)

    @Slot(object)
    def _prepare(self, pane: Pane) -> None:
        if self._walk.exhibit is not None:
            self._mark(pane.view)

    def _mark(self, view: View) -> None:
        exhibit = self._walk.exhibit
        points = exhibit.look if exhibit else ()
        named = [(number, point.at) for number, point in enumerate(points, 1)]
        name = view.picture.name
        view.mark_points({number: at for number, at in named if at and at.view == name})
