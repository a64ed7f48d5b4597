"""Installed tools that are rewritten where they lie (policy set v2, class G15).

Rules: what decides whether a check passes (`replaced_tools.toolnames`) is installed, and stays as it is installed.

- A patch of such a tool blocks in the patch file (`patches`); where only a manifest is changed so that a patch is
  applied, there.
- A command that edits, overwrites or links over a file of such a tool blocks (`orders`), and so does a script that
  finds such a file and writes to it (`scripts`).
- A file of such a tool that is committed with the project blocks where it is changed and no list of versions is
  (`vendored`).
- What the base did already is nothing new, wherever it stood in the files of the change. To read or copy from a
  tool's folder is no rewriting, nor is anything done to another package.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORDS = later(
    rb"(?i)node_modules|_packages\b|-packages|sitepackages|usersite|patchedDependencies|patch:|__file__|__path__|getfile"
    rb"|getsourcefile|find_spec"
    rb"|sysconfig|require\.resolve|import\.meta\.resolve|createRequire|resolve\.sync|go list|go env|goroot"
    rb"|gomodcache|pkg/mod"
    rb"|bundle (?:show|info)|gem (?:which|contents)|gem_dir|full_gem_path|registry/src|\.m2/|npm root|pip show"
    rb"|vendor/|\$\(which |`which |command -v|bin/|locate_file|/python3|hostedtoolcache|/go/src"
    rb"|\b(?:install|add|i) [^\n]*(?:\./|git\+|file:|link:)|mod edit|pkg set"
)
SOURCES = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".rb", ".sh", ".bash")
WRITES = later(rb"(?i)\bsed\b|\bperl\b|\bcp\b|\bln\b|\bmv\b|\btee\b|write|copy|append|rename|replace\(|open\(")
FOLDERS = later(r"(?:^|/)(?:node_modules|site-packages|vendor)/|\.(?:patch|diff)$")


def may_name(file: FileChange, change: Change) -> bool:
    """True if the file's changed text names what is installed, or writes in a file that does.

    Of one that git takes for binary nothing is known.
    """
    if file.binary:
        return file.path.endswith(SOURCES)
    if is_in(WORDS, file.changed_text):
        return True
    known = file.status == "A"  # all of a new file is its changed text
    return not known and is_in(WRITES, file.added_text) and is_in(WORDS, change.blobs.after(file.path) or b"")


def rewritten(change: Change) -> Iterable[Hit]:
    files = [file for file in change.files if file.status != "D"]
    if not any(FOLDERS.search(file.path) or may_name(file, change) for file in files):
        return ()
    from ralph.guardrails.rewritten import judge  # few changes name what is installed

    return judge.rewritten(change)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (rewritten,)
