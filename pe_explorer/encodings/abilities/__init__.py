"""Abilities of encodings: abstract classes from which schemes derive."""
