"""The endurance test: random events on the real window, hostile files, and more."""
