"""Panels beside the panes, such as the encoding panel, which follow the model."""
