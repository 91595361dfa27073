"""The application: its window, files, exports and settings, and its error handling."""
