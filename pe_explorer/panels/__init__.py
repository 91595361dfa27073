"""The panels around the views: inspector, pins, transport and read-out. They follow the model."""
