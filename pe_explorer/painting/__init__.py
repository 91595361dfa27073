"""Painting of pages and curves with Qt: on the screen, on paper and in files."""
