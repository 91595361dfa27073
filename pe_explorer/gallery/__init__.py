"""Presets, exhibits and lessons, and the guide, which explains a view with its numbers."""
