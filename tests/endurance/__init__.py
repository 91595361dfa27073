"""The long test of everything: random events on the real window, hostile files, and more."""
