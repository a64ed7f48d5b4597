"""Commands and variables that pass by hooks, pipelines and tools, wherever they are written (classes G15, G16, G17).

Hits of base and head are compared as multisets: what moved or stood there before is nothing new.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.checks.code import is_code
from ralph.guardrails.checks.evidence.told_results import is_measured
from ralph.guardrails.checks.hooks.bypass_names import (
    DANGEROUS_VARIABLES,
    NO_HOOKS_IF_SET,
    OF_TESTS,
    SET,
    SNAPSHOT_VARIABLES,
)
from ralph.guardrails.checks.hooks.files import hooks_off
from ralph.guardrails.checks.hooks.installers import installers_gone
from ralph.guardrails.checks.hooks.plumbing import makes_a_commit, moves_a_branch, past_settings
from ralph.guardrails.checks.hooks.private_rules import hides_diffs, private_rules
from ralph.guardrails.checks.replaced_tools.impostors import OF_PROGRAMS, stands_in
from ralph.guardrails.checks.replaced_tools.written import writes_a_tool
from ralph.guardrails.checks.spoken import Spoken, spoken
from ralph.guardrails.config.command_files.containers import is_compose
from ralph.guardrails.config.command_files.surroundings import OF_DEVELOPERS
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import FileChange, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

Found = tuple[str, str]
"""(rule, what was found)"""

COMMIT_VERBS = frozenset(("commit", "push", "merge", "rebase", "am", "cherry-pick", "pull"))
HOOK_FOLDERS = frozenset(
    ("husky", "husky/_", "githooks", "hooks", "git-hooks", "scripts/hooks", "scripts/git-hooks", "tools/hooks")
)
FORCED = later(r"--force(?!-with-lease|-if)|-[a-z]*f[a-z]*$|\+\w")
GENERATED_REF = later(r"pages|--tags|refs/tags|tag")
SKIPS_CI = later(
    r"\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|skip-checks: *true|\*\*\*NO_CI\*\*\*", re.IGNORECASE
)
HOOKS = later(r"(?i)hook|husky")
NO_HOOKS = later(
    r"(?i)(?:^|[/._-])(?:no|non|without|empty|disabled?|skip|fake|dummy|null|void)[._-]?(?:git[._-]?)?(?:hook|husky)"
    r"|hooks?[._-]?(?:off|disabled|empty|none|null|void)\b"
)
"""What somebody calls a folder that has none."""
HOOK_MANAGERS = frozenset(("husky", "pre-commit", "prek", "lefthook", "simple-git-hooks", "yorkie"))
SUMMARY = later(
    r"\b\d+ (?:tests? )?(?:passed|passing|succeeded)\b|\btests? result: ok\b|\ball (?:tests|checks) pass"
    r"|\bOK \(\d+ tests?|\b0 (?:errors|failures|failed|problems|vulnerabilities)\b|\bBUILD SUCCESS"
    r"|^ok\s+\S+\s+[\d.]+s|Success: no issues found|\bAll checks passed!?$",
    re.IGNORECASE,
)
WORDS = prefilter(
    (
        r"\bbin/|info/(?:attributes|exclude)|GIT_EXTERNAL|chmod|/dev/stdin|OVERCOMMIT|CAPTAINHOOK|GITHOOKS|LEFTHOOK|HUSKY",
        r"\b(?:git|gh|husky|lefthook|simple-git-hooks|prek|hooks?|uninstall|script-shell)\b",
        r"pre[-_]commit|\.husky|githooks|SKIP|PATH|PRELOAD|BASH_ENV|OPTIONS|RUSTFLAGS|RUBYOPT|PERL5OPT|GIT_CONFIG",
        r"PYTEST|OPTIMIZE|python.*-\w*O|TOOL_OPTIONS|UPDATE|REGEN|RECORD|GOLDEN|SNAPSHOT|INSTA|BLESS|TRYBUILD|APPROVAL|EXPECT",
        r"passed|passing|succe|result|failures|errors|problems|vulnerab|checks|tests|^.*\bok\b",
    )
)


def speaks(file: FileChange) -> bool:
    """True if a changed line holds a word of these rules."""
    if is_sample(file.path) or is_code(file.path):
        return False
    lines = (line for hunk in file.hunks for line in (*hunk.removed, *hunk.added))
    return file.binary or WORDS.matches(b"\n".join(lines))


def bypass_hits(paths: Sequence[str], before: Side, after: Side) -> Iterator[Hit]:
    old = Counter((rule, text) for path in paths for _, rule, text in _findings(before, path))
    for path in paths:
        for place, rule, text in _findings(after, path):
            if rule == "env.variable" and (rule, text) in old:
                continue  # the same variable beside another command
            if old[(rule, text)] > 0:
                old[(rule, text)] -= 1
                continue
            yield place.hit(rule, path, text)
    yield from installers_gone(paths, before, after)


def _findings(side: Side, path: str) -> Iterator[tuple[Spoken, str, str]]:
    everything = [*spoken(side, path), *_of_surroundings(side, path)]
    moves = any(map(moves_a_branch, everything))
    for said in everything:
        if moves and not said.variable and makes_a_commit(said):
            yield said, "vcs.hooks-bypassed", cut(" ".join(said.words), 120)
        for rule, text in _of_variable(said, side) if said.variable else _of_command(said, path, side):
            shadows = rule == "env.tool-path" and _holds_impostor(side, said.words[1])
            yield said, "env.tool-shadowed" if shadows else rule, text


def _of_surroundings(side: Side, path: str) -> Iterator[Spoken]:
    """Variables of the environment in which people work; of those of containers, what only tests ask for."""
    developers = OF_DEVELOPERS.search(path) is not None
    if developers or is_compose(path.rpartition("/")[2].lower()):
        for name, value, line in SET.of(side.bytes(path) or b""):
            if developers or name in OF_TESTS or SNAPSHOT_VARIABLES.fullmatch(name):
                yield Spoken((name, value), line, f"{name}={value}", variable=True, exported=True)


def _of_command(said: Spoken, path: str, side: Side) -> Iterator[Found]:
    words, shown = said.words, cut(" ".join(said.words), 120)
    yield from private_rules(words, said.line_text, path, side)
    if hooks_off(words, said.line_text):
        yield "vcs.hooks-disabled", shown
    elif words[0] == "git":
        yield from _of_git(words[1:], shown, said)
    elif words[0] == "gh":
        if (words[1:3] == ("pr", "merge") and "--admin" in words) or words[1:3] == ("workflow", "disable"):
            yield "vcs.protection-bypassed", shown
        if (
            words[1:2] == ("api",)
            and re.search(r"protection|rulesets|required_status_checks", shown)
            and re.search(r"DELETE|PUT|PATCH", shown)
        ):
            yield "vcs.protection-bypassed", shown
    elif writes_a_tool(words, said.line_text):
        yield "env.tool-shadowed", shown
    elif words[0] in HOOK_MANAGERS and "uninstall" in words:
        yield "vcs.hooks-disabled", shown
    elif words[0] in ("echo", "printf", "cat") and SUMMARY.search(shown.removeprefix(words[0])) and "$" not in shown:
        if not is_measured(said, shown, path, side):
            yield "evidence.fake-output", shown
    elif words[0] in ("alias", "npm") and re.search(
        r"alias (?:git|g)=.*(?:--no-verify|-n\b)|alias [\w-]+=\W*git .*--no-verify|config set script-shell", shown
    ):
        yield "vcs.hooks-bypassed", shown


def _of_git(words: Sequence[str], shown: str, said: Spoken) -> Iterator[Found]:
    settings = [words[index + 1] for index, word in enumerate(words[:-1]) if word == "-c"]
    if any(setting.lower().startswith("core.hookspath=") for setting in settings):
        yield "vcs.hooks-bypassed", shown
    rest = past_settings(words)
    verb, options = (rest[0], rest[1:]) if rest else ("", ())
    if verb in COMMIT_VERBS:
        if no_verify(verb, options):
            yield "vcs.hooks-bypassed", shown
        yield from _hook_variables(said.environment, shown)
    if verb == "config":
        yield from _of_git_config(options, shown)
    elif verb == "update-index" and re.search(r"--(?:assume-unchanged|skip-worktree)", shown):
        yield "vcs.changes-hidden", shown
    elif verb == "push" and any(FORCED.match(word) for word in options) and not GENERATED_REF.search(shown):
        yield "vcs.history-rewritten", shown
    elif verb == "push" and re.search(r"(?:-o|--push-option)[ =]?ci\.skip\b", shown):
        yield "vcs.protection-bypassed", shown
    elif verb == "commit" and SKIPS_CI.search(shown):
        yield "vcs.ci-skipped", shown


def _of_git_config(options: Sequence[str], shown: str) -> Iterator[Found]:
    """Another folder of hooks is usual if it is one of the repository's; none at all is not."""
    if re.search(r"alias\.\S+ .*(?:--no-verify|commit.* -n\b)", shown):
        yield "vcs.hooks-bypassed", shown
    if not re.search(r"core\.hookspath", shown, re.IGNORECASE):
        return
    value = options[-1].strip("./")
    some = HOOKS.search(value) and not NO_HOOKS.search(value)
    if "unset" in shown or (value and not some) or not options[-1]:
        yield "vcs.hooks-disabled", shown
    elif not value.lower().endswith("hookspath") and value not in HOOK_FOLDERS:
        yield "vcs.hooks-moved", shown


def no_verify(verb: str, options: Sequence[str]) -> bool:
    """`-n` is `--no-verify` only for a commit; there it may stand in a bundle, before a letter with a value."""
    for index, word in enumerate(options):
        if re.fullmatch(r"--no-v\w*", word) and "--no-verify".startswith(word):
            return True
        bundle = re.fullmatch(r"-([a-zA-Z]+)", word)
        given = index > 0 and options[index - 1] in ("-m", "-F", "-C", "-c", "-t")
        if verb == "commit" and bundle and not given and "n" in re.split(r"[mFCct]", bundle[1])[0]:
            return True
    return False


def _hook_variables(environment: Iterable[tuple[str, str]], shown: str) -> Iterator[Found]:
    for name, value in environment:
        off = value.strip("\"'") in ("0", "false", "no")
        if (
            (name in ("HUSKY", "LEFTHOOK") and off)
            or (name in NO_HOOKS_IF_SET and not off)
            or (name in ("SKIP", "LEFTHOOK_EXCLUDE") and value)
            or name.startswith("GIT_CONFIG_")
        ):
            yield "vcs.hooks-bypassed", f"{name}={value} {shown}"


def _of_variable(said: Spoken, side: Side) -> Iterator[Found]:
    name, value = said.words[0], said.words[1]
    shown = cut(f"{name}={value}", 120)
    if name in DANGEROUS_VARIABLES:
        pattern = DANGEROUS_VARIABLES[name]
        if pattern is None or pattern.search(value):
            yield "env.variable", shown
    elif (
        SNAPSHOT_VARIABLES.fullmatch(name)
        and value.lower() not in ("0", "no", "false", "never", "", "new")
        and not value.startswith("$")
    ):
        yield "cfg.test.snapshots-rewritten", shown
    elif hides_diffs(name, value):
        yield "hidden.from-review", shown
    elif _lets_hooks_by(said, name, value):
        yield "vcs.hooks-bypassed", shown
    elif name == "PATH":
        yield from _of_path(value, shown, side)


def _lets_hooks_by(said: Spoken, name: str, value: str) -> bool:
    """A variable for all that follows, by which git or a manager of hooks runs none, or not all."""
    if name.startswith("GIT_CONFIG_KEY_"):
        return value.lower() == "core.hookspath"
    if not said.exported:
        return False
    if name in ("SKIP", "LEFTHOOK_EXCLUDE"):
        return bool(value) and not re.fullmatch(r"no-commit-to-branch(?:-\w+)?", value)
    off = value in ("0", "false")
    return not said.in_ci and (
        (name in ("HUSKY", "LEFTHOOK") and off)
        or (name in NO_HOOKS_IF_SET - {"HUSKY_SKIP_INSTALL"} and not off and value != "")
    )


IN_REPOSITORY = later(
    r"^(?:\.{1,2}(?:/|$)|\$\(pwd\)|`pwd`|\$\{?(?:PWD|GITHUB_WORKSPACE|CI_PROJECT_DIR|CURDIR|ROOT|PROJECT_ROOT|DIR|HERE|SCRIPT_DIR|REPO_ROOT)\b|\$\(CURDIR\)|[\w.-]+(?:/|$)|\$\(dirname|\"?\$\(cd)"
)
FROM_ROOT = later(r"^(?:\$\([^)]*\)|\$\{?\w+\}?|`[^`]*`|\.{1,2})(?:/|$)")
USUAL_FOLDERS = later(
    r"node_modules/\.bin|\.?venv|/env/bin|vendor/bin|target/|\.cargo|\.local|go/bin|GOPATH|GOBIN|\.tools|\.poetry|sdk|jdk|toolchain|/usr|/opt|HOME|\.dotnet|build|dist|out/|\.nix|MADE",
    re.IGNORECASE,
)


DRIVE = later(r"(?<![\w./-])[A-Za-z]:\\[^:;]*")
"""A folder of Windows by its full name lies in no tree; elsewhere it is one of a single letter, and another one."""


def _holds_impostor(side: Side, value: str) -> bool:
    """A file of the folder that comes first is named like a tool and does not run it."""
    folder = FROM_ROOT.sub("", value.split(":")[0].strip("\"' ")).rstrip("/")
    if not folder:
        return False
    held = (path for path in side.paths if f"/{folder}/" in f"/{path}")
    return any(stands_in(path, side.text(path) or "") for path in held)


def _of_path(value: str, shown: str, side: Side) -> Iterator[Found]:
    """What stands before the old path comes before the real tools."""
    first = DRIVE.sub(
        lambda drive: drive[0] if drive[0][0] in side.directories else "", value.split("$PATH")[0].split("${PATH}")[0]
    )
    if first == value and "PATH" not in value and ":" not in value:
        return
    for folder in first.split(":"):
        plain = folder.strip("\"' ")
        if not plain or USUAL_FOLDERS.search(plain):
            continue
        if plain.startswith("/tmp") or (
            IN_REPOSITORY.match(plain) and not OF_PROGRAMS.search(plain.rstrip("/").rpartition("/")[2])
        ):
            yield "env.tool-shadowed", shown
        elif IN_REPOSITORY.match(plain):
            yield "env.tool-path", shown
