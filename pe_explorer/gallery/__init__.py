"""Presets, exhibits and lessons, and the guide: words that explain a view, with its numbers."""
