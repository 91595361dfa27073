"""Functions that read and write sessions, exported data and code."""
