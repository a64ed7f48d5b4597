"""Keys, tokens and passwords on added lines (policy set v2, class S01).

Rules:

- What has the form of a service's key, a private key, a password in an address or chance under a telling name blocks.
- In tests, samples and documentation, where keys are mostly made up, a person looks; and wherever only the name speaks.
- A key of a documentation's search, which every browser gets (`public`), is for a person.
- A secret that the change took from another place is no news (it is still there in the history).
- The finding shows the line without the secret.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.secrets.find import Secret, secrets_in, words_in
from ralph.guardrails.secrets.public import only_searches
from ralph.guardrails.secrets.redact import redacted_bytes
from ralph.record import replace
from ralph.system.patterns import later

SAMPLE = later(
    r"(?i)\.(?:md|mdx|rst|adoc|txt|ipynb|html?)$|\.(?:example|sample|template|dist)$|(?:example|sample|template)\.\w+$"
    r"|(?:^|[/_.-])(?:docs?|examples?|samples?|demos?|tutorials?|cassettes?|fixtures?|mocks?|dummy\w*|fakes?|stubs?"
    r"|tests?"
    r"|testing|\w+[-_]tests?)(?:[/_.-])"
)
"""Documentation, samples and whatever calls itself a test or made up."""

LOCKS = later(
    r"(?i)(?:^|/)(?:[\w.-]*lock(?:file)?[\w.-]*\.(?:json|ya?ml|toml)|[\w.-]+\.lock|go\.sum|[\w.-]*\.min\.\w+"
    r"|[\w.-]+\.map)$"
)
"""Files full of checksums: only what is certain by its form counts in them."""

RULES = {
    "key": "secret.key",
    "private-key": "secret.private-key",
    "password": "secret.password",
    "possible": "secret.possible",
}


def secrets(change: Change) -> Iterable[Hit]:
    files = [file for file in change.files if file.new_mode[:3] == "100" and file.hunks]
    added = [file.added_text for file in files]
    words = words_in(added)
    found = [each for file, blob in zip(files, added, strict=True) for each in _in_file(file, blob, words)]
    if not found:
        return
    gone = Counter(_taken_away(change))
    for value, each in found:
        if gone[value]:
            gone[value] -= 1
        else:
            yield replace(each, rule=RULES["possible"]) if _is_public(each, change) else each


def _is_public(hit: Hit, change: Change) -> bool:
    if hit.rule != RULES["password"]:
        return False
    return only_searches((change.blobs.after(hit.path) or b"").decode("utf-8", "replace").split("\n"), hit.line)


def _in_file(file: FileChange, blob: bytes, words: frozenset[bytes]) -> Iterator[tuple[str, Hit]]:
    """What is secret, as a digest, and the hit."""
    secrets = list(secrets_in(blob, words))
    if not secrets:
        return
    numbers = [number for hunk in file.hunks for number in range(hunk.new_start, hunk.new_start + len(hunk.added))]
    starts = [0]
    for line in blob.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    for secret in secrets:
        rule = _rule(file.path, secret)
        if rule is None:
            continue
        row = bisect_right(starts, secret.start) - 1
        snippet = redacted_bytes(blob[starts[row] : max(starts[row + 1] - 1, secret.end)]).partition(b"\n")[0]
        digest = _digest(blob, secret)
        yield (
            digest,
            Hit(
                rule=rule,
                path=file.path,
                line=numbers[row],
                column=secret.start - starts[row] + 1,
                key=f"{secret.name} {digest}",
                snippet=snippet.decode("utf-8", "replace").strip(),
                detail=secret.name,
            ),
        )


def _rule(path: str, secret: Secret) -> str | None:
    if LOCKS.search(path) and secret.sort in ("password", "possible"):
        return None
    made_up = TEST_PLACE.search(path) is not None or is_sample(path) or SAMPLE.search(path) is not None
    if made_up:
        return None if secret.sort == "possible" else "secret.in-sample"
    return RULES[secret.sort]


def _taken_away(change: Change) -> Iterator[str]:
    removed = [b"\n".join(line for hunk in file.hunks for line in hunk.removed) for file in change.files]
    words = words_in(removed)
    for blob in removed:
        yield from (_digest(blob, secret) for secret in secrets_in(blob, words))


def _digest(blob: bytes, secret: Secret) -> str:
    return hashlib.sha256(blob[secret.start : secret.end]).hexdigest()


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (secrets,)
