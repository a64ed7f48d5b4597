"""The court of one turn of a run: what an agent's calls are judged by, wherever they are asked about.

Rules (design decisions 5, 24, 25, 33):

- In a run the policy is the one that the run began with, `policy.json` of its folder, narrowed to what the phase may
  do; what stands in the repository meanwhile counts for the next run.
- Ralph's own process answers directly (`answer`). A client whose hooks are processes of their own gets `environment`:
  `RALPH_TURN` names the turn's folder, below `.ralph/runs/` of the project, where `court.json` says the same, sealed.
  A court that is broken, of another project, client or turn, or by somebody else, denies.
- Every decision is in `decisions.jsonl` before the client learns of it; whatever goes wrong denies, with a sentence.
- Codex reads files by commands alone, so in a phase without a shell it may run those that only read.
- Ralph's own tools change only what Ralph checks itself: they are allowed, and written down like any other.
- Any number of threads may ask at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from ralph.errors import RalphError
from ralph.hook import docket, main, seals
from ralph.hook.judge import Court, Ruling, judge
from ralph.hook.model import Answer, Call, RefusedError
from ralph.permissions.capabilities import Capabilities
from ralph.permissions.disk import here
from ralph.permissions.loader import parse
from ralph.permissions.model import Permissions
from ralph.permissions.narrowing import narrowed
from ralph.record import asdict, record, replace

OWN = "mcp__ralph__"
"""How the names of Ralph's tools begin (`mcp.model.PREFIX`)."""
TURN = "RALPH_TURN"
READS_BY_COMMAND = frozenset({"codex"})
POLICY = "policy.json"
COURT = "court.json"
_KIND = "court"


@record(kw_only=True)
class TurnCourt:
    """`folder` is the turn's, `<root>/.ralph/runs/<run>/turns/<turn>`; both are real paths. `permissions` are narrowed.

    `wait_s`: how long a call waits for a person. The run's policy is in its folder, see `run_policy.keep`.
    """

    root: Path
    permissions: Permissions
    client: str
    folder: Path
    session: str = ""
    wait_s: float = main.WAIT_S

    def answer(self, call: Call) -> Answer:
        """What the client is told about a call. Never raises."""
        rule = ""
        try:
            ruling = self._judged(call)
            rule = ruling.decisions[0].rule if ruling.decisions else ""
            answer = main.confined(call, ruling, self._law(), self.root, self._published)
        except RalphError as error:
            answer = Answer(False, str(error))
        except Exception as error:  # noqa: BLE001 - an error that got away could let the tool run
            answer = Answer(False, f"Ralph failed ({type(error).__name__}: {error}), so nothing is allowed.")
        try:
            docket.note(self.folder, call, answer, rule)
        except Exception as error:  # noqa: BLE001 - as above
            return Answer(False, f"The decision could not be written down ({error}), so nothing is allowed.")
        return answer

    def environment(self) -> Mapping[str, str]:
        """What binds the hooks of a client's process to this court. Raises RefusedError, OSError."""
        return {TURN: self._published()}

    def _judged(self, call: Call) -> Ruling:
        if call.tool.startswith(OWN):
            return Ruling(Answer(True, f"{call.tool} is a tool of Ralph's own."))
        return judge(call, Court(permissions=self._law(), place=here(self.root), wait_s=self.wait_s))

    def _law(self) -> Permissions:
        """The permissions, as they are meant for this client."""
        if self.client not in READS_BY_COMMAND:
            return self.permissions
        looking = tuple(replace(each, look=True) for each in self.permissions.narrowed_to)
        return replace(self.permissions, narrowed_to=looking)

    def _published(self) -> str:
        """The turn's folder, once `court.json` stands there for other processes."""
        place = _place(self.root, self.folder)
        _document(self.folder, self.permissions.digest)
        body = {
            "root": str(self.root),
            "folder": str(self.folder),
            "client": self.client,
            "digest": self.permissions.digest,
            "source": self.permissions.source,
            "narrowed_to": [asdict(each) for each in self._law().narrowed_to],
        }
        data = seals.sealed(json.dumps(body, sort_keys=True).encode("ascii"), _KIND)
        if not place.exists() or seals.read(place) != data:
            temporary = place.with_name(f".{os.urandom(8).hex()}.tmp")
            seals.create(temporary, data)
            temporary.replace(place)
        return str(self.folder)


def seated(root: Path, folder: Path) -> TurnCourt:
    """The court that Ralph put into a turn's folder. Raises RalphError if none stands there that counts here."""
    place = _place(root, folder)
    try:
        body = seals.opened(seals.read(place), _KIND)
    except OSError as error:
        raise RefusedError(f"{place} cannot be read ({error.strerror}), so nothing is allowed.") from None
    if body is None:
        raise RefusedError(f"{place} was not made by Ralph, so nothing is allowed.")
    said = json.loads(body)
    if (said["root"], said["folder"]) != (str(root), str(folder)):
        raise RefusedError(f"{place} is the court of another turn, so nothing is allowed.")
    permissions = parse(_document(folder, said["digest"]), said["source"])
    for each in said["narrowed_to"]:
        write = None if each["write"] is None else tuple(each["write"])
        permissions = narrowed(permissions, Capabilities(**{**each, "write": write}))
    return TurnCourt(root=root, permissions=permissions, client=said["client"], folder=folder)


def for_hook(root: Path, folder: Path, client: str, wait_s: float) -> TurnCourt:
    """The court for a hook of this client. Raises RefusedError."""
    court = seated(root, folder)
    if court.client != client:
        raise RefusedError(f"This turn belongs to {court.client}, not to {client}, so nothing is allowed.")
    return replace(court, wait_s=wait_s)


def _place(root: Path, folder: Path) -> Path:
    """Where the court of a turn stands. Raises RefusedError for any other folder."""
    runs = root / ".ralph" / "runs"
    parts = folder.relative_to(runs).parts if folder.is_relative_to(runs) else ()
    if len(parts) != 3 or parts[1] != "turns" or ".." in parts:
        raise RefusedError(f"{folder} is no turn of a run in {root}, so nothing is allowed.")
    return folder / COURT


def _document(folder: Path, digest: str) -> bytes:
    """The policy that the run began with. Raises RefusedError."""
    place = folder.parent.parent / POLICY
    try:
        data = seals.read(place)
    except OSError as error:
        raise RefusedError(f"The run's policy {place} cannot be read: {error.strerror}.") from None
    if sha256(data).hexdigest() != digest:
        raise RefusedError(f"{place} is not the policy that this run began with, so nothing is allowed.")
    return data
