"""The files for containers name only what is there: settings, commands, files, services."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prefect.settings.base import PrefectBaseSettings
from prefect.settings.models.root import Settings
from pydantic import AliasChoices

from flows.cli import build_parser
from flows.pools import CPU_POOL, TRAINING_POOL
from tests.support import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
NAMING = [
    *sorted(path for path in (ROOT / "deploy").iterdir() if path.is_file()),
    *(ROOT / name for name in ("prefect.yaml", "README.md", "SECURITY.md")),
    ROOT / "docs" / "operations.md",
    ROOT / "flows" / "private_server.py",
]
_OF_LOGGERS = "PREFECT_LOGGING_HANDLERS_"
"""Variables that override Prefect's logging file, key by key; they are no settings."""


def known_variables(group: type[PrefectBaseSettings] = Settings) -> Iterator[str]:
    """Yield each environment variable that Prefect reads."""
    for name, described in group.model_fields.items():
        inner = described.annotation
        if isinstance(inner, type) and issubclass(inner, PrefectBaseSettings):
            yield from known_variables(inner)
            continue
        yield (str(group.model_config.get("env_prefix", "")) + name).upper()
        alias = described.validation_alias
        names = alias.choices if isinstance(alias, AliasChoices) else ()
        yield from (choice.upper() for choice in names if isinstance(choice, str))


def test_every_variable_is_one_that_prefect_knows() -> None:
    named = {
        name
        for path in NAMING
        for name in re.findall(r"\bPREFECT_[A-Z_]+[A-Z]", path.read_text("utf-8"))
        if not name.startswith(_OF_LOGGERS)
    }
    assert len(named) > 10
    assert named - set(known_variables()) == set()


def commands() -> Iterator[str]:
    """Yield the command of each service that has one of ours."""
    for service in COMPOSE["services"].values():
        if "command" in service:
            yield service["command"]


@pytest.mark.parametrize("command", [text for text in commands() if text.startswith("phrasenet")])
def test_a_command_of_phrasenet_is_taken(command: str) -> None:
    assert build_parser().parse_args(shlex.split(command)[1:]).execute


def test_a_worker_serves_each_pool() -> None:
    served = [re.search(r"worker start --pool (\S+) --type process$", text) for text in commands()]
    assert {match[1] for match in served if match} == {CPU_POOL, TRAINING_POOL}


def test_services_depend_on_what_is_there_and_can_be_healthy() -> None:
    services = COMPOSE["services"]
    for name, service in services.items():
        for other, wanted in service.get("depends_on", {}).items():
            assert wanted == {"condition": "service_healthy"}, name
            assert "healthcheck" in services[other], name
    mounted = {text.split(":")[0] for item in services.values() for text in item.get("volumes", [])}
    assert {name for name in mounted if name.isidentifier()} == set(COMPOSE["volumes"])


def test_ports_are_on_loopback_only() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_what_the_image_copies_is_there_and_reaches_the_builder() -> None:
    copied = [
        source
        for line in re.findall(r"^COPY (.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    ignored = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert {"flows", "tasks", "model", "storage", "requirements.lock"} <= set(copied)
    for source in copied:
        assert (ROOT / source).exists(), source
    assert {line.removeprefix("!") for line in ignored if line.startswith("!")} == set(copied)
