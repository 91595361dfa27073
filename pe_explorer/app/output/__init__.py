"""Exports of the window: images, data, commands and code."""
