"""Results of checks that a command rewrites before anything reads them (policy set v2, class G17).

Rule: a check writes a file, a command behind it changes what that file says of failures, findings or coverage, in
place, by a copy that takes its place or by a line of a program (`python -c`), or puts a file of the tree or nothing
there, and something behind that reads it. What only gives paths, names or times another form says nothing else, and
what is read into a file of its own leaves the result as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.programs.known import kind_of
from ralph.guardrails.checks.spoken import Spoken, spoken
from ralph.guardrails.config.node import names
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import FileChange, Hit
from ralph.system.patterns import later

EDITORS = frozenset(names("sed gsed perl ruby awk gawk sd rpl jq yq xq dasel xmlstarlet xml"))
INSTEAD = frozenset(names("echo printf"))
MOVERS = frozenset(names("mv cp install"))
IN_PLACE = later(r"-[a-zA-Z]*i\S*|--in-?place\S*|inplace|-L|ed")
ALWAYS = frozenset(names("sd rpl"))
RESULT = later(r"(?:\$\{?\w+\}?|[\w.~*/-])*[\w.*-]\.(?:xml|json|sarif|info|lcov|trx|tap|txt|log|out|csv|html)")
VERDICT = later(
    r"(?i)fail|\berrors?\b|\bskipped\b|(?:line|branch)-?rate|\bcovered\b|\bmissed\b|\bhits\b|severity|\boutcome\b"
    r"|\bstatus\b|exit_?code|\bsuccess|\bpassed\b|vulnerab|\blevel\b|\bpct\b|percent|\bL[HF]:|\bDA:|\bnot ok\b"
    r"|\bviolations?\b|\bwarnings?\b"
)
WORDS = later(
    rb"(?i)\b(?:g?sed|perl|ruby|g?awk|sd|rpl|jq|yq|xq|dasel|xmlstarlet|sponge|printf|echo|truncate)\b"
    rb"|\b(?:cp|mv|install|git (?:checkout|restore))\s"
    rb"|\b(?:python[\d.]*|node|deno|bun|php|pwsh)\s+-{0,2}(?:c|e|r|eval|p|command)\b"
)
PROGRAMS = later(r"(?:python[\d.]*|node|deno|bun|php|pwsh|ruby|perl)")
WRITES = later(
    r"\bwrite_(?:text|bytes)\(|\.write\(|\bopen\([^)]*['\"][wa]|\bwriteFile(?:Sync)?\(|\.dump\(|\bfile_put_contents\("
    r"|\b(?:File|IO)\.write\b|\b(?:Set|Out)-(?:Content|File)\b"
)
HERE = later(r"^(?:\./|\$\{?(?:PWD|GITHUB_WORKSPACE|CI_PROJECT_DIR|WORKSPACE)\}?/|\$\(pwd\)/)+")
NOTHING = "/dev/null"
INTO = r"(?:>\|?\s*|\b(?:sponge|tee)\s+)[\"']?"
Doctored = tuple[Spoken, str]


def may_doctor(file: FileChange) -> bool:
    return file.binary or WORDS.search(file.added_text) is not None


def doctored_hits(paths: Sequence[str], before: Side, after: Side) -> Iterator[Hit]:
    """What the base did already, wherever it stood, is nothing new."""
    old = Counter(_key(found) for path in paths for found in _doctored(before, path))
    for path in paths:
        for found in _doctored(after, path):
            if old[_key(found)] > 0:
                old[_key(found)] -= 1
                continue
            said, result = found
            yield said.hit("evidence.fake-output", path, f"{said.words[0]} rewrites {result} before it is read")


def _key(found: Doctored) -> tuple[str, str]:
    return found[0].words[0], found[1]


def _doctored(side: Side, path: str) -> Iterator[Doctored]:
    made: set[str] = set()
    copies: dict[str, str] = {}
    text = side.text(path) or ""
    lines = text.split("\n") if WORDS.search(text.encode()) else []
    for said in spoken(side, path) if lines else ():
        if said.variable:
            continue
        if kind_of(said.words) is not None:
            made |= _named(said)
            continue
        for result in sorted(_changed(said, made, copies) or _put_there(said, made, side)):
            if _is_read(result, lines[said.line :]):
                yield said, result


def _named(said: Spoken) -> set[str]:
    """Files that a command of a check names, and may write."""
    words = (part for word in said.words for part in re.split(r"[=:,]", word))
    target = re.search(rf"{INTO}(?P<file>[^\s\"'&|;]+)", said.line_text)
    plain = (word.strip("\"'") for word in (*words, target["file"] if target else ""))
    return {_from_here(word) for word in plain if RESULT.fullmatch(word)}


def _from_here(word: str) -> str:
    """A path as it is seen from where the commands run."""
    return HERE.sub("", word)


def _changed(said: Spoken, made: set[str], copies: dict[str, str]) -> set[str]:
    """The results that a command changes; what it makes of one for another file is kept in `copies`."""
    program = said.words[0].rpartition("/")[2]
    if program in MOVERS and len(said.words) > 2 and copies.get(said.words[-2]) == said.words[-1]:
        return {said.words[-1]}
    if PROGRAMS.fullmatch(program) and (text := " ".join(said.words[1:])) and WRITES.search(text):
        return {result for result in made if result in text} if VERDICT.search(text) else set()
    if program not in EDITORS | INSTEAD:
        return set()
    named = made.intersection(map(_from_here, said.words[1:]))
    told = " ".join(word for word in said.words[1:] if _from_here(word) not in named)
    if VERDICT.search(told) is None:
        return set()
    into = {result for result in made if re.search(rf"{INTO}{re.escape(result)}", said.line_text)}
    if program in INSTEAD:
        return into
    for match in re.finditer(rf"{INTO}(?P<copy>[^\s\"'&|;]+)", said.line_text) if named else ():
        copies[match["copy"]] = min(named)
    edits = program in ALWAYS or any(IN_PLACE.fullmatch(word) for word in said.words[1:-1])
    return (named if edits else set()) | (into & named)


def _put_there(said: Spoken, made: set[str], side: Side) -> set[str]:
    """The result in whose place a file of the tree, or nothing, stands now."""
    program, words = said.words[0].rpartition("/")[2], said.words
    if program == "truncate" or (program == "git" and words[1:2] in (("checkout",), ("restore",))):
        return made.intersection(words)
    if program not in MOVERS or len(words) < 3 or words[-1] not in made:
        return set()
    kept = words[-2] == NOTHING or words[-2].removeprefix("./") in side.paths
    return {words[-1]} if kept else set()


def _is_read(result: str, rest: Sequence[str]) -> bool:
    """Something behind the command names the file, or all files of its folder."""
    folder, _, name = result.rpartition("/")
    form = re.compile(rf"{re.escape(name)}|{re.escape(folder)}/(?:\*|\s|$)" if folder else re.escape(name))
    return any(form.search(line) for line in rest if not line.strip().startswith("#"))
