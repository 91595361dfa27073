"""The commands, one per file, which `main` runs; Qt and the window are loaded where needed."""
