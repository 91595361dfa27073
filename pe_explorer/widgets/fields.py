"""Fields in which one value is typed or chosen: they know a parameter, but no form."""

from pe_explorer.widgets._choice_fields import Box, Combo
from pe_explorer.widgets._file_field import FileField
from pe_explorer.widgets._line_field import LineField, NumberField

__all__ = ["Box", "Combo", "FileField", "LineField", "NumberField"]
