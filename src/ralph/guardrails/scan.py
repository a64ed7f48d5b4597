"""The guardrails as one function: what a change does that its policy set forbids.

Rules (spec: governance engine 1.4; design decisions 4, 5, 9):

- v1 is patterns on added lines; a set with rules asks the detectors of `registry` and compares base with head.
- A change in which files moved is judged with their moves as edits, too (`in_place`).
- The rules of the engine (the tree itself, governance files, what cannot be read) apply under every set.
- A file is parsed only when one of its changed lines, or one near them, holds a word of its language's detectors.
- Nothing is silent: a source file that is too large, is no text or makes a detector fail, and an added line with
  such a word where the syntax cannot be read, are findings themselves.
- No finding shows a secret: what looks like one is taken out of its text.
- Tools skip a byte order mark at the start of a source file, and so do the detectors.
- The same change and policy set give the same findings in the same order.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain
from types import MappingProxyType
from typing import cast

from ralph.guardrails.by_answer import by_answer
from ralph.guardrails.by_call import by_call
from ralph.guardrails.by_environment import by_environment
from ralph.guardrails.by_parameter import by_parameter
from ralph.guardrails.by_runner import by_runner
from ralph.guardrails.by_source import by_source
from ralph.guardrails.by_value import by_value
from ralph.guardrails.compare import Places, new_hits
from ralph.guardrails.hiding.releases import without_releases
from ralph.guardrails.in_place import Judged, in_place
from ralph.guardrails.kept_copies import of_others
from ralph.guardrails.languages import language_of, wants_first_line
from ralph.guardrails.model import MODE_GITLINK, MODE_SYMLINK, Blobs, Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.patterns import pattern_hits
from ralph.guardrails.prefilter import Prefilter, forget_texts, prefilter
from ralph.guardrails.registry import change_detectors, family
from ralph.guardrails.released_modules import of_released
from ralph.guardrails.sharing import processes, shared
from ralph.guardrails.side import side_hits
from ralph.guardrails.source import forget
from ralph.guardrails.spelled import Spelled
from ralph.guardrails.texts import CODING_WORD, UnreadableError, decoded
from ralph.guardrails.tree_rules import tree_hits
from ralph.guardrails.unmarked import unmarked
from ralph.policy.model import PolicySet
from ralph.record import record
from ralph.results import Finding
from ralph.system.patterns import later

NOTHING_ACCEPTED: Mapping[str, str] = MappingProxyType({})
DECIDES = later(
    r"(?:^|/)(?:conftest|sitecustomize|usercustomize)\.py$|(?:^|/)(?:spec|rails|test)_helper\.rb$|(?:^|/)main_test\.go$"
    r"|(?:^|/)(?:setup-?tests?|(?:jest|vitest|test)[.-]?setup|setup)\.[cm]?[jt]sx?$"
)
"""Files about how all tests are run: whatever changes in them is about all that is in them."""
LONGEST_SNIPPET, LONGEST_REASON, LONGEST_READ = 200, 1_000, 4_000
"""Characters of what a finding shows, cut behind the redaction: half a secret is still one."""
WORTH_PROCESSES = 20_000
"""Changed lines of files that detectors look at, from which on several processes share the work."""
WORTH_BYTES = 150_000
"""The same of both sides of these files: what was edited in a large file is compared as a whole."""

Side = list[Hit] | UnreadableError
"""The hits of one side of a file, or why it cannot be read."""


def scan(change: Change, policy: PolicySet, accepted: Mapping[str, str] = NOTHING_ACCEPTED) -> tuple[Finding, ...]:
    """The findings, sorted. `accepted`: sha256 of governance files that a person accepted, by path.

    Raises LookupError for a hit whose rule the policy set does not know: that is a defect of Ralph.
    """
    own = _v1_hits(change, policy) if policy.patterns else _v2_hits(without_releases(unmarked(change)))
    hits = chain(tree_hits(change, accepted), of_released(own, change))
    with _collector_resting(), _without_warnings():
        findings = {(hit.rule, hit.path, hit.line, hit.column): _finding(hit, policy) for hit in hits}
    return tuple(sorted(findings.values(), key=Finding.sort_key))


@contextmanager
def _collector_resting() -> Iterator[None]:
    """A scan makes millions of nodes, hardly any of them in cycles: looking for cycles takes a fifth of its time."""
    resting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        forget()
        forget_texts()
        if resting:
            gc.enable()


@contextmanager
def _without_warnings() -> Iterator[None]:
    """What Python has to say of the code that is looked at (`"\\d"`) and its expressions is no news about Ralph."""
    with warnings.catch_warnings():
        for category in (SyntaxWarning, DeprecationWarning, FutureWarning):
            warnings.simplefilter("ignore", category)
        yield


def _finding(hit: Hit, policy: PolicySet) -> Finding:
    if hit.rule not in policy.rules:
        raise LookupError(f"a detector names rule {hit.rule!r}, which policy set {policy.version} does not have")
    from ralph.guardrails.secrets.redact import redacted  # most changes have no finding

    rule = policy.rules[hit.rule]
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        reason=redacted(f"{rule.reason}: {hit.detail}"[:LONGEST_READ])[:LONGEST_REASON] if hit.detail else rule.reason,
        path=hit.path,
        line=hit.line,
        column=hit.column,
        snippet=redacted(hit.snippet.strip()[:LONGEST_READ])[:LONGEST_SNIPPET],
        fix=rule.fix,
    )


def _v1_hits(change: Change, policy: PolicySet) -> Iterator[Hit]:
    from ralph.guardrails.config import v1_tampering

    yield from pattern_hits(change, policy.patterns)
    yield from v1_tampering(change)


def _v2_hits(change: Change) -> Iterator[Hit]:
    found = _judged(change)
    moved = in_place(change)
    yield from chain(*found) if moved is None else moved.judged(found, _judged(moved.change))
    for put_in in (by_value, by_call, by_parameter, by_source, by_environment, by_runner, by_answer):
        yield from _guarded(partial(_put_in, put_in), change)


def _put_in(spelling: Callable[[Change], Spelled | None], change: Change) -> Iterator[Hit]:
    """What is found where something stands in the place of what stands for it."""
    spelled = spelling(change)
    if spelled is not None:
        yield from spelled.counting(chain(*_judged(spelled.change)))


def _judged(change: Change) -> Judged:
    suspects = [suspect for file in change.files if (suspect := _suspect(file, change.blobs)) is not None]
    places = Places(change.files)
    detectors = [
        partial(_guarded, detector, change) for detector in change_detectors(file.path for file in change.files)
    ]
    answers = _all_of((*detectors, *_sides(suspects, change.blobs.after, places)), suspects, change.blobs)
    compared = chain.from_iterable(cast("list[list[Hit]]", answers[: len(detectors)]))
    return Judged(list(compared), list(_source_hits(change, suspects, places, answers[len(detectors) :])))


def _guarded(detector: ChangeDetector, change: Change) -> list[Hit]:
    """The hits of a detector; one that fails leaves a hit, as it did not judge the change."""
    hits: list[Hit] = []
    try:
        hits.extend(detector(change))
    except Exception as error:  # noqa: BLE001 (whatever it dies of, the change was not judged)
        detail = f"comparing the two trees failed ({type(error).__name__}: {error})"
        hits.append(hit_at("scan.unreadable", ".", 0, detail, ""))
    return hits


@record
class _Suspect:
    """A source file whose changed lines hold a word that matters."""

    file: FileChange
    language: str
    words: Prefilter
    parsed: bool
    """Detectors of one side look at it. If not, only those that compare do, and it must be readable for them."""


def _suspect(file: FileChange, blobs: Blobs) -> _Suspect | None:
    if MODE_GITLINK in (file.old_mode, file.new_mode) or file.new_mode == MODE_SYMLINK:
        return None
    language = language_of(file.path)
    if language is None and wants_first_line(file.path):
        content = blobs.after(file.path) or blobs.before(file.path) or b""
        language = language_of(file.path, content.partition(b"\n")[0])
    if language is None:
        return None
    words, compared = _words(language)
    if file.binary:
        blob = b"\n".join((blobs.before(file.path) or b"", blobs.after(file.path) or b"")).replace(b"\0", b"")
    else:
        blob = file.changed_text
    if words.matches(blob) or (file.status == "M" and words.matches(_around(file, blobs))):
        return _Suspect(file, language, words, parsed=True)
    return _Suspect(file, language, compared, parsed=False) if compared and compared.matches(blob) else None


def _around(file: FileChange, blobs: Blobs) -> bytes:
    """What the changed lines may be about."""
    after = blobs.after(file.path) or b""
    return after if DECIDES.search(file.path) else file.near(after)


@cache
def _words(language: str) -> tuple[Prefilter, Prefilter | None]:
    own = family(language)
    coding = (CODING_WORD,) if language == "python" else ()
    compared = prefilter(tuple(own.compared_words)) if own.compared_words else None
    return prefilter((*own.words, *coding)), compared


def _source_hits(change: Change, suspects: Sequence[_Suspect], places: Places, heads: Sequence[Side]) -> Iterator[Hit]:
    """The base is read only if the head has anything to answer for."""
    after: list[Hit] = []
    read: list[_Suspect] = []
    for suspect, side in zip(suspects, heads, strict=True):
        if isinstance(side, UnreadableError):
            yield from _unreadable(suspect, side)
        else:
            after += side
            read.append(suspect)
    if not after:
        return
    before: list[Hit] = []
    sides = _all_of(_sides(read, change.blobs.before, None), read, change.blobs)
    for suspect, side in zip(read, sides, strict=True):
        path = suspect.file.path
        if isinstance(side, UnreadableError):  # it answers for nothing, but the change only for what it added
            after = [hit for hit in after if hit.path != path or places.added(path, hit.line)]
        else:
            before += side
    yield from _revised(new_hits(before, after, change.files), read, change)


def _sides(
    suspects: Iterable[_Suspect], read: Callable[[str], bytes | None], places: Places | None
) -> list[Callable[[], Side]]:
    """What has to be done to look at one side of each file."""
    return [partial(_side_or_why, suspect, read, places) for suspect in suspects]


def _all_of(jobs: Sequence[Callable[[], Side]], suspects: Sequence[_Suspect], blobs: Blobs) -> list[Side]:
    """What comes of all jobs, in their order; those of a large change are done several at once."""
    return shared(jobs, processes() if _is_large(suspects, blobs) else 0)


def _is_large(suspects: Sequence[_Suspect], blobs: Blobs) -> bool:
    files = [suspect.file for suspect in suspects]
    if sum(len(hunk.added) + len(hunk.removed) for file in files for hunk in file.hunks) >= WORTH_PROCESSES:
        return True
    return sum(len(read(file.path) or b"") for file in files for read in (blobs.before, blobs.after)) >= WORTH_BYTES


def _side_or_why(suspect: _Suspect, read: Callable[[str], bytes | None], places: Places | None) -> Side:
    try:
        return _side(suspect, read(suspect.file.path), places)
    except UnreadableError as error:
        return error


def _revised(hits: Sequence[Hit], read: Iterable[_Suspect], change: Change) -> Iterator[Hit]:
    """The hits after each family's last look at its own."""
    languages = {suspect.file.path: suspect.language for suspect in read}
    for language in sorted({languages[hit.path] for hit in hits}):
        own = [hit for hit in hits if languages[hit.path] == language]
        revise = family(language).revise
        yield from of_others(list(revise(own, change)) if revise else own, change)


def _side(suspect: _Suspect, data: bytes | None, places: Places | None) -> list[Hit]:
    if data is None:
        return []
    path = suspect.file.path
    if not suspect.parsed:
        decoded(suspect.language, data)
        return []
    return side_hits(
        path, suspect.language, data, suspect.words, lambda line: places is None or places.added(path, line)
    )


def _unreadable(suspect: _Suspect, error: UnreadableError) -> Iterator[Hit]:
    """One hit, on the first added line with a word; none if the change only took such lines away."""
    file = suspect.file
    found = next(((number, line) for number, line in file.added() if suspect.words.matches(line)), None)
    if found is None and not file.binary:
        return
    number, line = found or (0, b"")
    yield hit_at("scan.unreadable", file.path, number, str(error), line.decode("utf-8", "replace").strip())
