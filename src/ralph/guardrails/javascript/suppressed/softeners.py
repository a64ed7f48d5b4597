"""Plugins of ESLint that make its findings warnings, or drop them, once they are loaded (policy set v2, class G12).

Rule: a line that the change adds, and that loads one of them, blocks wherever it stands: an import or `require` of a
configuration or of a file that it shares, a name in a list of plugins, an option of a command. What loaded it before is
nothing new, though another file does now; where ESLint was not in use nothing is taken away; and one that makes
warnings of errors takes nothing away where no call of ESLint lets a warning pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import command_files, read_commands
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

RULES = {b"only-warn": "cfg.eslint.severity-lowered", b"disable": "cfg.eslint.rule-off"}
_NAMED = rb"[\"'\\]*(?:eslint-plugin-)?(?P<name>only-warn|disable)"
_FULL = rb"[\"'\\]*eslint-plugin-(?P<full>only-warn|disable)"
LOADS = later(
    rb"(?:\bfrom|\bimport|\brequire(?:\.resolve)?)\s*\(?\s*" + _FULL + rb"[\"']"
    rb"|(?:^|[\s\"'=])(?:-r|--require|--import)(?:[\s=\"'\\]|%20)*" + _FULL.replace(b"full", b"option") + rb"(?![\w-])"
    rb"|--plugin(?:[\s=\"',]|\\)+(?:[\w@/-]+,)*" + _NAMED + rb"(?![\w-])"
)
LISTED = later(
    rb"\bplugins[\"']?\s*:\s*\[[^\]\n]*?[\"'](?:eslint-plugin-)?(?P<name>only-warn|disable)[\"']\s*(?:[,\]]|$)"
)
ALONE = later(
    rb"^\s*(?:-\s*[\"']?(?:eslint-plugin-)?(?P<item>only-warn|disable)[\"']?"
    rb"|[\"'](?:eslint-plugin-)?(?P<name>only-warn|disable)[\"'],?)\s*$"
)
"""The name has a line of the list for itself."""
OLDER = later(r"(?:^|/)\.eslintrc(?:\.\w+)?$")
LISTS = later(r"(?:^|/)(?:\.eslintrc(?:\.\w+)?|package\.json)$")
LOADING = later(
    r"(?:\.(?:[cm]?[jt]sx?|json5?|ya?ml|sh|bash|mk|toml|npmrc)|(?:^|/)(?:[\w.]*[Mm]akefile|Jenkinsfile|Dockerfile|[Jj]ustfile"
    r"|\.eslintrc|\.npmrc|\.env[\w.]*|\.husky/[\w.-]+))$"
)
COMMENT = later(rb"\s*(?://|#|\*|/\*)")
CONFIGURED = later(r"(?:^|/)(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$")
NO_WARNING = later(r"--max-warnings[= ]0(?= |$)")


def softened(change: Change) -> Iterator[Hit]:
    found = [hit for file in change.files if file.status != "D" for hit in _loading(file)]
    if found and _was_used(change):
        known = {name for file in change.files for name in _known(file, change)}
        strict = _lets_no_warning_pass(change)
        for name, hit in found:
            if name not in known and not (strict and name == b"only-warn"):
                yield hit


def _loading(file: FileChange) -> Iterator[tuple[bytes, Hit]]:
    if not LOADING.search(file.path) or not any(name in file.added_text for name in RULES):
        return
    for number, line in file.added():
        name = _loaded(line, file.path)
        if name:
            text, said = line.decode("utf-8", "replace").strip(), f"eslint-plugin-{name.decode()}"
            yield (
                name,
                hit_at(RULES[name], file.path, number, f"loads {said}", text),
            )


def _loaded(line: bytes, path: str) -> bytes:
    """The plugin that a line loads; a dependency only installs it."""
    if not any(name in line for name in RULES) or COMMENT.match(line):
        return b""
    forms = (LOADS, *((LISTED,) if LISTS.search(path) else ()), *((ALONE,) if OLDER.search(path) else ()))
    match = next((found for form in forms if (found := form.search(line))), None)
    return next((name for name in match.groups() if name), b"") if match is not None else b""


def _known(file: FileChange, change: Change) -> Iterator[bytes]:
    """What a file loaded that the change touches."""
    before = change.blobs.before(file.path) if file.status != "A" and LOADING.search(file.path) else None
    if before is not None and any(name in before for name in RULES):
        yield from (name for line in before.split(b"\n") if (name := _loaded(line, file.path)))


def _was_used(change: Change) -> bool:
    if any(CONFIGURED.search(path) for path in change.blobs.paths_before()):
        return True
    projects = (path for path in change.blobs.paths_before() if path.rpartition("/")[2] == "package.json")
    return any(re.search(rb"\beslint\b", change.blobs.before(path) or b"") for path in projects)


def _lets_no_warning_pass(change: Change) -> bool:
    """Every call of ESLint fails at the first warning."""
    side = Side(change.blobs.after, change.blobs.paths_after())
    runs = (run for path in command_files(side) for run in read_commands(side, path).runs)
    calls = [" ".join(run.words) for run in runs if run.words and run.words[0] == "eslint"]
    return bool(calls) and all(map(NO_WARNING.search, calls))
