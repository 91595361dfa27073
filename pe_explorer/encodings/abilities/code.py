"""Generation of code for array operations in NumPy, PyTorch and JAX."""

from typing import NamedTuple


class Library(NamedTuple):
    """An array library, with methods that return code as strings."""

    name: str
    prefix: str
    imports: tuple[str, ...]
    axis: str = "axis"  # the name of the library's argument for an axis
    join_function: str = "concatenate"
    settings: tuple[str, ...] = ()  # code that enables float64 and must run first
    dtype: str = "float64"  # the type of arrays, except those of `arange`
    cast_value: str = ""  # the name of the value that is rounded to `cast_dtype`, if any
    cast_dtype: str = ""

    @property
    def float64_argument(self) -> str:
        """The argument that selects float64, as code."""
        return f"dtype={self.prefix}.float64"

    @property
    def dtype_argument(self) -> str:
        """The argument that selects `dtype`, as code."""
        return f"dtype={self.prefix}.{self.dtype}"

    def cast(self, value: str) -> tuple[str, ...]:
        """Return code that rounds a variable to `cast_dtype`; empty if it is not `cast_value`."""
        if value != self.cast_value:
            return ()
        return (
            f"{value} = {value}.to({self.prefix}.{self.cast_dtype}).to({self.prefix}.{self.dtype})",
        )

    def arange(self, *bounds: int, double: bool = False) -> str:
        """Return code for a range of integers."""
        arguments = [*map(str, bounds), *([self.float64_argument] if double else [])]
        return f"{self.prefix}.arange({', '.join(arguments)})"

    def join(self, *arrays: str) -> str:
        """Return code that joins arrays side by side."""
        return f"{self.prefix}.{self.join_function}([{', '.join(arrays)}], {self.axis}=1)"

    def pairs(self, first: str, second: str, width: int) -> str:
        """Return code that interleaves the columns of two arrays of the same shape."""
        stack = f"{self.prefix}.stack([{first}, {second}], {self.axis}=2)"
        return f"{stack}.reshape(len(positions), {width})"

    def array(self, values: str) -> str:
        """Return code for an array of `values`."""
        function = "as_tensor" if self.name == "torch" else "asarray"
        return f"{self.prefix}.{function}({values}, {self.dtype_argument})"

    def round(self, numbers: str) -> str:
        """Return code that rounds a float64 tensor of PyTorch to `dtype`."""
        numbers = numbers if numbers.isidentifier() or numbers.startswith("(") else f"({numbers})"
        return f"{numbers}.to({self.prefix}.{self.dtype})"

    def zeros(self, rows: str, columns: int) -> str:
        """Return code for an array of zeros."""
        return f"{self.prefix}.zeros(({rows}, {columns}), {self.dtype_argument})"


LIBRARIES = {
    "numpy": Library("numpy", "np", ("import numpy as np",)),
    "torch": Library("torch", "torch", ("import torch",), axis="dim", join_function="cat"),
    "jax": Library(
        "jax",
        "jnp",
        ("import jax", "import jax.numpy as jnp"),
        settings=("", 'jax.config.update("jax_enable_x64", True)'),
    ),
}
"""The supported libraries by name."""
