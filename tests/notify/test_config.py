"""`notify` in ralph.yml: what may not stand there, and that no secret is repeated."""

from __future__ import annotations

import pytest

from ralph.config import parse_config
from ralph.errors import ConfigError

GOOD = "webhook: https://example.org/hook\n    secret: env:S\n"


@pytest.mark.parametrize(
    "target",
    [
        GOOD,
        "webhook: env:URL\n    secret: keyring:ralph/ops\n    events: [ended, blocked]\n",
        "webhook: http://127.0.0.1:8080/x\n    secret: env:S\n    private: true\n",
        "apprise: env:CHAT\n",
        "command: notify-send 'a run'\n    timeout_s: 3\n",
    ],
)
def test_what_is_taken(target: str) -> None:
    assert parse_config(f"notify:\n  ops:\n    {target}".encode(), "ralph.yml").notify.keys() == {"ops"}


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("webhook: https://example.org/hook\n    secret: whsec_HUSH\n", "holds a secret itself"),
        ("webhook: https://ann:HUSH@example.org/\n    secret: env:S\n", "password or a query"),
        ("webhook: https://example.org/?token=HUSH\n    secret: env:S\n", "password or a query"),
        ("apprise: slack://HUSH/HUSH\n", "holds a secret itself"),
        ("webhook: http://example.org/\n    secret: env:S\n", "must begin with https"),
        ("webhook: https://[::1\n    secret: env:S\n", "must begin with https"),
        ("webhook: 'https://example.org/a b'\n    secret: env:S\n", "must begin with https"),
        ("webhook: https://example.org/\n", "secret' is missing"),
        ("command: a\n    apprise: env:B\n", "exactly one of"),
        ("events: [ended]\n", "exactly one of"),
        ("command: 'a \"b'\n", "program and its arguments"),
        ("command: a\n    events: []\n", "is empty"),
        ("command: a\n    events: [done]\n", "must be 'approval' or"),
        ("command: a\n    timeout_s: 0\n", "at most 60"),
        ("command: a\n    secret: env:S\n", "does nothing without a webhook"),
        ("command: a\n    private: true\n", "does nothing without a webhook"),
        ("url: a\n", "unknown key"),
    ],
)
def test_what_is_refused(target: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        parse_config(f"notify:\n  ops:\n    {target}".encode(), "ralph.yml")
    assert "HUSH" not in str(caught.value)


def test_a_name_becomes_a_file_name() -> None:
    with pytest.raises(ConfigError, match="no name of a target"):
        parse_config(f"notify:\n  ../x:\n    {GOOD}".encode(), "ralph.yml")
