"""A lost Prefect server is one message, and never hides what went wrong in the flow."""

import logging

import httpx
import pytest

from flows.lost_server import loss_told, unsent_logs_untold
from storage.errors import InputError, WorkspaceError

URL = "http://someone:hush@127.0.0.1:4200/api"


def test_the_loss_is_told_without_the_password() -> None:
    with pytest.raises(WorkspaceError, match="was lost during the run") as caught, loss_told(URL):
        raise httpx.ConnectError("Connection refused")
    assert "127.0.0.1:4200" in str(caught.value)
    assert "hush" not in str(caught.value)


def fail_unreported() -> None:
    """Fail as Prefect's engine does that cannot report how a flow failed."""
    try:
        raise InputError("line 3 is no pair")
    except InputError:
        raise httpx.ConnectError("Connection refused")  # noqa: B904


def test_what_the_flow_said_is_told_in_its_place() -> None:
    with pytest.raises(InputError, match="line 3 is no pair"), loss_told(URL):
        fail_unreported()


@pytest.mark.parametrize("before", [True, False])
def test_logging_is_afterwards_as_it_was(before: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", before)
    with unsent_logs_untold():
        assert not logging.raiseExceptions
    assert logging.raiseExceptions is before
    with pytest.raises(ZeroDivisionError), unsent_logs_untold():
        raise ZeroDivisionError
    assert logging.raiseExceptions is before
    with pytest.raises(WorkspaceError), loss_told(URL):
        raise httpx.ConnectError("Connection refused")
    assert logging.raiseExceptions is before


def test_other_errors_stay_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError), loss_told(URL):
        raise ZeroDivisionError
