"""What `.gitattributes` files take out of sight: diffs, reviews, merges (class G18).

Rules:

- `-diff`, `binary` and a mark as generated hide lines from `git diff` and from reviews: on source code, tests and the
  configuration of checks they block; on snapshots, lock files and the like a person looks; on what nobody reads as text
  they are right.
- A filter on source code stores something else than what was written, and the project's own code is nobody else's: both
  block. Who merges (`merge=ours`, `-merge`), filters other contents, encodes them in another way or leaves them out of
  an archive changes what others get: a person looks, unless the archive is what is tested (`archives`). Large files
  (LFS), line ends, diff drivers and documentation are left alone.
- A driver for diffs that is called `quiet` or `none` shows nothing.
- Macros count as what they are made of. A line that showed again what another hides, and is gone, hides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.config.patterns import is_product, is_test
from ralph.guardrails.hiding import archives
from ralph.guardrails.hiding.gitpatterns import SOURCE_FOLDERS, About, about, holds_source, matches
from ralph.guardrails.hiding.places import hit
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.record import record
from ralph.system.patterns import later

HIDES = frozenset({"diff", "linguist-generated", "gitlab-generated"})
NO_DIFF = later(
    r"(?i)(?:no|none|null|quiet|silent|off|skip|hide|hidden|hides|empty|blank|ignore|ignored|true|void)(?:[_-]?diff)?"
)
"""What somebody calls a driver that shows nothing."""
BUILT_IN = {"binary": "-diff -merge -text"}
SPLIT = later(r"(\"(?:[^\"\\]|\\.)*\"|\S+)(?:[ \t]+(.*))?$")


OWN_FOLDERS = SOURCE_FOLDERS - {
    "tests",
    "test",
    "spec",
    "specs",
    "__tests__",
    "e2e",
    "scripts",
    "tools",
    ".github",
    "ci",
}
OTHERS = later(
    r"(?i)vendor|third|extern|extra|deps|contrib|static|assets|public|legacy|compat|bundle|gen|\.min|\.js\b|\.html"
)


@record
class Tree:
    all: frozenset[str]
    old: frozenset[str]
    """What stood there before, too."""


@record
class Row:
    pattern: str
    effects: tuple[tuple[str, str], ...]
    line: int
    text: str


def hidden_by_attributes(change: Change) -> Iterable[Hit]:
    for file in change.files:
        if file.path.rpartition("/")[2] != ".gitattributes" or file.new_mode[:3] not in ("100", "000"):
            continue
        folder = file.path.rpartition("/")[0]
        old, new = _rows(change.blobs.before(file.path)), _rows(change.blobs.after(file.path))
        known = {(row.pattern, effect) for row in (*old, *_elsewhere(change)) for effect in row.effects}
        paths = change.blobs.paths_after()
        tree = Tree(paths, paths & change.blobs.paths_before())
        found = False
        for row in new:
            for effect in row.effects:
                if (row.pattern, effect) in known:
                    continue
                left_out = effect == ("export-ignore", "set") and _leaves_out_source(row.pattern, folder, tree)
                untested = left_out and archives.is_tested(change)
                if rule := "hidden.ignored" if untested else _judge(row.pattern, effect, folder, tree):
                    found = True
                    detail = f"{row.pattern} {effect[0]}{effect[1] and '='}{effect[1]}"
                    yield hit(rule, file, row.line, 1, row.text.encode(), detail)
        if not found:
            shown = _hidden_paths(old, folder, paths)
            for path in sorted(_hidden_paths(new, folder, paths) - shown)[:1]:
                yield hit(
                    "hidden.from-review",
                    file,
                    1 if new else 0,
                    1 if new else 0,
                    path.encode(),
                    f"{path} is not shown any more",
                )


def judged_text(data: bytes, tree: Tree) -> Iterator[tuple[str, str]]:
    """The rule and the words of each line that takes something out of sight, as if they stood at the root."""
    for row in _rows(data):
        for effect in row.effects:
            if rule := _judge(row.pattern, effect, "", tree):
                yield rule, f"{row.pattern} {effect[0]}{effect[1] and '='}{effect[1]}"


def _elsewhere(change: Change) -> Iterator[Row]:
    """Rows of the base's other files that the change takes away: they may have moved."""
    for file in change.files:
        if file.path.rpartition("/")[2] == ".gitattributes" and file.status == "D":
            yield from _rows(change.blobs.before(file.path))


def _judge(pattern: str, effect: tuple[str, str], folder: str, tree: Tree) -> str | None:
    name, value = effect
    whole = f"{folder}/{pattern.lstrip('/')}" if folder and "/" in pattern.rstrip("/") else pattern
    meant = about(whole if "/" in whole or not folder else pattern)
    if name in HIDES:
        if value not in ("unset", "set") and name == "diff" and not NO_DIFF.fullmatch(value):
            return None
        hides = (name == "diff" and value != "set") or (name != "diff" and value == "set")
        if not hides:
            return None
        if meant is About.SOURCE or holds_source(pattern, folder, tree.all):
            return "hidden.from-review"
        return None if name == "diff" and _is_binary(pattern) else "hidden.from-review-made"
    if name == "linguist-vendored":
        if value == "set" and _is_own(pattern, folder, tree.old):
            return "hidden.from-review"
        return "hidden.attribute" if value == "set" and meant is About.SOURCE else None
    if name == "merge":
        return None if value in ("union", "lfs", "binary", "text", "set") or _is_binary(pattern) else "hidden.attribute"
    if name == "filter":
        if value not in ("unset", "unspecified", "git-crypt") and holds_source(pattern, folder, tree.all):
            return "hidden.from-review"
        return None if value in ("lfs", "unset") else "hidden.attribute"
    if name in ("export-ignore", "export-subst", "ident"):
        return "hidden.attribute" if name == "export-ignore" and meant is About.SOURCE and value == "set" else None
    return "hidden.attribute" if name == "working-tree-encoding" and value != "unset" else None


def _leaves_out_source(pattern: str, folder: str, tree: Tree) -> bool:
    return any(is_product(path) or is_test(path) for path in tree.old if matches(pattern, folder, path))


def _is_own(pattern: str, folder: str, paths: frozenset[str]) -> bool:
    """Code of the project's own that stood there before, by the folder that a pattern names."""
    named = f"{folder}/{pattern.lstrip('/')}" if folder else pattern.lstrip("/")
    if named.partition("/")[0] not in OWN_FOLDERS or OTHERS.search(named):
        return False
    return any(is_product(path) and matches(pattern, folder, path) for path in paths)


def _is_binary(pattern: str) -> bool:
    return (
        re.search(
            r"(?i)\.(?:png|jpe?g|gif|ico|webp|bmp|tiff?|pdf|zip|gz|tgz|xz|bz2|7z|jar|war|class|bin|exe|dll|so|dylib"
            r"|a|o|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm"
            r"|mov|psd|ai|sqlite|db|parquet|npy|npz|pkl|h5|onnx|pt|pth|wasm|keystore|jks|p12|pfx|der|gpg|docx?|xlsx?"
            r"|pptx?|pyc|whl|phar)$",
            pattern,
        )
        is not None
    )


def _rows(data: bytes | None) -> list[Row]:
    macros: dict[str, str] = dict(BUILT_IN)
    rows = []
    for number, raw in enumerate((data or b"").removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        text = raw.decode("utf-8", "replace").strip()
        match = SPLIT.match(text)
        if not match or text.startswith("#"):
            continue
        pattern, rest = match[1].strip('"') if match[1].startswith('"') else match[1], match[2] or ""
        if pattern.startswith("[attr]"):
            macros[pattern.removeprefix("[attr]")] = rest
            continue
        rows.append(Row(pattern, tuple(_effects(rest, macros, 3)), number, text))
    return rows


def _effects(rest: str, macros: dict[str, str], depth: int) -> Iterator[tuple[str, str]]:
    for word in rest.split():
        name, _, value = word.lstrip("-!").partition("=")
        if name in macros and depth and not word.startswith(("-", "!")):
            yield from _effects(macros[name], macros, depth - 1)
        elif word.startswith("-"):
            yield name, "unset"
        elif not word.startswith("!"):
            yield name, {"true": "set", "false": "unset", "": "set"}.get(value.lower(), value)
        else:
            yield name, "unspecified"


def _hidden_paths(rows: list[Row], folder: str, paths: frozenset[str]) -> set[str]:
    """Source files of the tree whose lines these rows keep from being shown; the last that says something decides."""
    if not any(name in HIDES for row in rows for name, _ in row.effects):
        return set()
    found = set()
    for path in paths:
        if language_of(path) is None:
            continue
        state: dict[str, str] = {}
        for row in rows:
            if matches(row.pattern, folder, path):
                state.update(row.effects)
        if state.get("diff") == "unset" or "set" in (state.get("linguist-generated"), state.get("gitlab-generated")):
            found.add(path)
    return found
