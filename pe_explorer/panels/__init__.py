"""The panels around the panes, from the encoding to the read-out; they follow the model."""
