"""The commands, one per file: their flags, and what they do.

`program` lists them. They share `parser`, `start` (the values that flags start from), `arguments`
(flags for argparse) and `flag_values` (the values that were given). Qt and the window are loaded
by a command that needs them, when it runs.
"""
