"""Exact phases, phasors and their block means, in pure NumPy."""
