"""Whether a machine leads, before torch is asked to find it."""

import socket

import pytest

from flows.joining import _is_led


def test_a_machine_that_listens_leads() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        rendezvous = f"127.0.0.1:{server.getsockname()[1]}"
        assert _is_led(rendezvous)
    assert not _is_led(rendezvous)


def test_a_machine_that_never_answers_does_not_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer(*_: object, timeout: float) -> socket.socket:
        raise TimeoutError(f"nothing for {timeout} s")

    monkeypatch.setattr(socket, "create_connection", no_answer)
    assert not _is_led("10.0.0.1:29500")


def test_an_unknown_host_is_told_by_the_training_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, timeout: float) -> socket.socket:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "create_connection", unknown)
    assert _is_led("nowhere:29500")
