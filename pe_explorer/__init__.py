"""PE Explorer: see, measure and check the positional encodings of transformers."""

__version__ = "0.1.0"
