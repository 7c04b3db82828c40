"""Loops over whole shards, compiled to machine code, on integers and arrays only."""
