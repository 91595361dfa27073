"""Settings that are remembered for the next start."""
