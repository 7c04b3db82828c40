"""URLs, mail addresses and identifiers: what a translation copies.

Two readings of one thing. A word must end where the address ends, for Chinese goes on without a
blank; a rule must stay away from whatever could still belong to the address, so for rules it goes
on to the next blank.
"""

import re

_SCHEME = "(?:https?|ftp)://"
_LABEL = "[A-Za-z0-9][A-Za-z0-9-]{0,62}"
_IN_URL = r"A-Za-z0-9\-_~/#@$&*+=%"
_URL = rf"{_SCHEME}[{_IN_URL}.:?\[\]!'(),;]*[{_IN_URL}]"
_MAIL = rf"[A-Za-z0-9._%+-]{{1,64}}@{_LABEL}(?:\.{_LABEL}){{1,8}}"
_HOST = (
    rf"(?:{_LABEL}\.){{1,8}}(?:com|org|net|gov|edu|info|io|cn|tw|hk|uk|int)\b"
    r"(?:/[A-Za-z0-9\-._~/?#&=%]*)?"
)
_IDENTIFIER = "[A-Za-z0-9]{0,64}_[A-Za-z0-9_]+"

EXACT = f"(?:{_URL}|{_MAIL}|{_HOST}|{_IDENTIFIER})"
"""Pattern of one that ends where its characters end; nothing that is written before it counts."""
TO_THE_NEXT_BLANK = re.compile(rf"{_SCHEME}\S+|\S+@\S+\.\S+|{_IDENTIFIER}")
"""One with all that stands on it up to the next blank."""
