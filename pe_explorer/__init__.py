"""PE Explorer, a program for exploring the positional encodings of transformers."""

__version__ = "0.1.0"
