"""The open document: its file, its backups, and the questions before changes are lost."""
