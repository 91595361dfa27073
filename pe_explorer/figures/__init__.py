"""Figures as an author prints them: their style, their layout in points, and what draws them.

A picture describes what a figure consists of (`pictures.figure`); here it is laid out on a page of
a real size. Nothing here knows Qt: whoever lays out a page says how wide a text is.
"""
