"""Values that an axis of a matrix no longer has: old versions, the newest, most of them, a system (class G09)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.readers.same_axis import asks_for, system
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NAMED = later(r"^(?P<language>py|pypy|python|cpython|graalpy|node|php|jdk|ruby|jruby|go)\d+(?:\.\d+)*(?=-|$)")
"""What a value is that names a language with its version, and something else behind it: `py312-psutil`."""
OF_TOX = later(r"(?:py|pypy|graalpy)(?P<major>\d)(?P<minor>\d+)(?=-|$)")
"""As tox writes versions of Python."""
IN_A_NAME = later(r"[-_.]?v?\d+(?:[-_.]\d+)*(?=\.[a-z]\w*$)")
"""The version in the name of a file: `gemfiles/rails_7_1.gemfile`."""


def axis_hits(path: str, after: Node, job: str, key: str, was: Node, now: Node, least: Sequence[int]) -> Iterator[Hit]:
    """Dropping old versions, or one for another, is maintenance; dropping the newest, most, or a system is not.

    `least`: the first version that the project works with.
    """
    old, new = [canonical(item) for item in was.items], [canonical(item) for item in now.items]
    lost, added = [value for value in old if value not in new], [value for value in new if value not in old]
    if not lost or any("${{" in value for value in new):
        return
    families = {_family(value) for value in lost} - {_family(value) for value in new}
    newest = any(_version(value) > max(map(_version, _kin(value, new)), default=[]) for value in lost)
    wanted = [value for value in lost if not least or _is_in_use(value, least)]
    most = len(wanted) * 2 >= len(old) - len(lost) + len(wanted) + 1
    if not new and len(wanted) < 2 <= len(lost):
        # Of all its values the project works with one, which needs no axis.
        newest = most = False
        families = set()
    if re.search(r"os|runner|platform", key):
        if not asks_for(after, lost):
            families = {system(value) or _family(value) for value in lost} - {system(v) or _family(v) for v in new}
        narrowed = bool(families)  # one more of another system is none of this one
    else:
        narrowed = (newest or most) and not added
    rule = "ci.matrix-narrowed" if narrowed else "ci.matrix-changed"
    yield hit_at(
        rule, path, (now if now.line else was).line, f"{job} no longer runs with {key} {cut(', '.join(lost), 80)}"
    )


def _is_in_use(value: str, least: Sequence[int]) -> bool:
    """The project works with this version; `7` is the newest of those that begin so."""
    parts = _version(value)
    return bool(parts) and parts >= list(least)[: len(parts)]


def _family(text: str) -> str:
    """`ubuntu` of `ubuntu-24.04`, `pypy` of `pypy-3.10`, `t` of `3.14t`, `-dev` of `3.15-dev`, `py-psutil` of
    `py312-psutil`, `rails.gemfile` of `rails_7_1.gemfile`."""
    plain = IN_A_NAME.sub("", NAMED.sub(r"\g<language>", text.lower()))
    return re.sub(r"^\d+(?:\.\d+)*(?=-?[a-z])|[\d.x+-]*$|-latest.*|-\d.*", "", plain)


def _kin(text: str, others: Sequence[str]) -> list[str]:
    return [other for other in others if _family(other) == _family(text)]


def _version(text: str) -> list[int]:
    named = OF_TOX.match(text.lower())
    parts = [int(named["major"]), int(named["minor"])] if named is not None else []
    return parts + [int(part) for part in re.findall(r"\d+", text[named.end() :] if named is not None else text)]
