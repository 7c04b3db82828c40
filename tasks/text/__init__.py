"""Normalise, segment, tokenise and judge text."""
