"""A chain as text of the gate language: `parse(unparse(chain)) == chain` for every chain that parses."""

from __future__ import annotations

import re

from ralph.gates.forms import PLAIN, PRESETS, Gate
from ralph.gates.model import Chain, CriteriaGate, Step


def unparse(chain: Chain) -> str:
    """The chain in one canonical form: arguments before text, everything that can be quoted in quotes."""
    return " --> ".join(_step(step) for step in chain.steps)


def unparse_gate(gate: Gate) -> str:
    """What stands behind `::`."""
    if isinstance(gate, CriteriaGate):
        return f"{gate.name}:{_readable(gate.text)}" if gate.name else _readable(gate.text)
    attempts, timeout_s = PRESETS[gate.preset] if gate.preset else PLAIN
    parts = [f"verify:{_readable(gate.command)}"]
    if gate.preset:
        parts.append(f":{gate.preset}")
    if gate.attempts != attempts:
        parts.append(f"max:{gate.attempts}")
    if gate.timeout_s != timeout_s:
        parts.append(f"timeout:{gate.timeout_s:.0f}")
    if gate.cwd is not None:
        parts.append(f"cwd:{quote(gate.cwd)}")
    return " ".join(parts)


def quote(text: str, mark: str = '"') -> str:
    """The text in quotes."""
    return mark + re.sub(rf"([\\{mark}])", r"\\\1", text) + mark


def _readable(text: str) -> str:
    """In the kind of quotes that needs fewer escapes. Only behind `::`, where no quote can be an apostrophe."""
    return quote(text, "'" if '"' in text and "'" not in text else '"')


def _step(step: Step) -> str:
    words = [f">>{step.prompt}", *(f"{key}:{quote(value)}" for key, value in step.arguments)]
    if step.text:
        words.append(quote(step.text))
    return " ".join([*words, *(f":: {unparse_gate(gate)}" for gate in step.gates)])
