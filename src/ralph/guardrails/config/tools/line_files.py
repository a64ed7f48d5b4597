"""Files of lines that tools read: `key=value`, sections of patterns, or patterns alone: Flow, ShellCheck, cpplint, and
what Prettier, stylelint and others do not look at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.lattice import Worse, no_less, no_more, no_more_paths, ranked
from ralph.guardrails.config.node import Key, Node, canonical
from ralph.guardrails.config.rows import MINOR_EXCLUSION, Row, limit
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool, Unit, files_named

IGNORED, SHELLCHECK = "cfg.check.failures-ignored", "cfg.shellcheck.exclude"


def _lines(side: Side, name: str) -> Mapping[str, Unit]:
    """Files of `key=value`, in which a key may stand several times, below a section or not."""
    found: dict[str, Unit] = {}
    for path in files_named(side, name):
        lists: dict[Key, list[Node]] = {}
        section = ""
        for number, line in enumerate((side.text(path) or "").split("\n"), 1):
            text = line.strip()
            if (header := re.fullmatch(r"\[(\w+)\]", text)) is not None:
                section = header[1]
                continue
            if not text or text.startswith("#"):
                continue
            key, equals, value = text.partition("=")
            place = (*((section,) if section else ()), *((key.strip(),) if equals else ()))
            items = re.split(r"[,\s]+", value.strip()) if equals else [text]
            lists.setdefault(place, []).extend(Node(item, path, number, 1) for item in items if item)
        settings = {key: nodes[0].with_value(nodes) for key, nodes in lists.items() if key and nodes}
        found[path] = Unit(settings, (path,))
    return found


def _of_lines(name: str, file: str, *rows: Row) -> Tool:
    return Tool(
        name=name,
        places=(Place(file),),
        rows=rows,
        suffixes=(),
        units=lambda side: _lines(side, file),
        units_are_files=True,
        adds_only=True,
    )


def _no_filter_more(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """cpplint's categories: `-build/include` leaves one out."""
    old = {canonical(item) for item in before.items} if before is not None else set()
    for item in after.items if after is not None else ():
        if canonical(item).startswith("-") and canonical(item) not in old:
            yield Worse(node=item, text=f"gains {canonical(item)}")


def _patterns(name: str, rule: str) -> Tool:
    """A list of what a tool does not look at."""

    def units(side: Side) -> Mapping[str, Unit]:
        found: dict[str, Unit] = {}
        for path in files_named(side, name):
            node = side.node(path)
            found[path] = Unit({("left out",): node} if node is not None else {}, (path,))
        return found

    return Tool(
        name=name,
        places=(Place(name),),
        rows=(Row("left out", no_more_paths(unknown_is_minor=True), rule),),
        suffixes=(),
        units=units,
        units_are_files=True,
        adds_only=True,
    )


LINE_FILES: tuple[Tool, ...] = (
    _of_lines(
        "flow",
        ".flowconfig",
        *(Row(name, no_more_paths(unknown_is_minor=True), IGNORED) for name in ("ignore", "declarations", "untyped")),
        Row("lints.*", ranked("off=false warn error=true", "off"), IGNORED),
        Row("strict", no_less(), IGNORED),
        # Without it a file is looked at only if it says `@flow` itself.
        Row("options.all", ranked("false true", "false"), "check.narrowed"),
    ),
    _of_lines(
        "shellcheck's file",
        ".shellcheckrc",
        Row("disable", no_more(usual="SC109[01]"), SHELLCHECK, MINOR_EXCLUSION),
        Row("enable", no_less(all_word="all"), SHELLCHECK),
        Row("severity", ranked("error warning info style", "style"), SHELLCHECK),
    ),
    _of_lines(
        "cpplint",
        "CPPLINT.cfg",
        Row("filter", _no_filter_more, IGNORED),
        Row("exclude_files", no_more_paths(unknown_is_minor=True), IGNORED),
        limit("linelength", 80),
    ),
    _patterns(".prettierignore", MINOR_EXCLUSION),
    *(_patterns(name, IGNORED) for name in (".stylelintignore", ".jshintignore", ".markdownlintignore")),
)
