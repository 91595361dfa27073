"""What leaves the window: pictures, data, commands, code."""
