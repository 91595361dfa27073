"""What is open: its file, its unsaved copies, and the questions before any of them is lost."""
