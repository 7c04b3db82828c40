"""Find remembered phrases in sentences and choose the slots."""
