"""What a Linux desktop needs to know of the program."""
