"""The messages that people get, as Prefect's own blocks send them, to servers on loopback.

Only the server around them is left out: tests/integration/test_deployments.py has one.
"""

import asyncio
import html
import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import prefect.events
import pytest
from apprise.plugins.sendgrid import NotifySendGrid
from apprise.plugins.slack import NotifySlack
from prefect.blocks.notifications import SendgridEmail, SlackWebhook
from prefect.events.actions import CallWebhook, SendNotification
from prefect.events.schemas.automations import EventTrigger
from prefect.server.events import actions
from prefect.server.utilities.user_templates import render_user_template
from pydantic import SecretStr

from flows.automations import automations_of
from flows.deployment_config import DeploymentConfig
from flows.events import tell_drift, tell_promotion, tell_refused
from storage.workspace import Workspace
from tests.integration.pager import Pager, listening, mailbox
from tests.support import block_document

# Apprise, by which Prefect's blocks send, looks whether this module of older Pythons is there.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

FACT = "check max_memory_change of the phrase memory is 0.31, and [checks] allows 0.5: 31 of <100>."
DRIFT = {
    "accepted": False,
    "before": "0123456789abcdef",
    "findings": [{"fact": FACT}, {"fact": "check max_rows_lost of R&D is 0.3."}],
}
DRIFTED = (
    f"phrase memory of workspace: {FACT}\n"
    "check max_rows_lost of R&D is 0.3.\n"
    "It was published all the same. `phrasenet memory diff 0123456789ab` shows the phrases.\n"
    "docs/operations.md says what to do."
)


@pytest.fixture
def pager() -> Iterator[Pager]:
    with listening() as made:
        yield made


Told = Callable[[Workspace], None]


def event_of(workspace: Workspace, tell: Told, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the event that is emitted, as templates see it."""
    found: list[Any] = []

    def emit(name: str, resource: dict[str, str], payload: dict[str, Any], **_: Any) -> None:
        about = SimpleNamespace(name=resource["prefect.resource.name"])
        found.append(SimpleNamespace(event=name, resource=about, payload=payload))

    monkeypatch.setattr(prefect.events, "emit_event", emit)
    tell(workspace)
    [event] = found
    return event


def message(kind: str, event: Any) -> tuple[str, str]:
    """Return subject and body of what a block is given when an event arrives."""

    async def filled(templates: tuple[str, str]) -> tuple[str, str]:
        first, second = [await render_user_template(item, {"event": event}) for item in templates]
        return first, second

    for automation in automations_of(DeploymentConfig(), [], [block_document(kind)]):
        assert isinstance(automation.trigger, EventTrigger)
        if event.event in automation.trigger.expect:
            [action] = automation.actions
            if isinstance(action, CallWebhook):
                return asyncio.run(filled((action.payload, "")))
            assert isinstance(action, SendNotification)
            return asyncio.run(filled((action.subject, action.body)))
    raise AssertionError(f"nobody is told of {event.event}")


@pytest.mark.parametrize(
    ("tell", "subject", "reason"),
    [
        (
            lambda workspace: tell_drift(workspace, "phrasenet.toml", DRIFT),
            "phrasenet: the memory drifted",
            FACT,
        ),
        (
            lambda workspace: tell_drift(workspace, "phrasenet.toml", DRIFT | {"accepted": True}),
            "phrasenet: the memory drifted",
            "A person accepted that.",
        ),
        (
            lambda workspace: tell_refused(workspace, "phrasenet.toml", "The check said no."),
            "phrasenet: a refresh was refused",
            "The check said no.",
        ),
        (
            lambda workspace: tell_promotion(
                workspace,
                "phrasenet.toml",
                {"outcome": "refused", "model": "f" * 64, "reasons": ["BLEU fell", "dates too"]},
            ),
            "phrasenet: a model was refused",
            "model ffffffffffff: BLEU fell; dates too",
        ),
        (
            lambda workspace: tell_promotion(
                workspace,
                "phrasenet.toml",
                {"outcome": "waits for approval", "model": "f" * 64, "reasons": []},
            ),
            "phrasenet: a model waits for approval",
            "model ffffffffffff: waits for approval",
        ),
    ],
)
def test_each_event_has_its_subject_and_says_why(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tell: Told, subject: str, reason: str
) -> None:
    event = event_of(workspace, tell, monkeypatch)
    told, body = message("slack-webhook", event)
    assert told == subject
    assert f"phrase memory of {workspace.root.name}: " in body
    assert reason in body
    assert message("webhook", event)[0] == f"{told}\n{body}", "a webhook has no subject of its own"


@pytest.mark.parametrize("kind", ["webhook", "slack-webhook", "sendgrid-email"])
def test_the_server_takes_every_template(kind: str) -> None:
    for automation in automations_of(DeploymentConfig(), [], [block_document(kind)])[1:]:
        [action] = automation.actions
        server = actions.CallWebhook if kind == "webhook" else actions.SendNotification
        server.model_validate(action.model_dump())


@pytest.fixture
def drifted(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Any:
    return event_of(workspace, lambda made: tell_drift(made, "phrasenet.toml", DRIFT), monkeypatch)


def expected(workspace: Workspace) -> str:
    return DRIFTED.replace("of workspace", f"of {workspace.root.name}")


def test_slack_gets_title_and_text(
    workspace: Workspace, drifted: Any, pager: Pager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NotifySlack, "webhook_url", f"{pager.address}services")
    hook = "https://hooks.slack.com/services/T1234ABCD/B1234ABCD/abcdefghijklmnopqrstuvwx"
    block = SlackWebhook(url=SecretStr(hook))
    subject, body = message("slack-webhook", drifted)
    with block.raise_on_failure():
        block.notify(subject=subject, body=body)
    [sent] = [json.loads(text) for text in pager.bodies]
    [shown] = sent["attachments"]
    assert shown["title"] == "phrasenet: the memory drifted"
    assert html.unescape(shown["text"]) == expected(workspace)


def test_an_email_by_sendgrid_keeps_its_lines_and_signs(
    workspace: Workspace, drifted: Any, pager: Pager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NotifySendGrid, "notify_url", f"{pager.address}v3/mail/send")
    block = SendgridEmail(
        api_key=SecretStr("SG.abcdefghijklmnop"),
        sender_email="pipeline@example.org",
        to_emails=["oncall@example.org", "editor@example.org"],
    )
    subject, body = message("sendgrid-email", drifted)
    with block.raise_on_failure():
        block.notify(subject=subject, body=body)
    sent = [json.loads(text) for text in pager.bodies]
    receivers = {item["personalizations"][0]["to"][0]["email"] for item in sent}
    assert receivers == {"oncall@example.org", "editor@example.org"}
    for mail in sent:
        assert mail["subject"] == "phrasenet: the memory drifted"
        [content] = mail["content"]
        assert content["type"] == "text/html"
        text = content["value"].removeprefix('<pre style="white-space: pre-wrap">')
        assert "<" not in text.removesuffix("</pre>")
        assert html.unescape(text.removesuffix("</pre>")).strip() == expected(workspace)


def test_an_email_by_a_mail_server_of_ones_own_is_plain_text(
    workspace: Workspace, drifted: Any
) -> None:
    subject, body = message("slack-webhook", drifted)
    with mailbox() as box:
        block = SlackWebhook(url=SecretStr(box.address))
        with block.raise_on_failure():
            block.notify(subject=subject, body=body)
    [mail] = box.bodies
    title, receiver, text = mail.split("\n", 2)
    assert (title, receiver) == ("phrasenet: the memory drifted", "oncall@example.org")
    assert text.strip() == expected(workspace)
