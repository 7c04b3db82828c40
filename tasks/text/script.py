"""Bring the width and the spacing of a text to one form.

Not here: conversion between Traditional and Simplified, lower-casing and tokenisation. Lone
surrogates pass through untouched: refusing them is the business of the readers.
"""

import re
import unicodedata

_DROPPED = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
"""Control and invisible format characters; the joiners U+200C and U+200D carry meaning."""

_SPACES = re.compile(r"\s+")


def normalise(text: str) -> str:
    """Fold width (NFKC), take out control characters, collapse and trim blanks.

    Twice changes nothing. Every kind of white space, line ends included, counts as a blank.
    Scripts are never converted.
    """
    if not (text.isascii() and text.isprintable()):
        text = unicodedata.normalize("NFKC", _DROPPED.sub("", text))
    return _SPACES.sub(" ", text).strip(" ")
