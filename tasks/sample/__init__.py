"""The built-in synthetic sample."""
