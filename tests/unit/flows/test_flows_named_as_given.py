"""Errors about a setting that an option overrides name the option."""

from collections.abc import Callable
from typing import Any

import pytest

from flows import inference
from flows.commands.options import named_as_given
from model.config import DecodingConfig
from storage.errors import ConfigError, InputError
from tasks.devices import prepared
from tests.conftest import Command

NO_GPU = "cuda:77"


def opened(names: Any, models: Any, change: Callable[[DecodingConfig], DecodingConfig],
           **more: Any) -> None:  # fmt: skip
    """Do what opening a translator does with the device."""
    try:
        decoding = change(DecodingConfig(device="cpu" if models else "cuda:78"))
    except ValueError as error:
        raise ConfigError(str(error)) from error
    prepared(decoding.device, "decoding.device", ["float32"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--device", NO_GPU], f"phrasenet: --device is '{NO_GPU}', but "),
        (["--device", "tpu"], "phrasenet: --device is 'tpu'; it must be \"auto\""),
        ([], "phrasenet: decoding.device is 'cuda:78', but "),
    ],
)
def test_a_device_is_named_as_it_was_given(
    arguments: list[str], message: str, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "open_translator", opened)
    answer = phrasenet("translate", *arguments)
    assert answer.code == 2
    assert answer.err.startswith(message)
    assert ("decoding.device" in answer.err) == (not arguments)


def test_only_the_whole_name_of_the_setting_is_replaced() -> None:
    with pytest.raises(InputError) as told, named_as_given({"a.b": "--b", "c.d": "--d"}):
        raise InputError("a.b, a.bc, xa.b, x.a.b and c.d")
    assert str(told.value) == "--b, a.bc, xa.b, x.a.b and --d"
