"""Tests of Bazel (see `model`): the rules of a BUILD file whose names end in `_test`, and what `.bazelrc` says.

A test with the tag `manual` is run by nobody who asks for all, as is one that fits no platform; one that is `flaky` is
run until it passes. A filter for every run leaves tests out; one of a configuration with a name is for a person.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.registered.model import (
    EXCLUDED,
    NOT_RUN,
    PARTLY,
    RETRIES,
    Entry,
    Found,
    closing,
)
from ralph.system.patterns import later

FILES = later(r"(?:^|/)BUILD(?:\.bazel)?$")
SETTINGS = later(r"(?:^|/)(?:\.bazelrc|[\w.-]+\.bazelrc)$")
COMMENT = later(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*")
RULE = later(r"(?m)^(?P<rule>\w*(?:_|^)tests?)\(")
ATTRIBUTE = later(r"(?m)(?:^|,)\s*(?P<name>\w+)\s*=\s*(?=(?P<value>[^\n]*))")
TEXT = later(r"[\"']([^\"'\n]+)[\"']")
LEFT_OUT = later(r"exclude\s*=\s*(?P<items>\[[^\]]*\])")
FILTERED = later(r"--gtest_filter=|GTEST_FILTER|(?:^|[\s\"'])-k[\s=]|--test-?filter|TESTBRIDGE_TEST_ONLY")
OPTION = later(
    r"(?m)^[ \t]*(?P<verb>test|build|common|coverage)(?P<config>:\S+)?[ \t]+.*?(?P<option>"
    r"--(?:test_tag_filters|test_filter|test_lang_filters|test_size_filters|test_timeout_filters|deleted_packages|flaky_test_attempts|build_tag_filters"
    r"|test_arg=-+gtest_filter|test_env=GTEST_FILTER|test_env=TESTBRIDGE\w*))(?:[ =](?P<value>\S+))?"
)


def entries(path: str, text: str) -> Iterator[Entry]:
    text = COMMENT.sub(lambda found: " " * len(found[0]) if found[0][0] == "#" else found[0], text)
    folder = posixpath.dirname(path)
    for match in RULE.finditer(text):
        inner = text[match.end() : closing(text, match.end() - 1) - 1]
        values = dict(_attributes(inner))
        name = TEXT.match(values.get("name", ""))
        if name is None:
            continue
        left_out = {item for found in LEFT_OUT.finditer(inner) for item in TEXT.findall(found["items"])}
        files = [each for each in TEXT.findall(LEFT_OUT.sub("", values.get("srcs", ""))) if ":" not in each]
        yield Entry(
            name=f"{folder}:{name[1]}",
            path=path,
            line=text.count("\n", 0, match.start()) + 1,
            needs=frozenset(posixpath.normpath(posixpath.join(folder, each)) for each in files),
            traits={**dict(_traits(values)), **{f"without {item}": EXCLUDED for item in left_out}},
        )


def _attributes(inner: str) -> Iterator[tuple[str, str]]:
    """The attributes of a rule, without those of calls in them."""
    place = 0
    while match := ATTRIBUTE.search(inner, place):
        start = match.start("value")
        comma = _end(inner, start)
        yield match["name"], inner[start:comma].strip()
        place = max(comma, match.end())


def _end(inner: str, start: int) -> int:
    place = start
    while place < len(inner) and inner[place] != ",":
        place = closing(inner, place) if inner[place] in "([{" else place + 1
    return place


def _traits(values: dict[str, str]) -> Iterator[tuple[str, str]]:
    tags = values.get("tags", "")
    if "manual" in TEXT.findall(tags):
        yield "manual", PARTLY if "select(" in tags else NOT_RUN
    if values.get("flaky") == "True":
        yield "flaky", RETRIES
    fits = values.get("target_compatible_with", "")
    if "incompatible" in fits:
        yield "incompatible", PARTLY if "select(" in fits else NOT_RUN
    for name in ("args", "env"):
        if FILTERED.search(values.get(name, "")):
            yield name, "cfg.test.filtered"


def options(path: str, text: str) -> Iterator[Found]:
    for match in OPTION.finditer(text):
        value = match["value"] or ""
        if match["option"] == "--flaky_test_attempts" and value in ("1", "default", ""):
            continue
        rule = RETRIES if "flaky" in match["option"] else EXCLUDED
        detail = f"{match['verb']}{match['config'] or ''} {match['option']} {value}".strip()
        line = text.count("\n", 0, match.start("option")) + 1
        yield Found(rule=PARTLY if match["config"] else rule, path=path, line=line, detail=detail)
