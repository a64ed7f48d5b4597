"""What the documentation shows of hats is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ralph.config import parse_config
from ralph.events.gate_settings import configured
from ralph.hats import graph, loader
from ralph.hats.check import check
from ralph.hats.confession import ISSUES_FOUND, ConfessionReport, read
from tests.hats.shapes import REFUSALS

DOCS = Path(__file__).parents[2] / "docs"
CONFIGURATION, CONCEPTS = ((DOCS / name).read_text("utf-8") for name in ("configuration.md", "concepts.md"))


def fenced(page: str, language: str, word: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return [text for text in found if word in text]


@pytest.mark.parametrize("text", fenced(CONFIGURATION, "yaml", "hats:"))
def test_the_hats_that_are_shown_are_sound(text: str) -> None:
    config = parse_config(text.encode(), "ralph.yml")
    refusals = {topic: gate.refusal for topic, gate in configured(config.gates).items()}
    assert check(loader.topology(config, refusals), refusals) == []


def test_the_report_that_is_shown_can_be_read() -> None:
    (text,) = fenced(CONCEPTS, "json", "easiest_issue")
    assert isinstance(read(ISSUES_FOUND, text), ConfessionReport)


def test_the_drawing_is_the_real_one() -> None:
    (text,) = fenced(CONCEPTS, "text", "▶ Builder")
    assert text == graph.text(loader.load("code-review"), REFUSALS)


def test_the_table_of_presets_is_complete() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| .+ \| `(\S+)` \|$", CONCEPTS, re.MULTILINE)
    presets = {name: loader.load(name).done for name in loader.available()}
    assert {name: done for name, done in rows if name in presets} == presets
