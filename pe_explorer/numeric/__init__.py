"""Exact phases, phasors and their block means, in pure NumPy.

- `positions`: conversion of positions to one of three exact forms.
- `turns`: frequencies as exact fractions of a turn, and exact phases at any position.
- `phasors`: sines and cosines of phases.
- `rotation`: tables of phasors, computed by rotation.
- `block_means`: means of phasors over blocks of positions, in closed form.
"""
