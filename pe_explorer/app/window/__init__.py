"""The main window, its menus and what they do with the positions shown."""
