"""When something goes wrong: the log, what is shown of an error, and what a report needs."""
