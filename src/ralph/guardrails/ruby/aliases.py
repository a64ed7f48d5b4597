"""Names that a project gives to groups and examples of RSpec, and what they bring with them (policy set v2, G02, G03).

    config.alias_example_group_to :service, type: :service, focus: true
    RSpec.service Checkout do

Rules, for a name that the base does not have, or has without it:

- One that brings the focus leaves out whatever is not called by it, where the project runs nothing but the focus
  (`filter_run_when_matching :focus`): it blocks if some file of specs calls it and another one does not.
- One that brings a skip takes out what is called by it: it blocks if a file that had tests at the base calls it.

A name that nothing calls is there for people at work (`fexample`), as are those that RSpec has itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORTH = later(rb"\balias_(?:example|it)_")
ALIAS = later(r"\balias_example_(?:group_)?to[ \t]*\(?[ \t]*:(?P<name>\w+)(?P<brings>[^\n]*(?:(?<=,)\n[^\n]*)*)")
BRINGS = later(
    r"(?<![\w:])(?::(?P<bare>focus|skip|pending)\b(?![ \t]*=>)|(?P<key>focus|skip|pending):[ \t]*(?!false\b|nil\b)\S"
    r"|:(?P<old>focus|skip|pending)[ \t]*=>[ \t]*(?!false\b|nil\b)\S)"
)
ALONE = later(
    rb"\bfilter_run(?:_when_matching|_including)?[ \t(]+:?focus\b|\bfilter_run[ \t(]+focus:"
    rb"|\binclusion_filter\b[^\n]*\bfocus\b|--tag[ =]focus\b|(?:^|\s)-t[ =]?focus\b"
)
SETTINGS = later(r"(?:^|/)(?:\w*_helper\.rb|\.rspec(?:-\w+)?|Rakefile|[^/]+\.rake|support/.*\.rb)$")
SPEC = later(r"_spec\.rb$")
OWN = later(rb"(?m)^[ \t]*(?:RSpec\.)?(?:describe|context|feature|it|scenario|specify|example)\b[ \t(]")
NOTE = later(r"(?m)(?:^|(?<=\s))#(?!\{)[^\n]*")
LONGEST, MOST_FILES = 200_000, 1_000


def brought(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or file.binary or not file.path.endswith(".rb"):
            continue
        if is_in(WORTH, file.changed_text):
            yield from _brought(file, change)


def _brought(file: FileChange, change: Change) -> Iterator[Hit]:
    old = {(name, what) for name, what, _, _ in _aliases(change.blobs.before(file.path))}
    for name, what, line, snippet in _aliases(change.blobs.after(file.path)):
        if (name, what) in old:
            continue
        calling = [path for path in _specs(change) if _calls(name).search(change.blobs.after(path) or b"")]
        if what == "focus":
            others = (path for path in _specs(change) if path not in calling)
            left = next((path for path in others if OWN.search(change.blobs.after(path) or b"")), None)
            if calling and left is not None and _runs_the_focus_alone(change):
                yield hit_at("ruby.focus", file.path, line, f"{name} is run alone, without {left}", snippet)
        elif any(OWN.search(change.blobs.before(path) or b"") for path in calling):
            yield hit_at("ruby.skip", file.path, line, f"{name} is skipped", snippet)


def _aliases(data: bytes | None) -> Iterator[tuple[str, str, int, str]]:
    """Names, what they bring, and where."""
    if data is None or len(data) > LONGEST or not WORTH.search(data):
        return
    text = NOTE.sub("", data.decode("utf-8", "replace"))
    for match in ALIAS.finditer(text):
        if found := BRINGS.search(match["brings"]):
            what = found["bare"] or found["key"] or found["old"]
            yield match["name"], what, text.count("\n", 0, match.start()) + 1, match[0].strip()


def _specs(change: Change) -> list[str]:
    return [path for path in sorted(change.blobs.paths_after()) if SPEC.search(path)][:MOST_FILES]


@cache
def _calls(name: str) -> re.Pattern[bytes]:
    return re.compile(rf"(?m)^[ \t]*(?:RSpec\.)?{name}\b[ \t(]".encode())


def _runs_the_focus_alone(change: Change) -> bool:
    paths = [path for path in sorted(change.blobs.paths_after()) if SETTINGS.search(path)][:MOST_FILES]
    return any(ALONE.search(change.blobs.after(path) or b"") for path in paths)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (brought,)
