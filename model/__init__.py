"""Networks, training loop and search: numbers in, numbers out."""
