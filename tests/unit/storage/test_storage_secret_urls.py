"""Addresses with passwords and keys are known, and hidden wherever a text is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.secret_urls import holds_secret, without_secrets


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://user:word@host/api", "http://***@host/api"),
        ("s3://KEYID:a/b@bucket", "s3://KEYID:a/b@bucket"),  # a slash ends the host
        ("s3://KEYID:word@bucket/key", "s3://***@bucket/key"),
        ("at https://a:b@c and tcp://d:e@f!", "at https://***@c and tcp://***@f!"),
        ("https://h/p?token=abc&x=1", "https://h/p?token=***&x=1"),
        ("https://h/p?x=1&X-Amz-Signature=abc#y", "https://h/p?x=1&X-Amz-Signature=***#y"),
        ("https://h/p?api_key=abc", "https://h/p?api_key=***"),
        ("https://h/p?keyword=abc&monkey=1", "https://h/p?keyword=abc&monkey=1"),
        ("mail someone@example.org", "mail someone@example.org"),
        ("s3://bucket/key with @ sign", "s3://bucket/key with @ sign"),
    ],
)
def test_what_is_hidden(text: str, shown: str) -> None:
    assert without_secrets(text) == shown
    assert holds_secret(text) == (text != shown)


words = st.text(st.characters(categories=("L", "N")), min_size=4, max_size=12)


@given(words, words, words)
def test_no_password_of_an_address_is_left(user: str, password: str, host: str) -> None:
    shown = without_secrets(f"cannot reach postgresql://{user}:{password}@{host}/db now")
    assert shown == f"cannot reach postgresql://***@{host}/db now"
    assert without_secrets(shown) == shown
