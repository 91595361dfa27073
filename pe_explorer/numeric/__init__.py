"""The exact core: turns, rotation, block means, positions; pure NumPy, and public."""
