"""What the tests of parameters share."""

import pytest

from pe_explorer.params import ParameterError


def refusal(call, *arguments):
    """Return the message of the error, which must name the parameter first, and be short."""
    with pytest.raises(ParameterError) as caught:
        call("speed", *arguments)
    message = str(caught.value)
    assert (caught.value.name, message) == ("speed", f"speed: {caught.value.problem}")
    assert len(message) < 250
    stop = "" if message.endswith(("…", "?")) else "."
    assert caught.value.sentence == f"Speed{message.removeprefix('speed')}{stop}"
    message.encode()  # what is quoted can be written anywhere
    return message
