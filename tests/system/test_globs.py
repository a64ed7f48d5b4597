"""Path globs, as people know them from .gitignore."""

from __future__ import annotations

import pytest

from ralph.system.globs import matches_any


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.md", "README.md", True),
        ("*.md", "a/b/README.md", True),
        ("*.md", "README.md.py", False),
        ("*.md", "README.mdx", False),
        ("docs/**", "docs/a", True),
        ("docs/**", "docs/a/b.py", True),
        ("docs/**", "docs", False),
        ("docs/**", "docsx/a", False),
        ("docs/**", "src/docs/a", False),
        ("docs/", "docs/a/b", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/**/x.py", "src/x.py", True),
        ("src/**/x.py", "src/a/b/x.py", True),
        ("**/x", "x", True),
        ("**/x", "a/x", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("./a.py", "a.py", True),
        ("a.py", "axpy", False),
        ("[ab]", "[ab]", True),
        ("a*", "a\nb", True),
    ],
)
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert matches_any(path, [pattern]) is expected
