"""Expressions that are compiled late are as good as those that are compiled at once."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re

import pytest

from ralph import guardrails
from ralph.system.patterns import Later, later


def test_every_expression_of_the_guardrails_compiles() -> None:
    for module in pkgutil.walk_packages(guardrails.__path__, f"{guardrails.__name__}."):
        importlib.import_module(module.name)
    found = [each for each in gc.get_objects() if type(each) is Later]
    assert len(found) > 500
    for each in found:
        re.compile(each.pattern, each._flags)


def test_it_answers_as_the_compiled_one() -> None:
    late, compiled = later(r"(?P<word>\w+)!", re.IGNORECASE), re.compile(r"(?P<word>\w+)!", re.IGNORECASE)
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(late, name) == getattr(compiled, name)
    for text in ("", "a!", "one! two!", "none"):
        for _ in range(2):
            assert late.findall(text) == compiled.findall(text)
            assert late.sub("x", text) == compiled.sub("x", text)
            assert (late.search(text) is None) == (compiled.search(text) is None)


def test_nothing_is_compiled_before_it_is_asked() -> None:
    wrong = later(b"(")
    assert wrong.pattern == b"("
    with pytest.raises(re.error):
        wrong.search(b"(")
