"""Where commands that are not steps of the engine run: gates, and the criteria of tasks and specifications.

Rules (design decisions 7, 25, 31): like the steps of a verification, in a clean environment and in the sandbox, and
under the permissions where there are any. The tools of those commands must stay what they were when the bench was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from ralph.gates.shell import Bench
from ralph.permissions.disk import here
from ralph.permissions.model import Permissions
from ralph.permissions.sandbox.probe import enforced_level
from ralph.steps.environment import PROJECT_BIN, clean_environment
from ralph.steps.tool_digests import changed_tools, tool_digests
from ralph.system.git import Repository
from ralph.system.places import bytecode_dir, shadow_dir
from ralph.system.scratch import scratch
from ralph.system.text import visible
from ralph.system.tree import snapshot


@contextmanager
def bench(
    repo: Repository, commands: Sequence[str], environ: Mapping[str, str], permissions: Permissions | None
) -> Iterator[Bench]:
    """A bench for these commands. Raises StorageError if there is no place for temporary files."""
    root = repo.root.resolve()
    with scratch("gates") as own:
        bytecode = bytecode_dir(root)
        bytecode.mkdir(mode=0o700, parents=True, exist_ok=True)
        env = clean_environment(environ, root=root, scratch=own, bytecode=bytecode)
        yield Bench(
            root=root,
            env=env,
            tools_changed=_watched(commands, repo, env),
            level=enforced_level(),
            tree=lambda: snapshot(repo, shadow_dir(root)).tree,
            writable=(own, bytecode),
            law=(permissions, here(root)) if permissions else None,
        )


def _watched(commands: Sequence[str], repo: Repository, env: Mapping[str, str]) -> Callable[[], str | None]:
    """Tells when tools are others than now. A program that lies in the tree is part of it, and may change with it."""
    installed = tuple(f"{folder.parts[0]}/" for folder in PROJECT_BIN)
    known: dict[str, str] = {}

    def look() -> dict[str, str]:
        found = tool_digests(commands, root=repo.root.resolve(), env=env, known=known)
        return {name: each for name, each in found.items() if name.startswith(("/", *installed))}

    before = look()

    def changed() -> str | None:
        others = changed_tools(before, look())
        if not others:
            return None
        return (
            f"tools changed since the run began ({visible(others[0])}): a person must look at them and start it again"
        )

    return changed
