"""PE Explorer, a program about the positional encodings of transformers."""

__version__ = "0.1.0"
