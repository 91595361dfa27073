"""Names and tables of colour maps, and the colours of themes and pins. This package needs no Qt."""
