"""Painting with Qt: pages, curves and device pixels, alike on the screen, on paper and in files."""
