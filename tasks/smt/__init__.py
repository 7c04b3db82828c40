"""Phrase-based statistical machine translation: the baseline of both papers. Arrays and numbers in,
words out.

`language_model.py` and `phrase_table.py` learn, `search.py` translates, `mira.py` tunes.
"""
