"""From aligned sentence pairs to phrases that have one reliable translation."""
