"""The commands, one per file: their flags, and what they do.

`main` runs them. They share `parser`, and `shared`: the flags of what is explored, with the values
that these start from and have. Qt and the window are loaded by a command that needs them.
"""
