"""Findings that a project records as accepted, and that grow in number (classes G12, G17).

Rules: in a baseline numbers add up, entries and lines count. A scanner's list of what it is to pass over is such a
baseline, too; a first one counts as grown where the scanner ran before. Entries about tests, samples and documentation
alone are for a person.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.evidence.exchanged import FIGURES, exchanged_hits
from ralph.guardrails.checks.evidence.ratchets import ratchet_hits
from ralph.guardrails.checks.evidence.tolerated import tolerated_hits
from ralph.guardrails.config.command_files.scripts import MAKEFILES, is_ci_file
from ralph.guardrails.config.node import Node, canonical, flat
from ralph.guardrails.config.patterns import is_output, is_sample, is_test
from ralph.guardrails.config.readers import Unreadable, read
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

BASELINE = later(
    r"baseline|suppressions?|^brakeman\.ignore$|(?:spot|find)bugs[-_]?(?:exclu\w+|filter)|known[-_]?(?:issues|failures)|\.rubocop_todo|allowed[-_]?(?:failures|errors)|ignored[-_]?(?:errors|tests)",
    re.IGNORECASE,
)
BASELINE_ENDS = (".json", ".ignore", ".txt", ".xml", ".yml", ".yaml", ".neon", ".toml", ".baseline", ".php")
LISTS = {
    ".gitleaksignore": "gitleaks",
    ".trufflehogignore": "trufflehog",
    ".secretlintignore": "secretlint",
    ".ggignore": "ggshield",
    ".talismanrc": "talisman",
    ".trivyignore": "trivy",
    ".grypeignore": "grype",
    ".snyk": "snyk",
    ".nsprc": "better-npm-audit",
    ".semgrepignore": "semgrep",
}
"""Files of nothing but what a scanner passes over, and the scanner."""
CONFIGURED = {".gitleaks.toml": "gitleaks", "gitleaks.toml": "gitleaks"}
IGNORED = {
    "deny.toml": ("cargo-deny", ("ignore", "skip", "skip-tree")),
    ".deny.toml": ("cargo-deny", ("ignore", "skip", "skip-tree")),
    "audit.toml": ("cargo-audit", ("ignore",)),
    "osv-scanner.toml": ("osv-scanner", ("IgnoredVulns", "PackageOverrides")),
    ".bundler-audit.yml": ("bundler-audit", ("ignore",)),
    "audit-ci.json": ("audit-ci", ("allowlist", "advisories", "whitelist")),
    "audit-ci.jsonc": ("audit-ci", ("allowlist", "advisories", "whitelist")),
    ".grype.yaml": ("grype", ("ignore",)),
    ".grype.yml": ("grype", ("ignore",)),
    "trivy.yaml": ("trivy", ("ignorefile", "ignore-policy", "skip-files", "skip-dirs")),
    ".safety-policy.yml": ("safety", ("ignore-vulnerabilities", "ignore-cves")),
    ".pip-audit.toml": ("pip-audit", ("ignore-vulns",)),
    ".govulncheck.yaml": ("govulncheck", ("ignore",)),
}
"""Files of scanners of dependencies, each with the names under which they list what is to be passed over."""
ALLOWS = ("paths", "regexes", "stopwords", "commits")
MADE_UP = later(r"(?i)test|spec|fixture|example|sample|mock|docs?\b|\.md|\.lock|lock\.|vendor|node_modules")
FINGERPRINT = later(r"(?:[0-9a-f]{7,40}:)?(?P<path>[^:\s]+)(?::[\w.-]+)*(?::\d+)?")
RUNS_SCANNERS = (*MAKEFILES, ".pre-commit-config.yaml", "lefthook.yml", "package.json", "noxfile.py", "tox.ini")
MAX_READ = 400_000


def accepted_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    name = posixpath.basename(file.path)
    if name in LISTS:
        yield from _listed(change, file, LISTS[name])
    elif name in CONFIGURED:
        yield from _allowed(change, file, CONFIGURED[name])
    elif name in IGNORED:
        scanner, names = IGNORED[name]
        yield from _allowed(change, file, scanner, names)
    elif (
        BASELINE.search(name)
        and name.lower().endswith(BASELINE_ENDS)
        and file.status != "D"
        and not is_ci_file(file.path)
    ):
        yield from list(_grown(change, file)) or list(exchanged_hits(change, file)) or tolerated_hits(change, file)
    else:
        yield from tolerated_hits(change, file)
        yield from ratchet_hits(change, file)


def _listed(change: Change, file: FileChange, scanner: str) -> Iterator[Hit]:
    old, new = _entries(change.blobs.before(file.path)), _entries(change.blobs.after(file.path))
    if len(new) <= len(old) or (file.status == "A" and not _ran(change, scanner)):
        yield from exchanged_hits(change, file)
        return
    fresh = {entry: line for entry, line in new.items() if entry not in old}
    paths = [match["path"] for entry in fresh if (match := FINGERPRINT.fullmatch(entry)) is not None]
    harmless = len(paths) == len(fresh) and all(map(_is_made_up, paths))
    rule = "secret.in-sample" if harmless else "evidence.baseline-grown"
    entry, line = next(iter(fresh.items()))
    yield hit_at(rule, file.path, line, f"{scanner} passes over {cut(entry, 100)}")


def _allowed(change: Change, file: FileChange, scanner: str, names: Sequence[str] = ()) -> Iterator[Hit]:
    """What the configuration of a scanner lets pass; all of it where it is new and the scanner ran before."""
    if file.status == "D" or (file.status == "A" and not _ran(change, scanner)):
        return
    sides = (change.blobs.before(file.path), change.blobs.after(file.path))
    old, new = (dict(_allowances(file.path, side, names)) for side in sides)
    for text, node in new.items():
        if text not in old:
            rule = "secret.in-sample" if MADE_UP.search(text) else "evidence.baseline-grown"
            yield hit_at(rule, file.path, node.line, f"{scanner} passes over {cut(text, 100)}")


def _allowances(path: str, data: bytes | None, names: Sequence[str]) -> Iterator[tuple[str, Node]]:
    """The entries of the lists with these names; of gitleaks' own, else."""
    try:
        found = flat(read(path, data)) if data is not None else {}
    except Unreadable:
        return
    for key, value in found.items():
        if names:
            lists = [value] if key[-1] in names else []
        elif key[-1] == "allowlists":
            lists = [each for item in value.items for name in ALLOWS if (each := item.at(name)) is not None]
        else:
            lists = [value] if key[-1] in ALLOWS and "allowlist" in key else []
        for item in (item for each in lists for item in each.items):
            named = item.at("id") or item.at("vulnerability") or item.at("crate") or item
            yield canonical(named), item
        if key[-1] in names and value.mapping:  # by name, each with its reason
            yield from ((name, item) for name, item in value.mapping.items())


def _entries(data: bytes | None) -> dict[str, int]:
    lines = enumerate((data or b"")[:MAX_READ].decode("utf-8", "replace").splitlines(), 1)
    stripped = ((re.split(r"(?:^|\s)#", line)[0].strip(), number) for number, line in lines)
    return {text: number for text, number in stripped if text and not text.startswith("//")}


def _is_made_up(path: str) -> bool:
    return is_test(path) or is_sample(path) or is_output(posixpath.dirname(path)) or path.endswith((".md", ".rst"))


def _ran(change: Change, scanner: str) -> bool:
    """Something that runs programs named the scanner before."""
    paths = (
        path
        for path in change.blobs.paths_before()
        if is_ci_file(path) or posixpath.basename(path).lower() in RUNS_SCANNERS
    )
    return any(scanner.encode() in (change.blobs.before(path) or b"") for path in paths)


def _grown(change: Change, file: FileChange) -> Iterator[Hit]:
    """Accepted findings: numbers add up, entries and lines count."""
    before = change.blobs.before(file.path)
    was = 0 if before is None else _weight(file.path, before)
    now = _weight(file.path, change.blobs.after(file.path) or b"")
    if before is not None and was is not None and now is not None and now > was:
        yield hit_at("evidence.baseline-grown", file.path, 1, f"accepted findings rise from {was:g} to {now:g}")


def _weight(path: str, data: bytes) -> float | None:
    if len(data) > MAX_READ:
        return float(data.count(b"\n"))
    as_json = data.lstrip()[:1] in (b"{", b"[")
    if as_json or path.lower().endswith((".json", ".yml", ".yaml", ".toml")):
        try:
            return _sum(read("baseline.json" if as_json else path, data))
        except Unreadable:
            return None
    lines = (line.strip() for line in data.decode("utf-8", "replace").splitlines())
    return float(sum(1 for line in lines if line and not line.startswith(("#", "//", "<!--"))))


NO_COUNTS = later(
    r"line|column|col|offset|version|start|end|generated|time|date|schema|hash|verified|limit|entropy|length",
    re.IGNORECASE,
)


def _sum(node: Node, key: str = "") -> float:
    if node.mapping:
        told = FIGURES if "results" in node.mapping else ()
        return sum(_sum(value, name) for name, value in node.mapping.items() if name not in told)
    if isinstance(node.value, list):
        return sum(max(_sum(item, key), 1) for item in node.value)
    if isinstance(node.value, bool) or node.value is None or NO_COUNTS.search(key):
        return 0
    return float(node.value) if isinstance(node.value, int | float) else 0
