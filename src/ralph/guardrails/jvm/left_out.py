"""Modules that a build no longer takes up, and plugins of Gradle that checked (see `bindings`)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.model import Change, Hit, hit_at
from ralph.system.patterns import later

COMMENT = later(r"<!--.*?-->|/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
PROFILE = later(r"<profile>.*?</profile>", re.DOTALL)
BY_ITSELF = later(r"<activeByDefault>\s*true|<activation>\s*<(?:jdk|os)>|env\.CI\b")
MODULE = later(r"<module>\s*([^<\s]+)\s*</module>")
INCLUDE = later(r"\binclude(?:Build)?\b[ \t]*(?:\((?P<inner>[^)]*)\)|(?P<names>[^\n]*(?:,\s*\n[^\n]*)*))")
DYNAMIC = later(r"\binclude\b[ \t]*\(?[ \t]*(?:[*\w]|[\"'][^\"'\n]*\$)")
TEXT = later(r"[\"']:?([\w.:/-]+)[\"']")
TESTS = later(r"/src/(?:\w*[tT]est\w*|it)/")
SCRIPT = later(r"\.gradle(?:\.kts)?$|(?:^|/)(?:buildSrc|build-logic)/.*\.(?:kt|groovy)$")
PLUGIN = later(
    r"(?i)checkstyle|pmd|codenarc|spotbugs|detekt|ktlint|spotless|errorprone|nullaway|forbiddenapis|pitest|dependencycheck"
    r"|animalsniffer|japicmp|revapi|archunit|kotlinter|modernizer"
)
APPLIED = later(
    r"(?m)^[ \t]*(?:id|alias|apply|plugin)\b(?P<what>[^\n]*)|^[ \t]*`?(?P<bare>checkstyle|pmd|codenarc)`?[ \t]*$"
)
UNAPPLIED = later(r"\bapply[ (]+false\b")
MOST_FILES = 300


def _text(change: Change, path: str, *, after: bool) -> str:
    data = change.blobs.after(path) if after else change.blobs.before(path)
    return COMMENT.sub(" ", (data or b"").decode("utf-8", "replace"))


def lost_modules(change: Change, paths: Sequence[str]) -> Iterator[Hit]:
    for path in paths:
        if not _builds(path):
            continue
        old, new = (set(_modules(path, _text(change, path, after=after))) for after in (False, True))
        if DYNAMIC.search(_text(change, path, after=True)) and not path.endswith("pom.xml"):
            continue
        for folder in sorted(old - new):
            tested = any(TESTS.search(each) for each in change.blobs.paths_after() if each.startswith(f"{folder}/"))
            if tested and not _is_taken_up(change, folder, path):
                yield hit_at("cfg.test.not-run", path, 0, f"no build takes up {folder} any more, which has tests")


def _builds(path: str) -> bool:
    return path.endswith("pom.xml") or posixpath.basename(path).startswith("settings.gradle")


def _modules(path: str, text: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    if path.endswith("pom.xml"):
        text = PROFILE.sub(lambda found: found[0] if BY_ITSELF.search(found[0]) else "", text)
        names = MODULE.findall(text)
    else:
        said = (match["inner"] or match["names"] or "" for match in INCLUDE.finditer(text))
        names = [each.replace(":", "/") for one in said for each in TEXT.findall(one)]
    for name in names:
        yield posixpath.normpath(posixpath.join(folder, name))


def _is_taken_up(change: Change, folder: str, own: str) -> bool:
    builds = sorted(path for path in change.blobs.paths_after() if path != own and _builds(path))[:MOST_FILES]
    return any(folder in _modules(path, _text(change, path, after=True)) for path in builds)


def lost_plugins(change: Change, paths: Sequence[str]) -> Iterator[Hit]:
    for path in paths:
        before, after = (_text(change, path, after=each) for each in (False, True))
        gone = _plugins(before) - _plugins(after)
        if not gone:
            continue
        scripts = sorted(each for each in change.blobs.paths_after() if each != path and SCRIPT.search(each))
        others = {name for each in scripts[:MOST_FILES] for name in _plugins(_text(change, each, after=True))}
        # A plugin of the project's own may apply it.
        as_many = _count(after) >= _count(before)
        for name in sorted(gone - others):
            rule = "check.replaced" if as_many else "cfg.jvm.check-off"
            yield hit_at(rule, path, 0, f"the plugin {name} is applied no more")


def _count(text: str) -> int:
    return sum(not UNAPPLIED.search(match[0]) for match in APPLIED.finditer(text))


def _plugins(text: str) -> set[str]:
    found = set()
    for match in APPLIED.finditer(text):
        said = match["what"] or match["bare"] or ""
        name = PLUGIN.search(re.sub(r"[-.]", "", said))
        if name is not None and not UNAPPLIED.search(said):
            found.add(name[0].lower())
    return found
