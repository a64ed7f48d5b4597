"""Tools that make a release, whose own files say that its commit runs none of the repository's hooks (class G16).

Rules: an option for `git commit` by which no hook runs (`--no-verify`, `-n`) blocks where such a file gains it, and so
does a setting of the tool's own that says the same. Where the project has no hooks there are none to pass by. The
options of their commands are in `config.options.releasers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Check, Worse, flag
from ralph.guardrails.config.node import Key, Node, Settings, canonical
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

BYPASSED = "vcs.hooks-bypassed"
HOOKS = later(
    r"(?:^|/)(?:\.pre-commit-config\.ya?ml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.overcommit\.yml|captainhook\.json"
    r"|\.huskyrc[\w.]*|\.(?:husky|githooks)/[^/]+|\.?simple-git-hooks\.[cm]?js(?:on)?|prek\.toml)$"
)
NAMED = later(r"\"(?:husky|simple-git-hooks|pre-commit|yorkie|gitHooks)\"\s*:")
"""In a `package.json`."""
SKIPS = later(r"--no-v(?:e(?:r(?:i(?:fy?)?)?)?)?|-[aeiopqsvz]*n[aeiopqsvz]*m?")
"""`-n` is the short one, and may stand in a bundle."""


def with_hooks() -> Check:
    """Options of a commit, none of which must leave the hooks out."""

    def check(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
        if after is not None and _skips(after) and not _skips(before):
            yield Worse(node=after, text=f"is {cut(canonical(after), 120)}, so that no hook runs")

    return check


def _skips(node: Node | None) -> bool:
    words = [word for item in node.items for word in canonical(item).split()] if node is not None else []
    return any(SKIPS.fullmatch(word.strip("\"'")) for word in words)


def _hooked(side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """Nothing where there are no hooks."""
    hooked = any(HOOKS.search(path) for path in side.paths) or NAMED.search(side.text("package.json") or "") is not None
    return settings if hooked else {}


def _tool(name: str, places: Sequence[Place], *rows: Row) -> Tool:
    return Tool(name=name, places=places, rows=rows, suffixes=("",), refine=_hooked)


RELEASES: tuple[Tool, ...] = (
    _tool(
        "bumpversion",
        (
            Place(".bumpversion.toml", ("tool", "bumpversion")),
            Place(".bumpversion.cfg", ("bumpversion",)),
            Place("setup.cfg", ("bumpversion",)),
            Place("pyproject.toml", ("tool", "bumpversion")),
        ),
        Row("commit_args", with_hooks(), BYPASSED),
    ),
    _tool(
        "semantic-release",
        (Place("releaserc.toml", ("semantic_release",)), Place("pyproject.toml", ("tool", "semantic_release"))),
        Row("no_git_verify", flag(good=False), BYPASSED),
    ),
    _tool(
        "release-it",
        (
            *(Place(f".release-it.{end}") for end in ("json", "yaml", "yml", "toml")),
            Place("package.json", ("release-it",)),
        ),
        Row("git.commitArgs", with_hooks(), BYPASSED),
    ),
    _tool(
        "lerna",
        (Place("lerna.json"),),
        *(
            Row(f"{command}commitHooks", flag(good=True, default=True), BYPASSED)
            for command in ("", "command.version.", "command.publish.")
        ),
    ),
    _tool(
        "nx's release",
        (Place("nx.json", ("release",)),),
        *(Row(f"{part}git.commitArgs", with_hooks(), BYPASSED) for part in ("", "version.", "changelog.")),
    ),
    _tool(
        "standard-version",
        (
            Place(".versionrc.json"),
            Place("package.json", ("standard-version",)),
            Place("package.json", ("commit-and-tag-version",)),
        ),
        *(Row(name, flag(good=False), BYPASSED) for name in ("noVerify", "no-verify")),
    ),
    _tool("npm's version", (Place(".npmrc"),), Row("commit-hooks", flag(good=True, default=True), BYPASSED)),
)
