"""Helpers of the tests of parameters."""

import pytest

from pe_explorer.params import ParameterError


def refusal(call, *arguments):
    """Return the message of the error, which must be short and begin with the parameter's name."""
    with pytest.raises(ParameterError) as caught:
        call("speed", *arguments)
    message = str(caught.value)
    assert (caught.value.name, message) == ("speed", f"speed: {caught.value.problem}")
    assert len(message) < 250
    stop = "" if message.endswith((".", "…", "?")) else "."
    assert caught.value.sentence == f"Speed{message.removeprefix('speed')}{stop}"
    message.encode()  # quoted surrogates are escaped
    return message
