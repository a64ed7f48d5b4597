"""Commands of git that a program of the project spells, and that run no hook (policy set v2, class G16).

    git("push", "--no-verify", "origin", tag)        execSync("git commit -nm release")        env: { HUSKY: "0" }

Rules: a script of another language says the same as a shell script, and no reader of commands reads it. Words beside
`--no-verify` between the same brackets, or before it in the statement, say what it is given to; a whole command in one
text counts where something runs it. It blocks where the project has hooks, in what the project runs itself: a script by
its folder, or a file that its commands name. What somebody is asked for (a condition, an option of the script) is for
them to say, and a line that only went elsewhere is nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.hooks.bypass import COMMIT_VERBS, no_verify
from ralph.guardrails.checks.hooks.bypass_names import NO_HOOKS_IF_SET
from ralph.guardrails.checks.hooks.libraries import has_hooks
from ralph.guardrails.checks.hooks.plumbing import past_settings
from ralph.guardrails.checks.programs.spelled_commands import STRING, strings
from ralph.guardrails.checks.spoken import spoken
from ralph.guardrails.common.brackets import closed, opened
from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.command_files.shellwords import commands
from ralph.guardrails.config.side import Side
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NO_PROGRAMS = frozenset(("shell", "cpp", "vue"))
OTHER_SHELLS = (".ps1", ".psm1", ".bat", ".cmd", ".fish", ".nu", ".xsh")
MORE_LANGUAGES = (
    ".pl",
    ".groovy",
    ".gradle",
    ".scala",
    ".ex",
    ".exs",
    ".lua",
    ".swift",
    ".dart",
    ".fs",
    ".fsx",
    ".clj",
)
SCRIPTS = later(
    r"(?i)^[^/]+$|(?:^|/)(?:scripts?|tools?|bin|hack|ci|\.ci|dev|devtools|\.github|\.husky|release|releasing|tasks?|xtask|build"
    r"|build-tools|ops|etc|utils?/release|cmd/(?:release|publish|deploy)\w*)/"
    r"|(?:^|/)(?:release|publish|deploy|bump)[\w.-]*$"
)
"""Where a project keeps what it runs itself, and what such a file is called."""
OFF = r"[\"'`]?\)?\]?\s*(?:=>|=|:|,)\s*[\"'`]?"
IGNORED = "|".join(sorted(NO_HOOKS_IF_SET))
ENVIRONMENT = later(rf"\b(?:(?:HUSKY|LEFTHOOK){OFF}(?:0|false)\b|(?:{IGNORED}){OFF}(?:1|true)\b)")
WORTH = later(rb"(?i)--no-v|core\.hookspath|HUSKY|LEFTHOOK|HOOKS|ALLOW_NO_CONFIG|OVERCOMMIT")
NAMES = later(rb"(?i)\bgit(?:\.exe)?\b|simple.?git|nodegit")
SHORT = later(rb"[\"'` ]-[a-zA-Z]*n[a-zA-Z]*[\"'` ]")
COMMITS = later(r"\b(?:commit|push|merge|rebase|cherry-pick|am|pull)\b")
VERB = later(r"(?:-c\s+\S+\s+)?(?:commit|push|merge|rebase|cherry-pick|am|pull)\s")
PROGRAM = later(r"(?:\S*/)?git(?:\.exe)?")
OF_GIT = later(r"(?:\bgit(?:\.exe)?[\"']\s*,|\b[gG]it\w*!?\s*[(`]|\bgit)\s*[\"'`]?$")
"""The program, or a function that is called like it, before the rest of a command."""
OPTION = later(r"-[a-zA-Z]{0,3}n[a-zA-Z]{0,3}|--no-v\w*|core\.hooks[pP]ath=.*")
ASKED = later(
    r"\b(?:if|unless|when|elif)\s*\((?:[^()]|\([^()]*\))*\)|\b(?:if|unless|when|elif|else)\b[^\n]*(?::(?!=)|\{|\bthen\b)"
)
CHOSEN = later(rf"\?|&&|\|\||\bif\b|\band\b|\bor\b|\bfilter\b|{ASKED.pattern}")
"""Somebody decides whether it is said."""
BEHIND = later(r"[ \t]*[)\]]*[ \t]*(?:if|unless)\b")
WISHES = later(
    r"(?i)^\s*(?:\}\s*)?(?:(?:else\s*)?if|elif|elsif|unless|when|case)\b.*(?:verif|hook|opt|arg|flag|quick|fast|force|skip)"
)
"""A condition around it that asks for what somebody wants."""
RUNNER = (
    r"(?:\b(?!\w*(?:error|warn|print|log|message|hint|exception))"
    r"\w*(?:exec|spawn|run|shell|system|popen|command|cmd|process|capture|passthru|call|output)\w*!?|\bsh|\bgit|\$|\bstart)"
)
GIVEN = later(rf"(?i){RUNNER}(?:\s*\(\s*(?:[\w\"'-]+,\s*){{0,3}}| )$")
TAGGED = later(rf"(?i){RUNNER}$")
NAMED = later(r"(?:^|\n)[ \t]*(?:(?:const|let|var|final|val|my|auto|[sS]tring)\s+)*\$?(?P<name>\w+)\s*:?=\s*$")
BACKTICKS = ("ruby", "php")
"""Languages in which what stands between them is run."""
GOES_ON = later(r"[ \t]*[.)\]]")
FOLLOWED = 600


def by_programs(change: Change) -> Iterator[Hit]:
    wanted = [file for file in change.files if _is_program(file.path) and _may_pass_hooks(file, change)]
    found = [(file, *each) for file in wanted for each in _new(change, file)]
    if not found or not has_hooks(change):
        return
    after = Side(change.blobs.after, change.blobs.paths_after())
    before = sum(
        line.count(b"no-verify") + line.count(b"hooksPath")
        for file in change.files
        if not is_support(file.path)
        for line in file.removed()
    )
    for file, number, shown in found[before:]:
        known = {said.line for said in spoken(after, file.path) if COMMIT_VERBS.intersection(said.words)}
        if number not in known and _is_run(file.path, after):
            yield hit_at("vcs.hooks-bypassed", file.path, number, cut(shown, 120))


def _may_pass_hooks(file: FileChange, change: Change) -> bool:
    if is_in(WORTH, file.added_text):
        return True
    return is_in(NAMES, change.blobs.after(file.path) or b"") and SHORT.search(file.added_text) is not None


def _is_program(path: str) -> bool:
    if is_support(path):
        return False
    language = language_of(path)
    return path.endswith((*OTHER_SHELLS, *MORE_LANGUAGES)) or (language is not None and language not in NO_PROGRAMS)


def _is_run(path: str, side: Side) -> bool:
    """A script by its place, or a file that a command of the project names."""
    if SCRIPTS.search(path):
        return True
    name = path.rpartition("/")[2]
    return any(name in (side.text(each) or "") for each in command_files(side))


def _new(change: Change, file: FileChange) -> Iterator[tuple[int, str]]:
    """(line, what it says), where a line of it is new."""
    text = (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
    if not COMMITS.search(text):
        return
    seen: set[int] = set()
    every = _of_lines(text) if file.path.endswith(OTHER_SHELLS) else _said(text, file.path)
    for at, shown in every:
        number = text.count("\n", 0, at) + 1
        if number in file.added_numbers and number not in seen and not _is_wished(text, at):
            seen.add(number)
            yield number, shown


def _of_lines(text: str) -> Iterator[tuple[int, str]]:
    """Shells of other families: a command is a line."""
    for match in re.finditer(r"(?mi)^[ \t]*(?:&\s*|call\s+|@)?(git(?:\.exe)?[ \t][^\n]*)", text):
        if _passes_by(match[1]):
            yield match.start(1), match[1].strip()


def _said(text: str, path: str) -> Iterator[tuple[int, str]]:
    for match in STRING.finditer(text):
        said = match[1] or match[2] or match[3] or ""
        if _in_comment(text, match.start()):
            continue
        if OPTION.fullmatch(said):
            words = _words(text, match)
            if words and _is_bypass(words):
                yield match.start(), " ".join(("git", *words))
        elif VERB.match(said) and OF_GIT.search(text, max(0, match.start() - 60), match.start()):
            if _passes_by(f"git {said}"):
                yield match.start(), f"git {said}"
        elif "git" in said and COMMITS.search(said) and _passes_by(said) and _is_started(text, match, path):
            yield match.start(), said
    for match in ENVIRONMENT.finditer(text):
        if not _in_comment(text, match.start()) and re.search(r"[\"'` ]git\b", text):
            yield match.start(), match[0]


def _words(text: str, flag: re.Match[str]) -> list[str]:
    """The words of git that an option is said with: from its verb on."""
    if not re.search(r"(?:[\[(,]|<<|\w\s|\+=)\s*$", text[max(0, flag.start() - 80) : flag.start()]):
        return []
    if not re.match(r"\s*(?:[\]),;]|$)", text[flag.end() : flag.end() + 80], re.MULTILINE):
        return []
    begin = opened(text, flag.start() - 1, FOLLOWED)
    end = closed(text, begin, 2 * FOLLOWED) if begin is not None else None
    if begin is not None and end is not None:
        words = _from_verb([*strings(text[begin : flag.start()]), *strings(text[flag.start() : end])])
        if words:
            line = text[text.rfind("\n", 0, begin) + 1 : begin]
            return [] if ASKED.search(line) or BEHIND.match(text, end) else words
    start = _statement(text, flag.start() if begin is None else begin)
    if CHOSEN.search(text, start, flag.start()) or BEHIND.match(text, flag.end()):
        return []
    return _from_verb(strings(text[start : flag.end()])) or _of_list(text, start, flag)


def _statement(text: str, at: int) -> int:
    """Where the statement around a place begins: a line may go on with a member, or after a bracket or a comma."""
    start = text.rfind("\n", 0, at) + 1
    for _ in range(12):
        above = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
        if not start or not (GOES_ON.match(text, start) or above.rstrip().endswith(("(", "[", ",", "\\"))):
            break
        start -= len(above) + 1
    return start


def _of_list(text: str, start: int, flag: re.Match[str]) -> list[str]:
    """`args.push("--no-verify")`, as deep in the code as the list with the verb is made."""
    line = text[text.rfind("\n", 0, flag.start()) + 1 : flag.start()]
    adds = re.match(r"(\s*)(?:\w+\.)?(\w+)(?:\.(?:push|append|add|extend|arg|args)\b|\s*(?:\+=|<<))", line)
    if adds is None:
        return []
    made = re.compile(rf"(?m)^{adds[1]}(?:\w+[ \t]+){{0,3}}{re.escape(adds[2])}\b[^\n=]*:?=[^\n]*")
    above = [match for match in made.finditer(text, 0, start + len(adds[1])) if match.start() < flag.start()]
    if not above:
        return []
    # Nothing less deep stands between: the list would be another function's.
    between = text[above[-1].end() : flag.start()]
    if any(row.strip() and len(row) - len(row.lstrip()) < len(adds[1]) for row in between.split("\n")[1:-1]):
        return []
    return _from_verb([*strings(above[-1][0]), flag[0].strip("\"'`")])


def _is_wished(text: str, at: int) -> bool:
    """A condition around a place asks whether somebody wants it."""
    lines = text[:at].split("\n")
    deep = len(lines[-1]) - len(lines[-1].lstrip())
    for line in reversed(lines[:-1]):
        own = len(line) - len(line.lstrip())
        if line.strip() and own < deep:
            deep = own
            if WISHES.search(line):
                return True
    return False


def _from_verb(words: list[str]) -> list[str]:
    at = next((index for index, word in enumerate(words) if word in COMMIT_VERBS), None)
    if at is None:
        return []
    if (program := next((index for index, word in enumerate(words[:at]) if PROGRAM.fullmatch(word)), None)) is not None:
        return words[program + 1 :]
    while at > 1 and words[at - 2] in ("-c", "-C"):
        at -= 2
    return words[at:]


def _is_bypass(words: list[str]) -> bool:
    if any(re.match(r"core\.hooks[pP]ath=", word) for word in words):
        return True
    rest = past_settings(words)
    return bool(rest) and rest[0] in COMMIT_VERBS and no_verify(rest[0], rest[1:])


def _passes_by(said: str) -> bool:
    if not re.match(r"\s*(?:\w+=\S*\s+|cd\s+\S+\s*(?:&&|;)\s*)*(?:\S*/)?git(?:\.exe)?\s", said) and " git " not in said:
        return False
    called = (command.words for command in commands(said, {}) if command.words)
    return any(words[0] == "git" and _is_bypass(list(words[1:])) for words in called)


def _is_started(text: str, match: re.Match[str], path: str) -> bool:
    """Something runs it, or runs what it is called."""
    before = text[max(0, match.start() - 120) : match.start()]
    if match[0][0] == "`" and (TAGGED.search(before) or language_of(path) in BACKTICKS or path.endswith(".pl")):
        return True
    if GIVEN.search(before):
        return not ASKED.search(before.rpartition("\n")[2]) and not BEHIND.match(text, match.end())
    name = NAMED.search(before)
    return name is not None and re.search(rf"(?i){RUNNER}[ (]\(?\s*\$?{name['name']}\b", text) is not None


def _in_comment(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return re.match(r"\s*(?:#(?!!)|//|/?\*|--\s)", line) is not None or " // " in line


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (by_programs,)
