"""Tests whose values a library makes up (Hypothesis), and whether it may try more than one (the rules are `facts`')."""

from __future__ import annotations

import ast

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.python.claims import constant_value, name_of, source_of
from ralph.guardrails.python.failures.reach import Reach
from ralph.guardrails.python.lending.scope import FunctionDef
from ralph.system.patterns import later

GIVEN = later(r"(?:^|\.)given$")
SETTINGS = later(r"(?:^|\.)settings$")
SINGLE = later(r"(?:^|\.)(?:just|none|nothing)$")
SAMPLED = later(r"(?:^|\.)(?:sampled_from|one_of)$")
CONSTANT = later(r"\.map\(lambda \w+: (?:-?[\d.]+|'[^']*'|None|True|False)\)$")
NEVER = later(r"\.filter\(lambda [^:]*: (?:False|None|0)\)|(?:^|\.)nothing\(\)")
FEW = 5
"""With so few examples next to nothing is tried."""


def is_generated(function: FunctionDef) -> bool:
    return any(isinstance(each, ast.Call) and GIVEN.search(name_of(each)) for each in function.decorator_list)


def generated(function: FunctionDef, reach: Reach) -> Reach:
    """What is left of its assertions if the library has nothing to choose from."""
    for mark in function.decorator_list:
        if not isinstance(mark, ast.Call):
            continue
        given = [*mark.args, *(each.value for each in mark.keywords)]
        if GIVEN.search(name_of(mark)) and given:
            if any(NEVER.search(source_of(each)) for each in given):
                return reach.lowered(Grade.NOTHING, "no value is ever tried")
            if all(map(is_single, given)):
                return reach.lowered(Grade.EXISTS, "one value alone is tried")
        if SETTINGS.search(name_of(mark)):
            for option in mark.keywords:
                value = constant_value(option.value)
                if option.arg == "max_examples" and value and isinstance(value[0], int) and value[0] <= FEW:
                    return reach.lowered(Grade.EXISTS, "hardly any value is tried")
                if option.arg == "phases" and source_of(option.value) in ("[]", "()"):
                    return reach.lowered(Grade.NOTHING, "no value is ever tried")
                if option.arg == "phases" and _makes_none_up(option.value):
                    return reach.lowered(Grade.EXISTS, "no value is made up")
    return reach


def _makes_none_up(phases: ast.expr) -> bool:
    """Those that are listed use only what is written down or was kept."""
    listed = isinstance(phases, ast.List | ast.Tuple | ast.Set)
    return listed and "generate" not in source_of(phases)


def is_single(strategy: ast.expr) -> bool:
    match strategy:
        case ast.Call(args=[ast.List(elts=values) | ast.Tuple(elts=values)]) if SAMPLED.search(name_of(strategy)):
            return len(values) == 1
        case ast.Call():
            return SINGLE.search(name_of(strategy)) is not None or CONSTANT.search(source_of(strategy)) is not None
    return False


def is_few(strategy: ast.expr) -> bool:
    """One value, or hardly more, that are written down."""
    match strategy:
        case ast.Call(args=[ast.List(elts=values) | ast.Tuple(elts=values)]) if SAMPLED.search(name_of(strategy)):
            return len(values) <= FEW
    return is_single(strategy)
