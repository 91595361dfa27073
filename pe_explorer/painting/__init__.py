"""Painting with Qt: pages and curves look the same on the screen, on paper and in files."""
