"""Unexpected errors: the log, the dialog, and the data that a report needs."""
