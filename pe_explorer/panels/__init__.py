"""What stands around the views and follows the model.

Encoding, inspector, pins, transport, read-out.
"""
