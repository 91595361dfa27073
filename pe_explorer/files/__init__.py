"""Reading and writing of files: sessions, exported data and code."""
