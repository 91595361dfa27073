"""Pictures as the commands draw them, the window included."""

from functools import partial

from pe_explorer.app.output import picture
from pe_explorer.app.window.main_window import MainWindow

draw = partial(picture.draw, make_window=MainWindow.for_picture)
drawing = partial(picture.drawing, make_window=MainWindow.for_picture)
