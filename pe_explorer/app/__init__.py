"""The application: its window, files, exports and settings, and what it does in trouble."""
