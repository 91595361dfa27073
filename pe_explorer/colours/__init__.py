"""Names and tables of colour maps, and the colours of themes and pins, without Qt."""
