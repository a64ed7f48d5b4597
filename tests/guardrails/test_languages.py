"""A file's language is what tools take it for."""

from __future__ import annotations

import pytest

from ralph.guardrails.languages import SUFFIXES, language_of
from ralph.guardrails.registry import LANGUAGE_FAMILY


@pytest.mark.parametrize(
    ("path", "first_line", "language"),
    [
        ("a.py", None, "python"),
        ("src/A.PYI", None, "python"),
        ("a.test.tsx", None, "tsx"),
        ("a.d.ts", None, "typescript"),
        ("App.vue", None, "vue"),
        ("build.gradle.kts", None, "kotlin"),
        ("Gemfile", None, "ruby"),
        ("lib/tasks/Rakefile", None, "ruby"),
        ("config.ru", None, "ruby"),
        ("a.hpp", None, "cpp"),
        ("run", b"#!/bin/sh -e", "shell"),
        ("run", b"#! /usr/bin/env bash", "shell"),
        ("run", b"#!/usr/bin/env -S FOO=1 python3.11 -u", "python"),
        ("run", b"#!/usr/bin/env node", "javascript"),
        ("run", b"#!/usr/bin/ruby2.7", "ruby"),
        ("run", b"#!/usr/bin/awk -f", None),
        ("run", b"#!", None),
        ("run", b"echo hello", None),
        (".husky/pre-commit", b"npm test", "shell"),
        ("README.md", b"#!/bin/sh", None),
        ("notes.txt", None, None),
        ("data.json", None, None),
        ("LICENSE", None, None),
        (".py", None, None),
        ("dir.py/file", None, None),
    ],
)
def test_language(path: str, first_line: bytes | None, language: str | None) -> None:
    assert language_of(path, first_line) == language


def test_every_language_has_detectors() -> None:
    assert set(SUFFIXES) == set(LANGUAGE_FAMILY)
