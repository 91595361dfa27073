"""The open document: its file, its backups, and the questions about unsaved changes."""
