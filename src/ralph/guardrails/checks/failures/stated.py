"""Sentences about checks in files whose names do not tell what they are for: policies of clusters, tests of data and of
infrastructure, reviews by machine, other pipelines (policy set v2, classes G01, G04, G10 and G12).

Rules: a sentence that makes a check fail does not turn into one that lets it pass, and is not taken out of a file that
stays; an exemption is not added. Sentences are counted, so that moved ones are the same; comments count for nothing.
What a load test lets through (k6's `thresholds`) does not rise, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.failures.statements import STATEMENTS, Statement
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

COMMENT = later(r"(?m)^[ \t]*(?:#|//|--)[^\n]*")
LOAD_TEST = later(r"\.[jt]s$")
LIMITS = later(r"[\"']?(?P<name>[\w.{}:,-]+)[\"']?\s*:\s*\[(?P<list>[^\]]*)\]")
LIMIT = later(r"(?P<what>rate|count|avg|max|min|med|p\([\d.]+\))\s*(?P<less>[<>])=?\s*(?P<number>[\d.]+)")
LIFTED, IGNORED = "cfg.lint.limit-lifted", "cfg.check.failures-ignored"


def stated_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    said = [row for place, rows in STATEMENTS if place.search(file.path) for row in rows]
    loads = LOAD_TEST.search(file.path) is not None
    if not said and not loads:
        return
    old, new = (_text(data) for data in (change.blobs.before(file.path), change.blobs.after(file.path)))
    if new is None:
        return
    for row in said:
        if any(text is not None and _speaks(row, text) for text in (new, old)):
            hits = list(_judged(row, file.path, old, new))
            yield from () if row.kind == "gone" and hits and _moved(row, change) else hits
    if loads and old is not None and "k6" in old and "thresholds" in old:
        yield from _limits(file.path, old, new)


def _speaks(row: Statement, text: str) -> bool:
    return row.word in text and (row.form is None or row.form.search(text) is not None)


def _judged(row: Statement, path: str, old: str | None, new: str) -> Iterator[Hit]:
    fewer = old is not None and row.good is not None and _count(row.good, new) < _count(row.good, old)
    more = row.bad is not None and _count(row.bad, new) > (_count(row.bad, old) if old is not None else 0)
    if row.kind == "added" and more and row.bad is not None:
        known = {match[0].strip() for match in row.bad.finditer(old or "")}
        found = list(row.bad.finditer(new))
        place = next((match for match in found if match[0].strip() not in known), found[-1])
        yield _hit(row.rule, path, new, place.start(), row.says)
    elif row.kind == "turned" and fewer and more and row.bad is not None:
        yield _hit(row.rule, path, new, list(row.bad.finditer(new))[-1].start(), row.says)
    elif row.kind == "gone" and fewer:
        yield _hit(row.rule, path, new, 0, row.says)


def _moved(row: Statement, change: Change) -> bool:
    """All changed files together say it as often as before."""
    places = [place for place, rows in STATEMENTS if row in rows]
    files = [file.path for file in change.files if any(place.search(file.path) for place in places)]
    before, after = (
        sum(_count(row.good, _text(read(path)) or "") for path in files) if row.good is not None else 0
        for read in (change.blobs.before, change.blobs.after)
    )
    return after >= before


def _limits(path: str, old: str, new: str) -> Iterator[Hit]:
    before, after = _numbers(old), _numbers(new)
    for key, (less, number) in before.items():
        found = after.get(key)
        if found is None:
            yield _hit(IGNORED, path, new, 0, f"{key[0]} has no threshold any more")
        elif found[0] == less and (found[1] > number if less == "<" else found[1] < number):
            yield _hit(LIFTED, path, new, 0, f"{key[0]} is let to {found[1]:g} in the place of {number:g}")


def _numbers(text: str) -> dict[tuple[str, str], tuple[str, float]]:
    """Each limit by its measure."""
    start = text.find("thresholds")
    found: dict[tuple[str, str], tuple[str, float]] = {}
    for match in LIMITS.finditer(text, start) if start >= 0 else ():
        for limit in LIMIT.finditer(match["list"]):
            if limit["number"].count(".") < 2 and limit["number"].strip("."):
                found.setdefault((match["name"], limit["what"]), (limit["less"], float(limit["number"])))
    return found


def _text(data: bytes | None) -> str | None:
    """Comments blank, line by line."""
    return None if data is None else COMMENT.sub("", data.decode("utf-8", "replace"))


def _count(form: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in form.finditer(text))


def _hit(rule: str, path: str, text: str, start: int, detail: str) -> Hit:
    line = text.count("\n", 0, start) + 1
    snippet = text.splitlines()[line - 1].strip() if text else ""
    return hit_at(rule, path, line, detail, snippet)
