"""What stands around the views and follows the model: encoding, inspector, pins, transport, read-out."""
