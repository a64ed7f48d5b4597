"""The built-in packs: tables of rules that a policy names in `commands.packs`.

Rules: `readonly-tools` allows what only reads. `readonly-git` allows git's status, log, diff, show, ls-files, blame and
the listing of branches, and denies every other subcommand. `uv-python` denies every other way to packages and
environments than uv, and tests outside uv's environment; each denial names what to do instead.
A pack says nothing (None) about what is not its matter. Spec: policy engine; core concepts, "Command Blocking".
"""

from __future__ import annotations

from typing import Literal

from ralph.permissions.model import Pack
from ralph.permissions.programs.model import Use
from ralph.record import record

READING_GIT = frozenset({"status", "log", "diff", "show", "ls-files", "blame"})
LISTS_BRANCHES = "git:lists-branches"
"""The fact that a use of `git branch` only lists."""
ADDS_PACKAGES = "uv:adds-packages"
"""The fact that a use of `uv run` brings packages of its own (`--with`)."""

MANAGED = "uv manages the environment by itself: leave this command out"
INSTEAD_OF_PIP = {
    "install": "uv add PACKAGE",
    "download": "uv add PACKAGE",
    "uninstall": "uv remove PACKAGE",
    "freeze": "uv lock",
    "list": "uv tree",
    "show": "uv tree --package PACKAGE",
}
OTHER_MANAGERS = frozenset({"pip", "conda", "mamba", "micromamba", "poetry", "pipenv", "pdm", "rye", "hatch"})
INSTALLERS = frozenset({"pipx", "easy_install"})
INSTEAD_OF_MANAGERS = {
    "install": "uv sync, or uv add PACKAGE for a new one",
    "add": "uv add PACKAGE",
    "remove": "uv remove PACKAGE",
    "uninstall": "uv remove PACKAGE",
    "update": "uv lock --upgrade",
    "upgrade": "uv lock --upgrade",
    "lock": "uv lock",
    "sync": "uv sync",
    "run": "uv run COMMAND",
}
ENVIRONMENTS = frozenset({"virtualenv", "pyvenv"})
ENVIRONMENT_MODULES = frozenset({"venv", "virtualenv", "ensurepip"})
INSTALLING_MODULES = OTHER_MANAGERS | INSTALLERS
TESTS = frozenset({"pytest", "py.test"})


@record(kw_only=True)
class PackRule:
    """What a pack says of a use."""

    outcome: Literal["allow", "deny"]
    rule: str
    reason: str
    alternative: str | None = None


def pack_rule(pack: Pack, name: str, use: Use, under: str | None = None) -> PackRule | None:
    """The word of one pack on a use of the program `name`; `under` is `Inner.under` of what started it."""
    match pack:
        case "readonly-tools":
            return _readonly_tools(name, use)
        case "readonly-git":
            return _readonly_git(use)
        case "uv-python":
            return _uv_python(use.subcommand or (name,), use, under)


def _readonly_tools(name: str, use: Use) -> PackRule | None:
    if not use.only_reads or use.refused or use.unknown:
        return None
    return PackRule(outcome="allow", rule=f"packs.readonly-tools: {name}", reason=f"`{name}` only reads here")


def _readonly_git(use: Use) -> PackRule | None:
    if use.subcommand[:1] != ("git",):
        return None
    subcommand = use.subcommand[1] if len(use.subcommand) > 1 else ""
    if not subcommand and use.only_reads:
        return None
    shown = f"git {subcommand}".rstrip()
    rule = f"packs.readonly-git: {shown}"
    if (subcommand in READING_GIT and use.only_reads) or LISTS_BRANCHES in use.facts:
        return PackRule(outcome="allow", rule=rule, reason=f"`{shown}` only reads here")
    if subcommand in READING_GIT:
        why = use.refused or use.unknown or "with these options it does more than read"
        reason = f"`{shown}` is allowed only for reading: {why}"
    elif subcommand == "branch":
        reason = "`git branch` is allowed only to list branches"
    else:
        reason = f"`{shown}` is not one of the reading git commands that agents may use"
    return PackRule(outcome="deny", rule=rule, reason=reason, alternative=_git_alternative(subcommand))


def _git_alternative(subcommand: str) -> str:
    if subcommand == "grep":
        return "grep -rn PATTERN PATH"
    if subcommand in {"commit", "add", "stash", "push", "tag"}:
        return "leave the changes in the working tree: Ralph keeps them and a person commits"
    return "git status, git log, git diff, git show, git ls-files, git blame or git branch --list"


def _uv_python(words: tuple[str, ...], use: Use, under: str | None) -> PackRule | None:
    if words[0] == "uv":
        return _uv(words, use)
    if words[0] == "python" and words[1:2] == ("-m",) and len(words) > 2:
        return _module(words[2], words[3] if len(words) > 3 else "", under)
    return _program(words[0], words[1] if len(words) > 1 else "", " ".join(words[:2]), under)


def _program(name: str, subcommand: str, shown: str, under: str | None) -> PackRule | None:
    if name == "pip":
        return _deny(
            shown, "packages are managed by uv", INSTEAD_OF_PIP.get(subcommand, "uv add, uv remove or uv lock")
        )
    if name in OTHER_MANAGERS:
        instead = INSTEAD_OF_MANAGERS.get(subcommand, "uv add, uv remove, uv sync or uv run")
        return _deny(shown, "packages are managed by uv", MANAGED if subcommand == "env" else instead)
    if name in INSTALLERS:
        return _deny(shown, "it installs packages past uv", "uv add --dev PACKAGE, then uv run COMMAND")
    if name in ENVIRONMENTS:
        return _deny(shown, "it makes an environment that uv does not know", MANAGED)
    if name in TESTS and under != "uv run":
        return _deny(name, "tests run in the environment that uv manages", "uv run pytest")
    return None


def _module(module: str, subcommand: str, under: str | None) -> PackRule | None:
    """`python -m MODULE` is the program of that name."""
    top = module.partition(".")[0]
    shown = f"python -m {module}"
    if top in ENVIRONMENT_MODULES:
        return _deny(shown, "it makes an environment that uv does not know", MANAGED)
    if top in INSTALLING_MODULES or top in TESTS or top == "uv":
        if top == "uv":
            return _deny(shown, "uv is called by its own name", "uv COMMAND")
        return _program(top, subcommand, shown, under)
    return None


def _uv(words: tuple[str, ...], use: Use) -> PackRule | None:
    shown = " ".join(words[:2])
    match words[1:2]:
        case ("pip",):
            action = words[2] if len(words) > 2 else ""
            return _deny(
                shown, "it changes the environment past uv.lock", INSTEAD_OF_PIP.get(action, "uv add or uv lock")
            )
        case ("venv",):
            return _deny(shown, "the environment is made when it is needed", MANAGED)
        case ("tool",):
            return _deny(
                shown, "it runs a package that the project does not name", "uv add --dev PACKAGE, uv run COMMAND"
            )
        case ("run",) if ADDS_PACKAGES in use.facts:
            return _deny("uv run --with", "it brings packages that uv.lock does not name", "uv add --dev PACKAGE")
        case ("run",) if not use.refused and not use.unknown:
            return PackRule(outcome="allow", rule="packs.uv-python: uv run", reason="it runs in the environment of uv")
    return None


def _deny(shown: str, why: str, instead: str) -> PackRule:
    reason = f"`{shown}` is blocked: {why}"
    return PackRule(outcome="deny", rule=f"packs.uv-python: {shown}", reason=reason, alternative=instead)
