"""Addresses that carry a password or a key: refused in settings, and never shown."""

import re

_USER = re.compile(r"(?<=://)[^/?#\s@]+@")
"""A user, or a user and a password, before the host."""
_NAMES = (
    "api[_-]?key|access[_-]?key|awsaccesskeyid|auth|token|access[_-]?token|security-token|secret|"
    "client[_-]?secret|password|passwd|pwd|signature|sig|credential"
)
_QUERY = re.compile(rf"(?i)(?<=[?&;])((?:x-amz-)?(?:{_NAMES})=)[^&#;\s]+")
_HIDDEN = "***"


def without_secrets(text: str) -> str:
    """Return a text in which the users, passwords and keys of all addresses are hidden."""
    return _QUERY.sub(rf"\1{_HIDDEN}", _USER.sub(f"{_HIDDEN}@", text))


def holds_secret(text: str) -> bool:
    """Say whether a text has an address with a user, a password or a key in it."""
    return without_secrets(text) != text
