"""The configuration that `ralph init` writes says what counts without it."""

from __future__ import annotations

import re

from ralph.config import Config, parse_config
from ralph.config.starter import TEXT


def test_it_says_the_defaults() -> None:
    assert parse_config(TEXT.encode(), "ralph.yml") == Config()


def test_what_is_commented_out_can_be_taken_in() -> None:
    lines = [re.sub(r"^# ((agent|evidence|phases|agents):.*|  +.*)$", r"\1", line) for line in TEXT.splitlines()]
    config = parse_config("\n".join(lines).encode(), "ralph.yml")
    assert (config.agent, config.phases.validation.require_human_approval) == ("claude", True)
    assert config.agents["claude"].fallback == ("codex",)
