"""Facts about frequencies: waves that complete a turn, and differences of pins."""

from types import SimpleNamespace

from pe_explorer.exploration import make_current_name, make_distinguishing_name
from pe_explorer.pictures.frequencies.numbers import FrequencyNumbers, explain_no_curve
from pe_explorer.pictures.waves_across import find_cursor_wave
from pe_explorer.words import FACTS, Facts, register_fact

FACTS |= {"completing": lambda facts: int(facts.completing.sum())}


@register_fact
def name_beside_pins(facts: Facts) -> str | None:
    """Return the brief name of the current encoding, or None if it is the only one."""
    return make_current_name(facts.state) if facts.state.pins else None


@register_fact
def marked_lengths(facts: Facts) -> list[SimpleNamespace]:
    """Return each marked length's label and the number of waves that complete a turn in it."""
    return [
        SimpleNamespace(
            length=length,
            label=label or "the marked length",
            turning_in_length=int(facts.waves.completes_turn(length).sum()),
        )
        for length, label in facts.options.lengths or ()
    ]


@register_fact
def pin_waves(facts: Facts) -> list[SimpleNamespace]:
    """Return the waves of each pin, or the reason why they cannot be drawn."""
    state, wave, items = facts.state, find_cursor_wave(facts.state), []
    pins = facts.cast_numbers(FrequencyNumbers).pins
    for pin, (speeds, has_turn, departs_at) in zip(state.pins, pins, strict=True):
        item = SimpleNamespace(name=make_distinguishing_name(state, pin), waves=len(speeds))
        item.completing, item.departs_at = int(has_turn.sum()), departs_at
        item.why = None if item.waves else explain_no_curve(state, pin.encoding)
        item.frequency = speeds[wave] if wave is not None and wave < len(speeds) else None
        items.append(item)
    return items
