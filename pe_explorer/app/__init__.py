"""The application: its window, docks, menus and preferences."""
