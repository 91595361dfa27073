"""What encodings can do: an abstract class for each ability, which schemes derive from."""
