"""Unexpected errors: the log, the error dialog, and diagnostics for a report."""
