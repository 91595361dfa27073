"""Panels around the panes that follow the model, such as the encoding panel and the read-out."""
