"""Parsing of numbers as the program prints them: ``−0.25``, ``2,559,196``, ``3.3·10⁻¹⁶``."""

import re

_SUPERSCRIPT_DIGITS = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLAIN = str.maketrans(_SUPERSCRIPT_DIGITS, "-0123456789")
_TIMES_TEN = re.compile(f"·10([{_SUPERSCRIPT_DIGITS}]+)")
_TEN = re.compile(f"(?<![0-9.,·])10(⁻[{_SUPERSCRIPT_DIGITS}]+)")
_POWER = re.compile(f"([0-9])([{_SUPERSCRIPT_DIGITS}]+)")


def in_ascii(text):
    """Return a text with ``e-16`` for a power of ten, ``^53`` for others, and plain minus signs."""
    text = _TIMES_TEN.sub(lambda found: f"e{found[1].translate(_PLAIN)}", text)
    text = _TEN.sub(lambda found: f"1e{found[1].translate(_PLAIN)}", text)
    text = _POWER.sub(lambda found: f"{found[1]}^{found[2].translate(_PLAIN)}", text)
    return text.replace("−", "-")


def value_of(text):
    plain = in_ascii(text).replace(",", "").replace("∞", "inf")
    base, raised, power = plain.partition("^")
    return float(base) ** int(power) if raised else float(plain)
