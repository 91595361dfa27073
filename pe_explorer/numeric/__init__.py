"""Exact phases, phasors and their block means, in pure NumPy.

- `positions`: converts the positions that callers pass to one of three exact forms.
- `turns`: frequencies as exact fractions of a turn, and exact phases at any position.
- `phasors`: sines and cosines of phases.
- `rotation`: tables of phasors, filled by rotation.
- `block_means`: means of phasors over blocks of positions, in closed form.
"""
