"""Widgets that are independent of the model, the views and the pictures."""
