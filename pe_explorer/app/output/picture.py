"""Functions that draw a view or the whole window as an image, at any size and scale."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import views
from pe_explorer.app.output import figure_files, figure_order
from pe_explorer.exploration import DirectStore, ResolvedState, resolve
from pe_explorer.figures.size import MAX_PIXELS, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.atomic import replace_file
from pe_explorer.files.session import dumps_for_sharing, make_title
from pe_explorer.flags import HEIGHT, SCALE, WIDTH, WINDOW, check_image
from pe_explorer.model import Exploration, Model
from pe_explorer.model.steps import Steps
from pe_explorer.params import ParameterError
from pe_explorer.pictures.cost import is_expensive
from pe_explorer.progress import PartialProgress, report
from pe_explorer.views.numbered_points import NumberedPoints
from pe_explorer.views.view import PictureJob
from pe_explorer.widgets.line_fields import FileField
from pe_explorer.widgets.theme import set_widget_theme

WindowFactory = Callable[[Model, float], QWidget]
"""A function that returns a window for a model and a number of device pixels per pixel."""

_MIN_WINDOW_SIZE = QSize(800, 560)  # minimum size at which no content is cut off
_MAX_LAYOUT_ROUNDS = 3  # maximum number of layout rounds; a picture can change the layout
_LAYOUT_PASSES = 3  # layout passes per round, because widgets change each other's layout


def check_size(width: int, height: int, scale: float) -> tuple[int, int, float]:
    """Return the width, height and scale; raise `ParameterError` if one is outside its limits."""
    width, height = WIDTH.check("size", width), HEIGHT.check("size", height)
    scale = SCALE.check("scale", scale)
    if width * height * scale * scale > MAX_PIXELS:
        problem = f"{width}x{height} at scale {scale:g} exceeds the limit of 2^28 pixels"
        raise ParameterError("size", problem, "choose a smaller size or scale")
    return width, height, scale


def draw(
    view: str,
    state: Exploration,
    width: int,
    height: int,
    scale: float,
    theme: str,
    make_window: WindowFactory,
) -> Steps[QImage]:
    """Draw a figure of a view, or the window; yield tasks for a worker.

    The layout has `width` x `height` pixels, and the image is `scale` times as wide and
    high. A window that needs more space is laid out larger and scaled down. Only an image
    of the window shows the cursor and needs `make_window`. Raise `ParameterError` if the
    size is outside its limits or an encoding is not supported.
    """
    width, height, scale = check_size(width, height, scale)
    state = state if isinstance(state, ResolvedState) else resolve(state, DirectStore())
    check_image(view, state)
    if view != WINDOW:
        style = Style(ground="dark" if theme == "dark" else "white")
        return (yield from draw_figure(view, state, (width, height), scale, style))
    enlargement = max(1.0, _MIN_WINDOW_SIZE.width() / width, _MIN_WINDOW_SIZE.height() / height)
    density = scale / enlargement
    widget = make_window(Model(state), density)
    try:
        for field in widget.findChildren(FileField):
            field.hide_folder()
        yield lambda _: None  # lets the event loop run between two slow steps
        set_widget_theme(widget, theme)
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        widget.resize(round(width * enlargement), round(height * enlargement))
        yield from _compute_views(widget)
        size = QSize(width, height) * scale
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        if image.isNull():
            raise MemoryError
        image.setDevicePixelRatio(density)
        image.fill(QColor(widget.palette().window().color()))
        painter = QPainter(image)
        widget.render(painter, QPoint(0, 0))
        painter.end()
    except MemoryError:
        problem = f"{width}x{height} at scale {scale:g} needs more memory than is available"
        raise ParameterError("size", problem, "choose a smaller size or scale") from None
    finally:
        widget.leave()  # type: ignore[attr-defined]
        widget.deleteLater()  # deferred, because this can run during a click
    for set_density in (image.setDotsPerMeterX, image.setDotsPerMeterY):
        set_density(round(96 * scale / 0.0254))
    image.setDevicePixelRatio(scale)
    return image


def draw_figure(
    view: str, state: ResolvedState, size: tuple[int, int], scale: float, style: Style
) -> Steps[QImage]:
    """Draw the figure of a view as an image; `size` is in pixels before scaling by `scale`."""
    job = figure_order.FigureJob(view, state, style, FigureSize(*size), scale, is_vector=False)
    page = yield from figure_order.lay_out_figures(job)
    try:
        image: QImage = yield partial(figure_files.image, page, job.dpi)
    except MemoryError:
        problem = f"{job.size} at scale {scale:g} needs more memory than is available"
        raise ParameterError("size", problem, "choose a smaller size or scale") from None
    image.setDevicePixelRatio(scale)
    return image


def _compute_views(widget: Any) -> Steps[None]:
    page_views = widget.findChildren(views.PageView)
    widget.show()
    for _ in range(_MAX_LAYOUT_ROUNDS):
        _lay_out(widget)
        jobs = {
            view: job for view in page_views if view.isVisible() and (job := view.find_next_job())
        }
        if not jobs:
            break
        task = partial(_run_jobs, tuple(jobs.values()))
        if is_expensive(sum(job.cost for job in jobs.values())):
            widget.hide()  # otherwise the desktop may treat the widget as a window of the program
            answers = yield task
            widget.show()
        else:
            answers = task(threading.Event())
        for (view, job), numbers in zip(jobs.items(), answers, strict=True):
            view.finish(job, numbers)
    _lay_out(widget)
    for points in widget.findChildren(NumberedPoints):
        points.place_marks()
    worker = widget.model.worker
    if waiting_task := worker.make_waiting_task():  # panels may wait for a file
        widget.hide()
        yield waiting_task
        widget.show()
        worker.finish()


def _run_jobs(jobs: Sequence[PictureJob], cancellation: threading.Event) -> list[Any]:
    total, completed_cost, answers = sum(job.cost for job in jobs) or 1.0, 0.0, []
    for job in jobs:
        answers.append(job(PartialProgress(cancellation, completed_cost / total, job.cost / total)))
        completed_cost += job.cost
    return answers


def _lay_out(widget: QWidget) -> None:
    for _ in range(_LAYOUT_PASSES):
        for part in (*reversed(widget.findChildren(QWidget)), widget):
            QApplication.sendPostedEvents(part)


def save(
    image: QImage,
    path: Path | str,
    state: Exploration | None,
    extra: Mapping[str, Any],
    progress: threading.Event,
) -> None:
    """Write an image to a PNG file atomically.

    If `state` is given, it is embedded as a session, together with `extra`. `progress`
    receives the completed share, and 1 before the file is moved into place. Raise
    `CancelledError` if `progress` is set.
    """
    texts = {}
    if state is not None:
        session = dumps_for_sharing(state, extra, Path(path).parent)
        texts = figure_files.make_png_texts(make_title(state), session)
    dpi = image.dotsPerMeterX() * 0.0254
    data = b"".join(figure_files.make_png(image, True, texts, dpi, progress))
    report(progress, 1.0)
    with replace_file(path) as file:
        file.write(data)
