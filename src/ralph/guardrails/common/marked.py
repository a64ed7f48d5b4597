"""Comments that silence a check in files that no grammar here reads: styles, images, infrastructure, YAML, SQL (G01).

Rules:

- a directive counts at the beginning of a comment and in the form its tool honours: not in a string, in the text of a
  YAML block or of a here document, or behind an instruction of a Dockerfile, where no comment can stand;
- looks of YAML (line length, indentation and the like) are style; everything else that yamllint says blocks;
- hits of both sides are compared as those of any language: what only moved, or shrank, is nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from ralph.guardrails import directives
from ralph.guardrails.compare import new_hits
from ralph.guardrails.config.node import names
from ralph.guardrails.directives import Directive, directive
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Comment, Source
from ralph.record import replace
from ralph.system.patterns import later

KINDS = {
    "docker": ".dockerfile .containerfile",
    "yaml": ".yml .yaml",
    "hcl": ".tf .tfvars .hcl .tofu",
    "css": ".css .pcss .postcss .vue .svelte .astro .html",
    "scss": ".scss .sass .less .styl",
    "sql": ".sql",
    "proto": ".proto",
}
KIND_OF = {suffix: kind for kind, listed in KINDS.items() for suffix in listed.split()}
IMAGE = later(r"(?:docker|container)file(?:[.-][\w.-]+)?")
QUOTED = r"\"(?:\\.|[^\"\\\n]){0,500}\"|'[^'\n]{0,500}'"
"""A longer text is none: nothing may take for ever to read."""
FORMS = {
    "docker": later(r"(?m)^[ \t]{0,200}(?P<comment>#[^\n]*)"),
    "yaml": later(rf"(?m)(?<![\w.])(?:{QUOTED})|(?:^|(?<=[ \t]))(?P<comment>#[^\n]*)"),
    "hcl": later(r"(?s)\"(?:\\.|[^\"\\\n]){0,500}\"|(?P<comment>#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z))"),
    "css": later(rf"(?s){QUOTED}|(?P<comment>/\*.*?(?:\*/|\Z))"),
    "scss": later(rf"(?s){QUOTED}|(?P<comment>/\*.*?(?:\*/|\Z)|(?<![:\w])//[^\n]*)"),
    "sql": later(r"(?s)'[^']{0,500}'|(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))"),
    "proto": later(rf"(?s){QUOTED}|(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"),
}
YAML_BLOCK = later(r"(?:^|[\s:-])[|>][-+0-9]{0,2}$")
HEREDOC = later(r"<<[-~]?(\w+)$")
BEGIN = r"\A(?:[#;/*]|--|[ \t])*"
LIST = r"(?P<codes>\w[\w.:/-]*(?:[ ]*,[ ]*\w[\w.:/-]*)*)"
RULE, LINE = "comment.scanner", "js.stylelint-disable-line"


def _scanner(name: str, form: str) -> Directive:
    return directive(RULE, name, BEGIN + form)


INFRASTRUCTURE = (
    _scanner("checkov:skip", r"(?:checkov|bridgecrew):skip=(?P<codes>\w+)"),
    _scanner("trivy:ignore", r"(?:trivy|tfsec):ignore:(?P<codes>[\w*.-]+)"),
    _scanner("terrascan skip", r"ts:skip=[ ]*(?P<codes>[\w.-]+)"),
    _scanner("kics-scan", r"kics-scan[ ]+(?:ignore(?:-line|-block)?\b|disable=(?P<codes>[\w,-]+))"),
)
CSS = (
    directive(
        "js.stylelint-disable",
        "stylelint-disable",
        BEGIN + rf"stylelint-disable(?!-)\b[ \t]*{LIST}?",
        end=BEGIN + rf"stylelint-enable\b[ \t]*{LIST}?",
    ),
    directive(LINE, "stylelint-disable-line", BEGIN + rf"stylelint-disable-(?:next-)?line\b[ \t]*{LIST}?"),
    directive(
        "js.stylelint-disable", "scss-lint disable", BEGIN + r"(?:s[ca]ss-lint:disable|csslint (?:ignore|allow))\b"
    ),
)
TABLES: dict[str, tuple[Directive, ...]] = {
    "docker": (
        *INFRASTRUCTURE,
        _scanner("hadolint ignore", r"hadolint(?:[ ]+global)?[ ]+ignore=(?P<codes>[\w,]+(?:,[ ]*\w+)*)"),
        _scanner("check=skip", r"check=[^\n]*?\bskip=(?P<codes>[\w,]+)"),
    ),
    "yaml": (
        *INFRASTRUCTURE,
        directive(
            RULE,
            "yamllint disable",
            BEGIN + r"yamllint[ ]+disable(?!-)\b(?P<codes>(?:[ ]+rule:[\w-]+)*)",
            end=BEGIN + r"yamllint[ ]+enable\b(?P<codes>(?:[ ]+rule:[\w-]+)*)",
        ),
        _scanner("yamllint disable-line", r"yamllint[ ]+disable-(?:line|file)\b(?P<codes>(?:[ ]+rule:[\w-]+)*)"),
        _scanner("zizmor: ignore", r"zizmor:[ ]*ignore\[(?P<codes>[\w, -]+)\]"),
        _scanner("noqa", r"noqa\b(?:[: ]+(?P<codes>[a-z][\w-]*(?:\[[\w-]+\])?))?"),
    ),
    "hcl": (*INFRASTRUCTURE, _scanner("tflint-ignore", rf"tflint-ignore(?:-file)?:[ ]*{LIST}")),
    "css": CSS,
    "scss": CSS,
    "sql": (
        _scanner("sqlfluff noqa", r"noqa\b(?:[ ]*:[ ]*(?:disable[ ]*=[ ]*)?(?P<codes>[\w,]+))?"),
        _scanner("squawk-ignore", rf"squawk-ignore(?:-file)?\b[ ]*{LIST}?"),
    ),
    "proto": (
        _scanner("buf:lint:ignore", r"buf:lint:ignore[ ]+(?P<codes>\w+)"),
        _scanner("protolint:disable", r"protolint:disable(?::next|:this)?\b[ ]*(?P<codes>[A-Z_]+)?"),
    ),
}
SHARED_ROWS = tuple(row for row in directives.COMMON if row.name in ("nosemgrep", "allow secret", "NOSONAR"))
WORDS = prefilter(
    (
        r"stylelint-|s[ca]ss-lint:|csslint",
        r"hadolint|\bcheck=",
        r"(?:checkov|bridgecrew|\bts):skip|(?:trivy|tfsec):ignore|kics-scan|tflint-ignore",
        r"yamllint|zizmor|\bnoqa\b|squawk-ignore|buf:lint|protolint",
        r"nosem|nosonar|gitleaks:allow|allowlist",
    )
)
LOOKS = frozenset(
    f"rule:{name}"
    for name in names(
        "line-length comments comments-indentation indentation trailing-spaces new-lines empty-lines document-start "
        "document-end colons commas braces brackets hyphens quoted-strings new-line-at-end-of-file"
    )
)


class Marked(Source):
    """A file of which only the comments are read."""

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        text = "\n".join(_without_texts(self.language, self.data.decode("latin-1").split("\n")))
        found = (match for match in FORMS[self.language].finditer(text) if match["comment"])
        return tuple(self._written(match, text) for match in found)

    @cached_property
    def unreadable(self) -> frozenset[int]:
        return frozenset()

    def _written(self, match: re.Match[str], text: str) -> Comment:
        start = match.start("comment")
        begin = text.rfind("\n", 0, start) + 1
        line = text.count("\n", 0, start) + 1
        written = match["comment"].encode("latin-1").decode("utf-8", "replace")
        return Comment(
            text=written,
            line=line,
            column=start - begin + 1,
            end_line=line + written.count("\n"),
            start_byte=start,
            alone=not text[begin:start].strip(),
        )


def _without_texts(kind: str, lines: list[str]) -> Iterator[str]:
    """The lines, those of YAML's blocks and of here documents as blanks."""
    end: str | int | None = None
    for line in lines:
        said = line.strip()
        if end is not None:
            over = said == end if isinstance(end, str) else bool(said) and _indent(line) <= end
            if not over or isinstance(end, str):
                end = None if over else end
                yield " " * len(line)
                continue
        begins = HEREDOC.search(said) if kind == "hcl" else YAML_BLOCK.search(said) if kind == "yaml" else None
        end = None if not begins else begins[1] if kind == "hcl" else _indent(line)
        yield line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def kind_of(path: str) -> str | None:
    name = path.rpartition("/")[2].lower()
    return "docker" if IMAGE.fullmatch(name) else KIND_OF.get(name[name.rfind(".") :]) if "." in name else None


def silenced(change: Change) -> Iterable[Hit]:
    """The comments that one side of the change has and the other does not answer for."""
    asked = [(file, kind) for file in change.files if (kind := kind_of(file.path)) and _says_something(file)]
    if not asked:
        return ()
    before, after = (
        [hit for file, kind in asked for hit in _hits(file.path, kind, read(file.path))]
        for read in (change.blobs.before, change.blobs.after)
    )
    return new_hits(before, after, change.files)


def _says_something(file: FileChange) -> bool:
    lines = [line for hunk in file.hunks for line in (*hunk.removed, *hunk.added)]
    return bool(lines) and WORDS.matches(b"\n".join(lines))


def _hits(path: str, kind: str, data: bytes | None) -> Iterator[Hit]:
    if not data:
        return
    source = Marked(path, kind, data)
    for hit in directives.suppressions(source, (*TABLES[kind], *SHARED_ROWS), ()):
        looks = hit.key.startswith("yamllint") and hit.scope and hit.scope <= LOOKS
        yield replace(hit, rule="comment.format") if looks else hit


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (silenced,)
