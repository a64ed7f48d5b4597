"""Suppressions of whole files that became suppressions of single places.

Rules (policy set v2, class G01; design decision 4):

- A suppression that reached over a whole file, and is gone, answers for all narrower ones of its tool in that file, for
  the same codes or fewer: less is silenced than before, wherever it stands now.
- An option of mypy for a file answers for the codes of the errors that it keeps from being told.
- One that could be ended (`eslint-disable`, a pragma) reached over the file only if nothing ended it.
- One that belongs to an item reached over what stands below it only if the item is the file's outermost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ralph.guardrails.model import Hit
from ralph.system.patterns import later

FILES = {
    "js.biome-ignore-file": {"js.biome-ignore"},
    "js.deno-lint-ignore-file": {"js.deno-lint-ignore"},
    "js.ts-nocheck": {"js.ts-expect-error", "js.ts-ignore"},
    "jvm.suppress-file": {"jvm.suppress"},
    "py.checker-file": {"py.checker"},
    "py.mypy-file": {"py.type-ignore"},
    "py.noqa-file": {"py.noqa", "py.noqa-range"},
    "py.pylint-file": {"py.pylint"},
    "py.pyright-file": {"py.checker", "py.type-ignore"},
    "py.type-ignore-file": {"py.checker", "py.type-ignore"},
}
"""By rules of whole files: the rules of places in them."""

RANGES = {
    "csharp.pragma-disable": {"csharp.pragma-disable", "csharp.suppress-message"},
    "js.eslint-disable": {"js.eslint-disable", "js.eslint-disable-line"},
    "js.oxlint-disable": {"js.oxlint-disable", "js.oxlint-disable-line"},
    "js.stylelint-disable": {"js.stylelint-disable", "js.stylelint-disable-line"},
    "js.tslint-disable": {"js.tslint-disable", "js.tslint-disable-line"},
    "ruby.rubocop-disable": {"ruby.rubocop-disable"},
}
"""By rules of what can be ended."""
UNENDED = frozenset({"comment.unclosed", "js.suppression-unclosed"})

OUTERMOST = {"rust.allow-crate": {"rust.allow", "rust.allow-crate"}, "jvm.suppress": {"jvm.suppress"}}
"""By rules of what belongs to an item, or to the module around it."""

MYPY_CODES = {
    "any-generics": {"type-arg"},
    "incomplete-defs": {"no-untyped-def"},
    "missing-imports": {"import-not-found", "import-untyped", "import"},
    "return-any": {"no-any-return"},
    "untyped-calls": {"no-untyped-call"},
    "untyped-decorators": {"untyped-decorator"},
    "untyped-defs": {"no-untyped-def"},
}
"""By what an option of mypy allows in a file: the codes of the errors that it keeps from being told."""
SWITCHED = later(r"^(?:dis)?allow-|^ignore-|^warn-")

MILDER = {
    "cfg.mypy.missing-imports": "py.type-ignore",
    "py.style": "py.noqa",
    **{line: lines for lines, each in RANGES.items() for line in each if line == f"{lines}-line"},
}
"""By rules that one of the same words falls under when it silences little, or a line alone: the other rule."""


def answered(hit: Hit, was_at: int, gone: Iterable[Hit], unended: Collection[tuple[str, int]]) -> bool:
    """`was_at` is the line of the base in whose place the hit stands; `unended` are path and line of what nothing ended
    in the base, and `gone` what is no longer there."""
    return any(
        old.path == hit.path and old.line <= was_at and _reaches(old, hit, unended) and of_as_many(hit, (old,))
        for old in gone
    )


def _reaches(old: Hit, hit: Hit, unended: Collection[tuple[str, int]]) -> bool:
    if hit.rule in OUTERMOST.get(old.rule, ()):
        return old.column == 1 and (hit.column > 1 or hit.rule != old.rule)
    return hit.rule in FILES.get(old.rule, ()) or (
        hit.rule in RANGES.get(old.rule, ()) and (old.path, old.line) in unended
    )


def of_as_many(hit: Hit, over: Sequence[Hit]) -> bool:
    """For the same codes or fewer than all of `over` together, which are of one file and rule."""
    if any(old.scope is None for old in over):
        return True
    held = frozenset().union(*(old.scope or () for old in over))
    if over[0].rule == "py.mypy-file" and hit.rule != "py.mypy-file":
        held |= {code for option in held for code in MYPY_CODES.get(SWITCHED.sub("", option), ())}
    return hit.scope is not None and bool(hit.scope) and hit.scope <= held
