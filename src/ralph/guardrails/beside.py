"""Files that lie in the working copy, are read or run by checks, and are in no tree because git ignores them (G18).

Rules:

- What a test runner or an interpreter takes up by its name alone (conftest.py, pytest.ini, sitecustomize.py, a runner's
  configuration) decides about checks wherever it lies: ignored, it is a finding, whoever wrote the pattern.
- Any source file is one that a pattern hides which the change brought.
- Environments, dependencies, caches and build output are not looked into: no check takes its orders from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.hiding.gitpatterns import matches
from ralph.guardrails.hiding.ignores import patterns
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

DECIDES = later(
    r"(?:^|/)(?:conftest\.py|\.?pytest\.(?:ini|toml)|sitecustomize\.py|usercustomize\.py|[^/]*\.pth|\.coveragerc"
    r"|(?:jest|vitest|vite|playwright|cypress|karma|babel|mocha|eslint)\.(?:config|conf|setup)\.[cm]?[jt]sx?|\.mocharc\.\w+)$"
)
ELSEWHERE = later(
    r"(?i)(?:^|/)(?:node_modules|\.?venv|env|\.env|site-packages|dist-packages|\.tox|\.nox|__pypackages__|\.eggs|[^/]+\.egg-info"
    r"|build|dist|out|target|vendor|\.[^/]+|__pycache__|htmlcov|coverage|tmp|temp)/"
)


def ignored_hits(change: Change) -> Iterable[Hit]:
    brought = list(_brought(change))
    for path in change.beside.ignored:
        if ELSEWHERE.search(path) or path.endswith("/"):
            continue
        hidden = language_of(path) is not None and any(matches(pattern, folder, path) for folder, pattern in brought)
        if DECIDES.search(path) or hidden:
            yield Hit(rule="tree.ignored-source", path=path, line=0, column=0, key=path, snippet=path)


def _brought(change: Change) -> Iterator[tuple[str, str]]:
    """The patterns that the change adds, with the folders that they hold in."""
    for file in change.files:
        folder, _, name = file.path.rpartition("/")
        if name == ".gitignore":
            old = {pattern for _, pattern in patterns(change.blobs.before(file.path))}
            for _, pattern in patterns(change.blobs.after(file.path)):
                if pattern not in old and not pattern.startswith("!"):
                    yield folder, pattern
