"""The main window: rail, panes, panels, bars, menus and actions."""
