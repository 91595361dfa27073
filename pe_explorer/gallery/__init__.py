"""Presets: whole explorations with a name, that one begins with."""
