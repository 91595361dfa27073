"""The view of the projection, with the method in its header."""

from PySide6.QtWidgets import QLabel

from pe_explorer.exploration import Exploration
from pe_explorer.pictures.figure import Figure, Note
from pe_explorer.pictures.projection import ProjectionPicture
from pe_explorer.views.page_view import PageView


class ProjectionView(PageView):
    """A view of positions as points in the plane."""

    picture = ProjectionPicture

    def fill_header(self) -> None:
        super().fill_header()
        self.missing_reason = QLabel()  # why the selected method is not used
        self.header.add(self.missing_reason)

    def draw(self, state: Exploration) -> None:
        self.header.show_choice("method", self.get_picture(state).options.method)
        super().draw(state)

    def show_figure(self, state: Exploration, figure: Figure, *, is_coarse: bool) -> None:
        super().show_figure(state, figure, is_coarse=is_coarse)
        self._show_method(state, figure)

    def show_unavailable(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_unavailable(state, frame, sentence)
        self._show_method(state, frame)

    def _show_method(self, state: Exploration, figure: Figure) -> None:
        substitute = figure.substitute
        method = substitute.replacement if substitute else self.get_picture(state).options.method
        self.header.show_choice("method", method)
        reason = substitute.reason if substitute else ""
        self.missing_reason.setText(reason.partition(".")[0])
        self.missing_reason.setToolTip(f"{reason}." if reason else "")

    def show_phase(self, sentence: str) -> None:
        self._note = Note(sentence, "Show PCA instead")
        self._show_note(self._note)

    def apply_note(self, note: Note) -> None:
        if self.model.worker.is_busy(self.picture.name):  # the note shows the progress of UMAP
            self.set_option("method", "pca")
        else:
            super().apply_note(note)
