"""Comparisons of many systems: what is in the matrix, what is kept of a cell, and its tables."""
