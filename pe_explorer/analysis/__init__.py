"""Measurements of encodings."""
