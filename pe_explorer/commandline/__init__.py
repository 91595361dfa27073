"""The commands of the program, one module each; a command imports Qt only when necessary."""
