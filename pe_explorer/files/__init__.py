"""Read and write files: sessions, exported data and code."""
