"""Abilities of encodings: an abstract class for each, from which schemes derive."""
