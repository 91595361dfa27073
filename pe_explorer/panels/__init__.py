"""What stands around the panes, from the encoding to the read-out. It follows the model."""
