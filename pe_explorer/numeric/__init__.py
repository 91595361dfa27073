"""The exact core: turns, rotation, block means, positions; pure NumPy, and public.

- `positions`: what callers may pass as positions, brought to one of three exact forms.
- `turns`: frequencies as exact fractions of a turn, and exact phases at any position.
- `phasors`: sine and cosine of such a phase.
- `rotation`: tables of phasors, filled by rotation.
- `block_means`: means of phasors over blocks of positions, in closed form.
"""
