"""What a ticket's command gets: its level of confinement, its environment and its walls (design decisions 25 and 26).

Rules:

- The level is what the policy demands. A policy that does not say demands Landlock in delivery mode: code that nobody
  can read is allowed there only because the kernel bounds it. Who wants it otherwise writes `"required": "none"`.
- The environment is that of Ralph's steps. What the client has in its own is not passed on, and no proxy's address,
  which may hold a password. Python reads what is compiled beside what is installed, and writes none: to compile a
  test runner anew for every command takes seconds, and a folder for it that is kept could be poisoned.
- A line that only reads may write nowhere.
- A change of dependencies that a person approved reaches the domains that the policy names, through Ralph's proxy; as
  long as the network is open, no script of what is installed runs.
- A git command that may change the repository gets git's folder, but for what makes git run programs, and but for
  Ralph's refs. Who commits is read from the person's own settings, which are not there behind the walls.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from shutil import which

from ralph.hook.model import RefusedError
from ralph.hook.tickets import Ticket
from ralph.permissions.model import ApprovalClass, Permissions
from ralph.permissions.sandbox.confine import require
from ralph.permissions.sandbox.model import Level, Walls
from ralph.permissions.sandbox.walls import demanded, walls_for
from ralph.steps.environment import clean_environment
from ralph.system.git import Repository
from ralph.system.git_door import ask, neutral_dir

TURN = ("RALPH_RUN", "RALPH_TOKEN")
"""What lets a command hand in events: see `events.inbox`."""
GIT_CLOSED = ("config", "config.worktree", "hooks", "info", "modules", "refs/ralph")
NO_SCRIPTS = {"npm_config_ignore_scripts": "true", "YARN_ENABLE_SCRIPTS": "false"}
"""npm, pnpm and the first Yarn read the one, later ones of Yarn the other."""
_NOT_INSIDE = ("COVERAGE_FILE", "TMPDIR", "PYTHONPYCACHEPREFIX")
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


def admit(permissions: Permissions, ticket: Ticket, level: Level) -> None:
    """Raises SandboxUnavailable or RefusedError if the command cannot run at this level."""
    if level is Level.NONE and permissions.sandbox.required is None and demanded(permissions) is not Level.NONE:
        raise RefusedError(
            "This machine has no sandbox (`ralph doctor` says what is missing), and in delivery mode, or in a phase "
            'that narrows what may be written, nothing runs without one, unless a person writes "sandbox": '
            '{"required": "none"} into the policy.'
        )
    require(level, demanded(permissions))
    if os.path.realpath(ticket.cwd) != ticket.cwd or not Path(ticket.cwd).is_dir():
        raise RefusedError(f"{ticket.cwd} is not the folder in which the command was judged: let the client ask again.")
    if ticket.writes_git and level is Level.LANDLOCK:
        raise RefusedError(
            "Git writes new files beside its hooks and settings, and Landlock cannot keep the two apart: a git command "
            "that changes the repository needs bubblewrap, or a person runs it."
        )


def environment(
    permissions: Permissions, ticket: Ticket, repo: Repository, environ: Mapping[str, str], level: Level
) -> dict[str, str]:
    """The command's environment, whole."""
    temporary = Path("/tmp")
    clean = clean_environment(environ, root=repo.root, scratch=temporary, bytecode=temporary / "bytecode")
    named = {name: environ[name] for name in permissions.sandbox.environment if name in environ}
    kept = {name: value for name, value in clean.items() if "PROXY" not in name.upper() and name not in _NOT_INSIDE}
    scripts = NO_SCRIPTS if network(permissions, ticket) else {}
    author = _author(repo) if ticket.writes_git else {}
    program = which("git", path=kept["PATH"]) if ticket.writes_git else None
    if program and Path(program).is_relative_to(repo.root):
        raise RefusedError(f"{program} stands in for git, and would get git's folder: remove it.")
    turn = {name: environ[name] for name in TURN if inbox(repo.root, environ)}
    return {**kept, **NO_BYTECODE, **named, **scripts, **author, **turn, "RALPH_SANDBOX": str(level)}


def inbox(root: Path, environ: Mapping[str, str]) -> Path | None:
    """Where the turn's events are handed in, if this is a turn: a folder of the person's own, outside the project."""
    place = Path(environ.get(TURN[0], ""))
    if not all(environ.get(name) for name in TURN) or not place.is_absolute() or place.resolve() != place:
        return None
    ours = place.is_dir() and place.stat().st_uid == os.getuid()
    return place if ours and not place.is_relative_to(root) else None


def network(permissions: Permissions, ticket: Ticket) -> tuple[str, ...]:
    """The domains that the command may reach."""
    return permissions.sandbox.network if ApprovalClass.DEPENDENCY in ticket.classes else ()


def walls(permissions: Permissions, ticket: Ticket, repo: Repository, variables: Mapping[str, str]) -> Walls:
    """The policy's walls, with what the decision opens and closes."""
    whole = walls_for(permissions, repo.root, variables)
    writable, read_only = whole.writable, whole.read_only
    if ticket.only_reads:
        writable = ()
    if place := inbox(repo.root, variables):
        writable = (*writable, place)
    if ticket.writes_git and not ticket.only_reads:
        git = repo.root / ".git"
        writable = (*writable, repo.common_dir)
        read_only = (*(each for each in read_only if each != git), *_closed(repo))
    return Walls(
        root=whole.root,
        writable=writable,
        read_only=read_only,
        unreadable=whole.unreadable,
        readable_home=(*whole.readable_home, repo.common_dir),
        network=network(permissions, ticket),
        environment=variables,
        ceilings=whole.ceilings,
    )


def _closed(repo: Repository) -> tuple[Path, ...]:
    """What of git's folder stays closed to git: settings, hooks, and the refs that Ralph goes back by."""
    closed = [repo.common_dir / name for name in GIT_CLOSED]
    if repo.git_dir != repo.common_dir:  # a linked worktree
        closed += [repo.git_dir / name for name in ("commondir", "gitdir", "config.worktree")]
    return tuple(closed)


def _author(repo: Repository) -> dict[str, str]:
    """The person's name and address, unless the repository has its own."""
    home = Path.home()
    xdg = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    personal = [path for path in (home / ".gitconfig", xdg / "git" / "config") if path.is_file()]
    found: dict[str, str] = {}
    for key in ("name", "email"):
        if _setting(repo.git_dir, (), f"user.{key}"):
            continue
        of_person = (_setting(neutral_dir("sha1"), ("--file", str(path)), f"user.{key}") for path in personal)
        if value := next(filter(None, of_person), ""):
            found |= {f"GIT_{role}_{key.upper()}": value for role in ("AUTHOR", "COMMITTER")}
    return found


def _setting(git_dir: Path, source: tuple[str, ...], key: str) -> str:
    answer = ask(["config", *source, "--get", key], git_dir=git_dir)
    return answer.stdout.decode("utf-8", "surrogateescape").rstrip("\n") if answer.code == 0 else ""
