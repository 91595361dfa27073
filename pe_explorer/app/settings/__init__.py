"""What the window remembers for the next start."""
