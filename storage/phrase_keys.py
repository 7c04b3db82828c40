"""The key of a phrase in tables that hold too many phrases to spell each of them out.

A key is the lower 63 bits of the text's polynomial modulo 2^64, with the UTF-8 bytes, each plus
one, as coefficients; the lowest bit tells 计 and 订 apart, whose last bytes differ by one. Two of n
different texts share a key with a chance of about n^2 / 2^64: one in 10,000 for thirty million
phrases. Where keys meet their texts again, such a pair is found and refused.
"""

BASE = 0x9E6C63D0876A9A35
"""An odd number that is 5 modulo 8, so that its powers repeat as late as possible."""
_MODULUS = 1 << 64
KEY_BITS = (1 << 63) - 1
"""Where a key has bits."""


def phrase_key(text: str) -> int:
    """Return the key of a text, between 0 and 2^63 - 1."""
    value = 0
    for byte in text.encode("utf-8", "surrogatepass"):
        value = (value * BASE + byte + 1) % _MODULUS
    return value & KEY_BITS
