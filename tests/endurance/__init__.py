"""Random events on the real window, thousands of them, and what must not come of them."""
