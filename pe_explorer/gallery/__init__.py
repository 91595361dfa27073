"""Presets to begin with, and the guide: words that explain a view, with its numbers."""
