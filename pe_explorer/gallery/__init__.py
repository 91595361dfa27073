"""Presets, exhibits, lessons, and the guide, which explains a view of the current exploration."""
