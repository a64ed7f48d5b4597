"""The policy sets that come with Ralph, by version (spec: governance engine 1.5; design decision 9).

A set is immutable once released: `released.lock` holds the sha256 of its file, and whatever does not agree with the
lock is refused, never used with a warning. A set that the lock does not name is a draft: it must be asked for by name,
and may not call itself immutable. The newest released set is the default.

Beside a released set lies its data as JSON, which is read fifty times as fast. It counts only if the lock holds its
sha256 as well and it says that it was made from this very file: it is as fixed as the set itself.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from ralph.errors import ConfigError, PolicyTamperedError
from ralph.policy.engine_rules import ENGINE_RULES
from ralph.policy.model import Pattern, PolicySet, Rule
from ralph.policy.schema import Guardrails, PolicyFile, parse, read

BUNDLED = Path(__file__).parent
LOCK = "released.lock"
MADE_FROM = "made_from_sha256"
_LOCK_LINE = re.compile(r"(v[1-9][0-9]*\.(?:yaml|json)) sha256:([0-9a-f]{64})")
_REINSTALL = "install Ralph anew"

V1_CLASSES = {"typescript": "G01", "javascript": "G01", "python": "G01", "testing": "G02"}
V1_TAMPERING = {
    "v1.config_tampering.coverage_threshold": "Lowering the coverage threshold hides untested code",
    "v1.config_tampering.typescript_strict": "Turning off strict bypasses type safety",
}


def available(directory: Path = BUNDLED) -> tuple[str, ...]:
    """The versions there are, drafts too, oldest first."""
    return tuple(sorted((path.stem for path in directory.glob("v*.yaml")), key=_number))


def released(directory: Path = BUNDLED) -> tuple[str, ...]:
    """The released versions, oldest first."""
    return tuple(sorted((name[:-5] for name in _lock(directory) if name.endswith(".yaml")), key=_number))


def default(directory: Path = BUNDLED) -> PolicySet:
    """The newest released set."""
    versions = released(directory)
    if not versions:
        raise PolicyTamperedError(f"{directory / LOCK} names no released policy set; {_REINSTALL}")
    return load(versions[-1], directory)


def load(version: str, directory: Path = BUNDLED) -> PolicySet:
    """One set, checked against the lock. Raises ConfigError or PolicyTamperedError."""
    versions = available(directory)
    lock = _lock(directory)
    if version not in versions:
        raise ConfigError(f"there is no policy set {version!r}; there are: {', '.join(versions)}")
    path, locked = directory / f"{version}.yaml", f"{version}.yaml" in lock
    data = _checked(path, lock)
    digest = hashlib.sha256(data).hexdigest()
    fast = path.with_suffix(".json")
    file = _made_from(digest, fast, lock) if fast.name in lock else parse(data.decode("utf-8", "replace"), str(path))
    _check_claims(file, version, locked)
    return _policy_set(file, digest, locked)


def _checked(path: Path, lock: dict[str, str]) -> bytes:
    """What the file holds. A draft may hold anything."""
    data = path.read_bytes()
    if path.name in lock and lock[path.name] != hashlib.sha256(data).hexdigest():
        raise PolicyTamperedError(
            f"policy set {path.stem} is not what was released ({path} differs from {LOCK}); {_REINSTALL}"
        )
    return data


def _made_from(digest: str, path: Path, lock: dict[str, str]) -> PolicyFile:
    """The set whose file has this digest, from its data."""
    try:
        data = json.loads(_checked(path, lock))
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.pop(MADE_FROM, None) != digest:
        raise PolicyTamperedError(f"{path} was made from another policy set; {_REINSTALL}")
    return read(data, str(path))


def _number(version: str) -> tuple[int, str]:
    digits = version.removeprefix("v")
    return (int(digits) if digits.isdecimal() else 0, version)


def _lock(directory: Path) -> dict[str, str]:
    """Files of released sets and their digests. A lock that is not sound makes every set unusable."""
    try:
        lines = (directory / LOCK).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyTamperedError(
            f"{directory / LOCK} cannot be read, so no policy set can be trusted; {_REINSTALL}"
        ) from error
    entries: dict[str, str] = {}
    for line in filter(None, (line.strip() for line in lines)):
        match = _LOCK_LINE.fullmatch(line)
        if not match or match[1] in entries:
            raise PolicyTamperedError(
                f"{directory / LOCK} has a line that is no entry or stands twice: {line!r}; {_REINSTALL}"
            )
        if not (directory / match[1]).is_file():
            version = match[1].partition(".")[0]
            raise PolicyTamperedError(f"the released policy set {version} is missing from {directory}; {_REINSTALL}")
        entries[match[1]] = match[2]
    return entries


def _check_claims(file: PolicyFile, version: str, locked: bool) -> None:
    header = file.policy
    if header.version != version:
        raise PolicyTamperedError(f"{version}.yaml calls itself {header.version}; {_REINSTALL}")
    if (header.immutable or header.released_at is not None) and not locked:
        raise PolicyTamperedError(
            f"policy set {version} claims to be released, but {LOCK} does not name it; {_REINSTALL}"
        )
    if locked and not (header.immutable and header.released_at):
        raise PolicyTamperedError(f"{LOCK} names policy set {version}, which calls itself a draft; {_REINSTALL}")


def _policy_set(file: PolicyFile, digest: str, locked: bool) -> PolicySet:
    steps = {name: getattr(file.steps, name) for name in ("lint", "typecheck", "tests", "coverage")}
    own, patterns = (
        _v1_rules(file.guardrails, file.verdicts.BLOCKED.agent_action) if file.guardrails else (_rules(file), ())
    )
    return PolicySet(
        version=file.policy.version,
        released=locked,
        released_at=file.policy.released_at,
        digest=digest,
        steps=steps,
        thresholds=file.thresholds,
        min_coverage=file.steps.coverage.min_percent or 0,
        rules={rule.id: rule for rule in (*ENGINE_RULES, *own)},
        patterns=patterns,
        meanings={kind: getattr(file.verdicts, kind) for kind in ("PASS", "FAIL", "BLOCKED")},
    )


def _rules(file: PolicyFile) -> Iterable[Rule]:
    return [
        Rule(name, entry.class_, entry.severity, entry.reason, entry.fix) for name, entry in (file.rules or {}).items()
    ]


def _v1_rules(guardrails: Guardrails, fix: str) -> tuple[list[Rule], tuple[Pattern, ...]]:
    """v1 names no rules, so its ids are made: `v1.<group>.<the pattern's letters, digits and dashes>`."""
    rules, patterns = [], []
    for group, entries in guardrails.forbidden_patterns.items():
        for entry in entries:
            rule = f"v1.{group}.{_slug(entry.pattern)}"
            class_ = "G02" if "skip" in rule else V1_CLASSES[group]
            rules.append(Rule(rule, class_, "block", entry.reason, fix))
            patterns.append(Pattern(rule, group, entry.pattern))
    rules += [Rule(rule, "G11", "block", reason, fix) for rule, reason in V1_TAMPERING.items()]
    return rules, tuple(patterns)


def _slug(pattern: str) -> str:
    return "-".join(re.findall(r"[A-Za-z0-9]+", re.sub(r"\\[A-Za-z]", "", pattern)))
