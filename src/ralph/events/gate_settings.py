"""The `gates` section of `ralph.yml`: further gated topics, further checks, raised floors (design decision 15).

    gates:
      build.done:
        checks:
          complexity: {at_most: 8}
          specs: {required: true}
          docs: {kind: percent, at_least: 90}
      feature.done:
        refusal: feature.blocked
        checks:
          tests: {}

What is configured can only ask for more than the built-in gates: a floor that is lowered, a required check that becomes
optional, and another kind or refusal topic for what is built in are errors. A topic that agents may not publish, or
that only reports that something is not done, has nothing to prove: gating it is an error too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal

from ralph.errors import ConfigError
from ralph.events.gates import BUILTIN
from ralph.events.model import Check, Gate
from ralph.events.topics import is_negative, is_reserved, is_topic
from ralph.record import field, record, replace
from ralph.system.records import parse

_NAME = re.compile(r"[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")


@record(kw_only=True)
class CheckEntry:
    """A check as the file has it. None is a key that is not there."""

    kind: Literal["pass", "performance", "percent", "number", "mutants"] | None = None
    """What kind of evidence it is; `pass` by default for a check of your own."""
    required: bool | None = None
    """Whether it must be there."""
    at_least: float | None = None
    """The least value of a percentage or number."""
    at_most: float | None = None
    """The greatest value of a percentage or number."""


@record(kw_only=True)
class GateEntry:
    refusal: str | None = None
    """The topic that is published instead when evidence is refused."""
    checks: Mapping[str, CheckEntry] = field(default_factory=dict)
    """The checks by name."""


@record(kw_only=True)
class _Entries:
    gates: Mapping[str, GateEntry]


def configured(document: Mapping[str, object], source: str = "ralph.yml") -> Mapping[str, Gate]:
    """The built-in gates with what the `gates` section asks for beyond them. Raises ConfigError."""
    entries = parse(_Entries, {"gates": document}, source).gates
    gates = dict(BUILTIN)
    for topic, entry in entries.items():
        where = f"{source}: 'gates.{topic}'"
        before = gates.get(topic) or _new(topic, entry, where)
        if entry.refusal not in (None, before.refusal):
            raise ConfigError(f"{where}: {topic} is always refused as {before.refusal}; remove 'refusal'.")
        gates[topic] = replace(before, checks=tuple(_checks(before, entry.checks, where)))
        if not any(check.required for check in gates[topic].checks):
            raise ConfigError(f"{where} has no check that is required, so it would guard nothing; require one.")
    for topic in entries:
        if gates[topic].refusal in gates:
            raise ConfigError(f"{source}: 'gates.{topic}.refusal' is gated itself; name a topic without a gate.")
    return MappingProxyType(gates)


def _new(topic: str, entry: GateEntry, where: str) -> Gate:
    refusal = f"{topic.rpartition('.')[0] or topic}.blocked" if entry.refusal is None else entry.refusal
    for name, place in ((topic, where), (refusal, f"{where[:-1]}.refusal'")):
        if not is_topic(name):
            raise ConfigError(f"{place}: {name!r} is no topic; write segments parted by points, as in `feature.done`.")
        if is_reserved(name):
            raise ConfigError(f"{place}: {name} is reserved: only Ralph or a person publishes it; take another topic.")
    if is_negative(topic):
        raise ConfigError(f"{where}: {topic} only says that something is not done, which needs no proof; remove it.")
    return Gate(topic=topic, refusal=refusal, checks=())


def _checks(before: Gate, entries: Mapping[str, CheckEntry], where: str) -> Iterator[Check]:
    known = {check.name: check for check in before.checks}
    aliases = {alias: check.name for check in before.checks for alias in check.aliases}
    for name, entry in entries.items():
        place = f"{where[:-1]}.checks.{name}'"
        if name in aliases:
            raise ConfigError(f"{place} is another name of {aliases[name]!r}; configure that one.")
        if not _NAME.fullmatch(name):
            raise ConfigError(f"{place}: a check's name is lower-case words joined by `_`, `-` or a point; rename it.")
        known[name] = _raised(known[name], entry, place) if name in known else _check(name, entry, place)
    yield from known.values()


def _check(name: str, entry: CheckEntry, place: str) -> Check:
    kind = entry.kind or "pass"
    required = kind != "mutants" if entry.required is None else entry.required
    check = Check(name=name, kind=kind, required=required, at_least=entry.at_least, at_most=entry.at_most)
    return _sensible(check, place)


def _raised(before: Check, entry: CheckEntry, place: str) -> Check:
    if entry.kind not in (None, before.kind):
        raise ConfigError(f"{place}: the kind of this check is {before.kind!r} and cannot be changed; remove 'kind'.")
    if before.required and entry.required is False:
        raise ConfigError(f"{place}: this check is required by Ralph and cannot be made optional; remove 'required'.")
    if None not in (before.at_least, entry.at_least) and _bound(entry.at_least) < _bound(before.at_least):
        raise ConfigError(f"{place}: 'at_least' is {entry.at_least:g}, but the floor is {before.at_least:g}; raise it.")
    if None not in (before.at_most, entry.at_most) and _bound(entry.at_most) > _bound(before.at_most):
        raise ConfigError(f"{place}: 'at_most' is {entry.at_most:g}, but the limit is {before.at_most:g}; lower it.")
    check = replace(
        before,
        required=before.required if entry.required is None else entry.required,
        at_least=before.at_least if entry.at_least is None else entry.at_least,
        at_most=before.at_most if entry.at_most is None else entry.at_most,
    )
    return _sensible(check, place)


def _sensible(check: Check, place: str) -> Check:
    """The check, unless it could never hold, or never fail."""
    limits = [bound for bound in (check.at_least, check.at_most) if bound is not None]
    highest = 100.0 if check.kind == "percent" else math.inf
    if limits and check.kind not in ("percent", "number"):
        raise ConfigError(f"{place}: only the kinds 'percent' and 'number' have limits; remove them, or set the kind.")
    if any(not 0 <= bound <= highest for bound in limits):
        span = "from 0 to 100" if check.kind == "percent" else "that is not negative"
        raise ConfigError(f"{place}: a limit of the kind {check.kind!r} is a number {span}; correct it.")
    if len(limits) == 2 and limits[0] > limits[1]:
        raise ConfigError(f"{place}: 'at_least' is above 'at_most', so that no value would do; correct one.")
    if check.kind == "mutants" and check.required:
        raise ConfigError(f"{place}: a check of the kind 'mutants' only warns and cannot be required; take 'percent'.")
    return check


def _bound(value: float | None) -> float:
    return math.nan if value is None else value
