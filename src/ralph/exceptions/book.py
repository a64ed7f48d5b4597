"""Where exceptions stand: signed lines of `state/learning.jsonl`, the chained log of what people decided.

Rules (design decisions 24, 27, 32):

- An exception counts only if a trusted key signed it, for this project, and as long as it is neither over nor revoked.
  One that does not hold is listed as `untrusted`, and covers nothing.
- Granting and revoking is refused in the environment of an agent, and without a reason.
- A revocation is signed as well, for the record; one that cannot be checked revokes all the same. The log only grows,
  so what was granted stays to be seen.
- `covering` also compares the digest of what is covered: an exception for a gate does not cover another command that
  came to stand under the same name. One for a finding is never without such a digest.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from ralph.approvals import decisions, person
from ralph.audit import dsse
from ralph.audit.keys import signing_key, trusted_keys
from ralph.errors import EvidenceError, RalphError, StorageError, UsageError
from ralph.exceptions.model import Entry, Grant, Status, covered, moment, until
from ralph.record import record
from ralph.system import clock, ledger, records
from ralph.system.clock import rfc3339
from ralph.system.files import parse_json
from ralph.system.places import config_home

GRANTED, REVOKED = "exception_granted", "exception_revoked"
_TYPES = {name: f"application/vnd.ralph.{name.replace('_', '-')}+json" for name in (GRANTED, REVOKED)}


@record(kw_only=True)
class Revocation:
    """What a signature covers that takes an exception back."""

    exception: str
    root: str
    reason: str
    who: str
    revoked_at: str


class Book:
    """The exceptions of the project at `root`. `environ` shows whether a person is at work."""

    def __init__(self, root: Path, environ: Mapping[str, str], *, now: Callable[[], datetime] = clock.now) -> None:
        self.root = root.resolve()
        self._environ = environ
        self._now = now

    def grant(self, covers: str, *, reason: str, ends: str, subject: str = "") -> Entry:
        """Sign and record an exception. Raises ApprovalError for an agent, UsageError, StorageError."""
        why = self._person(reason)
        now = self._now()
        granted = Grant(
            id=secrets.token_hex(4),
            root=str(self.root),
            covers=covered(covers, subject),
            subject=subject,
            reason=why,
            who=person.name(),
            granted_at=rfc3339(now),
            until=rfc3339(until(ends, now)),
        )
        self._record(GRANTED, asdict(granted), now)
        return self.find(granted.id)

    def revoke(self, beginning: str, *, reason: str) -> Entry:
        """Take an exception back. Raises as `grant`, and UsageError if there is none that counts."""
        why = self._person(reason)
        found = self.find(beginning)
        if found.status is not Status.VALID:
            raise UsageError(f"The exception {found.grant.id} is {found.status} already.")
        now = self._now()
        taken = Revocation(
            exception=found.grant.id, root=str(self.root), reason=why, who=person.name(), revoked_at=rfc3339(now)
        )
        self._record(REVOKED, asdict(taken), now)
        return self.find(found.grant.id)

    def entries(self) -> list[Entry]:
        """Every exception there was, oldest first. Raises StorageError if the log is damaged."""
        lines = [each for each in decisions.lines(self.root, decisions.LEARNING) if isinstance(each.record, dict)]
        revoked = {
            str(each.record.get("exception")): each.record for each in lines if each.record.get("type") == REVOKED
        }
        return [self._entry(each, revoked) for each in lines if each.record.get("type") == GRANTED]

    def find(self, beginning: str) -> Entry:
        """The exception whose id is, or alone begins with, `beginning`. Raises UsageError."""
        found = [each for each in self.entries() if beginning and each.grant.id.startswith(beginning)]
        if len(found) != 1:
            what = f"{len(found)} exceptions begin with" if found else "No exception is called"
            raise UsageError(f"{what} {beginning!r}; `ralph exceptions list --all` shows those there are.")
        return found[0]

    def covering(self, covers: str, *, subject: str = "") -> Entry | None:
        """The valid exception for exactly this; None if there is none."""
        valid = [each for each in self.entries() if each.status is Status.VALID and each.grant.covers == covers]
        return next((each for each in reversed(valid) if each.grant.subject in ("", subject)), None)

    def _entry(self, line: ledger.Entry, revoked: Mapping[str, Mapping[str, Any]]) -> Entry:
        envelope = str(line.record.get("envelope")).encode("ascii", "replace")
        try:
            granted = self._opened(envelope, f"The exception in line {line.seq} of {decisions.LEARNING}")
        except RalphError as error:
            shown = {field.name: str(line.record.get(field.name, "")) for field in fields(Grant)}
            return Entry(grant=Grant(**shown), status=Status.UNTRUSTED, keyid="", problem=str(error))
        keyid = str(parse_json(envelope)["signatures"][0]["keyid"])
        if taken := revoked.get(granted.id):
            told = f"by {taken.get('who')} at {taken.get('revoked_at')}: {taken.get('reason')}"
            return Entry(grant=granted, status=Status.REVOKED, keyid=keyid, problem=told)
        counts = moment(granted.granted_at) <= self._now() < moment(granted.until)
        return Entry(grant=granted, status=Status.VALID if counts else Status.EXPIRED, keyid=keyid)

    def _opened(self, envelope: bytes, what: str) -> Grant:
        """The exception in an envelope. Raises RalphError saying why it does not count."""
        if config_home().resolve().is_relative_to(self.root):
            raise StorageError(
                f"The configuration folder {config_home()} lies inside the repository, where an agent could put a key; "
                "set XDG_CONFIG_HOME to a folder outside it."
            )
        granted = records.parse(Grant, dsse.unseal(envelope, _TYPES[GRANTED], trusted_keys(), what), what)
        if granted.root != str(self.root):
            raise EvidenceError(f"{what} was granted for {granted.root}, not for this project.")
        return granted

    def _person(self, reason: str) -> str:
        person.refuse_agents(self._environ)
        if not reason.strip():
            raise UsageError("An exception and its end need a reason: give it with --reason.")
        return reason.strip()

    def _record(self, kind: str, payload: dict[str, Any], now: datetime) -> None:
        envelope = dsse.seal(payload, _TYPES[kind], signing_key(outside=self.root)).decode("ascii")
        decisions.append(
            self.root,
            decisions.LEARNING,
            {"type": kind, **payload, "envelope": envelope, "timestamp": rfc3339(now)},
            now=now,
        )


def record_decision(root: Path, environ: Mapping[str, str], kind: str, about: Mapping[str, str], reason: str) -> None:
    """Note a person's decision that excepts nothing (`retry`, `abort`). Raises ApprovalError for an agent."""
    person.refuse_agents(environ)
    if not reason.strip():
        raise UsageError("A decision needs a reason: give it with --reason.")
    now = clock.now()
    record = {"type": kind, **about, "reason": reason.strip(), "decidedBy": person.name(), "timestamp": rfc3339(now)}
    decisions.append(root, decisions.LEARNING, record, now=now)
