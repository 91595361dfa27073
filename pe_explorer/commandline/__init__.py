"""The commands, one per file: which flags each has, and what it does with what was given.

`program` knows them all; what they share is beside them: `parser`, `start` (what flags start
from), `arguments` (flags, as argparse wants them) and `given` (what came of them). Qt and the
window are loaded by a command that needs them, when it runs.
"""
