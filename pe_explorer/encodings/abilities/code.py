"""How the array libraries spell what snippets need: NumPy, PyTorch, JAX."""

from typing import NamedTuple


class Library(NamedTuple):
    """One library's spelling of a few operations, as text."""

    name: str
    prefix: str
    imports: tuple[str, ...]
    axis: str = "axis"
    """Name of the argument that chooses an axis."""
    joins: str = "concatenate"
    """Function that joins arrays along an axis."""
    settings: tuple[str, ...] = ()
    """What has to be set before float64 numbers are made."""

    @property
    def double(self) -> str:
        """Argument that asks for float64."""
        return f"dtype={self.prefix}.float64"

    def arange(self, *ends: int, double: bool = False) -> str:
        """Return the whole numbers of a range."""
        arguments = [str(end) for end in ends]
        if double:
            arguments.append(self.double)
        return f"{self.prefix}.arange({', '.join(arguments)})"

    def join(self, *arrays: str) -> str:
        """Return arrays side by side."""
        listed = ", ".join(arrays)
        return f"{self.prefix}.{self.joins}([{listed}], {self.axis}=1)"

    def pairs(self, first: str, second: str, width: int) -> str:
        """Return two arrays of one shape, column by column in turn."""
        stacked = f"{self.prefix}.stack([{first}, {second}], {self.axis}=2)"
        return f"{stacked}.reshape(len(positions), {width})"

    def array(self, values: str) -> str:
        """Return an array of the float64 numbers in `values`."""
        make = "as_tensor" if self.name == "torch" else "asarray"
        return f"{self.prefix}.{make}({values}, {self.double})"

    def zeros(self, rows: str, columns: int) -> str:
        """Return an array of zeros."""
        return f"{self.prefix}.zeros(({rows}, {columns}), {self.double})"


LIBRARIES = {
    "numpy": Library("numpy", "np", ("import numpy as np",)),
    "torch": Library("torch", "torch", ("import torch",), axis="dim", joins="cat"),
    "jax": Library(
        "jax",
        "jnp",
        ("import jax", "import jax.numpy as jnp"),
        settings=("", 'jax.config.update("jax_enable_x64", True)'),
    ),
}
"""The libraries that snippets can be written for, by name."""
