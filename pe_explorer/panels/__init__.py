"""Panels around the panes, such as the encoding panel and the read-out, that follow the model."""
