"""Files that integrate the program into a Linux desktop."""
