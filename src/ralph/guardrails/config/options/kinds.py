"""Which kinds of files a checker looks at, where its command says so: `eslint --ext .js,.ts`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Check, Worse, words
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.options.model import Option


def no_fewer_kinds() -> Check:
    """A list of endings that must not lose one. Unsaid, another place decides. One of which the tree has no file is no
    loss where it has files of the others."""

    def check(before: Node | None, after: Node | None, paths: Sequence[str]) -> Iterator[Worse]:
        if before is None or after is None:
            return
        old, new = _endings(before), _endings(after)
        there = {ending for ending in old if any(path.endswith(ending) for path in paths)}
        for ending in old:
            if ending not in new and (ending in there or not there):
                yield Worse(node=after, text=f"loses {ending}")

    return check


def _endings(node: Node) -> list[str]:
    return [f".{str(each.value).lstrip('*.')}" for each in words(node)]


def _kinds(option: str, rule: str) -> tuple[Option, ...]:
    return (Option(option, no_fewer_kinds(), rule),)


NARROWED = "check.narrowed"
KINDS: dict[str, Sequence[Option]] = {
    "eslint": _kinds("--ext", "cfg.eslint.ignores"),
    **dict.fromkeys(("nyc", "c8"), _kinds("--extension -e", "cfg.coverage.exclude")),
    **dict.fromkeys(("mocha", "xo"), _kinds("--extension", NARROWED)),
    **dict.fromkeys(("phpcs", "cpplint", "lychee"), _kinds("--extensions", NARROWED)),
    **dict.fromkeys(("remark", "textlint", "standard", "ember-template-lint"), _kinds("--ext", NARROWED)),
    "jscpd": _kinds("--format -f", NARROWED),
}
"""By program."""
