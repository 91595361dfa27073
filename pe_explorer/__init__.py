"""PE Explorer: explore the positional encodings of transformers."""

__version__ = "0.1.0"
