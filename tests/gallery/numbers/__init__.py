"""Independent computations of every number in exhibits, one file per document."""
