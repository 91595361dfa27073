"""Functions of encodings: what can be measured about them."""
