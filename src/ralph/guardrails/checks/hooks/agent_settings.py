"""Settings of coding agents: the hooks that check an agent's work, and what it may not do (policy set v2, class G16).

Rules, whatever the agent (`.claude/settings.json`, `.cursor/hooks.json`, `.gemini/settings.json`, `.codex/`, ...); its
files are read together, so that what moves from one to another is not lost:

- A hook that runs a check, or a script of the project, when the agent writes, runs something or means to stop is a
  check. It is gone where no hook runs it any more; another check in its place is for a person. One whose failure is
  thrown away (`|| true`, an `exit 2` that is gone, `async`), or that holds for fewer tools, is no longer heard.
- Hooks that are switched off as a whole block where there are some.
- An order that forbids the agent to write to tests, checks or their settings, or to pass by them, is one of the checks;
  other orders that are gone, and a leave to do anything, are for a person.
- What tells, records, writes or formats is no check, and no check is missed of an agent whose whole folder is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.checks.hooks.agent_checks import ON_DEMAND, Hook, gates, hooks_of, is_off, is_unheard, programs
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.record import record
from ralph.system.patterns import later

FILES = later(
    r"(?:^|/)(?P<folder>\.(?:claude|codex|cursor|gemini|qwen|windsurf|codeium|factory|augment|opencode|github|kiro))"
    r"/(?:settings(?:\.local)?\.json|managed-settings\.json|config\.(?:toml|json)|cli(?:-config)?\.json|hooks/[\w.-]+\.json"
    r"|hooks\.json|permissions\.json)$|(?:^|/)opencode\.jsonc?$"
)
REMOVED, REMOVED_HERE, REPLACED = "check.removed", "check.removed-here", "check.replaced"
LOST, NARROWED, OFF = "check.result-lost", "check.narrowed", "check.switched-off"
GUARDS = later(
    r"(?i)no-verify|\bcommit\b[^)]*-n\b|hook|husky|pre-commit|\btests?\b|__tests__|\bspecs?\b|\.github|workflow|\bci\b|eslint|\blint"
    r"|tsconfig|pyproject|jest\.config|vitest\.config|coverage|snapshot|golden|baseline|\bcheck|settings(?:\.local)?\.json"
    r"|\.claude|\.codex|\.cursor|\.gemini|policy|guard|skip|--force|codeowners|conftest|mypy|ruff|\bHUSKY\b|golangci|clippy"
)
ANYTHING = later(r"(?:Bash|Edit|Write|MultiEdit|Shell|run_shell_command)(?:\((?:\*\*?|:\*|\*:\*|//?\*\*)?\))?|\*")
PASSES_BY = later(r"(?i)--no-verify|\bcommit -n\b|HUSKY=0|\bSKIP=|LEFTHOOK=0|core\.hooksPath|--admin\b")
UNASKED = frozenset(("bypasspermissions", "dontask", "never", "danger-full-access", "yolo", "auto_edit"))
MODES = ("defaultMode", "approval_policy", "sandbox_mode", "approvalMode", "defaultApprovalMode")


@record
class Settings:
    hooks: tuple[Hook, ...]
    denied: dict[str, Node]
    allowed: dict[str, Node]
    modes: dict[str, Node]
    off: tuple[Node, ...]


def is_agent_file(path: str) -> bool:
    return FILES.search(path) is not None


def agent_hits(change: Change, before: Side, after: Side) -> Iterator[Hit]:
    folders: dict[str, list[str]] = {}
    for file in change.files:
        if is_agent_file(file.path):
            folders.setdefault(file.path.rpartition("/")[0].removesuffix("/hooks"), []).append(file.path)
    for folder, paths in folders.items():
        everything = sorted(path for path in before.paths | after.paths if _belongs(path, folder))
        old, new = _settings(before, everything), _settings(after, everything)
        gone = not any(path.startswith(f"{folder}/") for path in after.paths) and folder != ""
        for rule, path, line, detail in _judged(old, new, paths[0]):
            milder = REMOVED_HERE if gone and rule in (REMOVED, OFF) else rule
            yield _hit(milder, path, line, detail, after if line else before)


def _belongs(path: str, folder: str) -> bool:
    return is_agent_file(path) and path.rpartition("/")[0].removesuffix("/hooks") == folder


def _settings(side: Side, paths: Iterable[str]) -> Settings:
    roots = [node for path in paths if path in side.paths and (node := side.node(path)) is not None]
    hooks = tuple(hook for root in roots for hook in hooks_of(root))
    denied: dict[str, Node] = {}
    allowed: dict[str, Node] = {}
    modes: dict[str, Node] = {}
    for root in roots:
        for table in (root.at("permissions"), root.at("tools"), root.at("permission"), root):
            denied.update(_orders(table, ("deny", "exclude", "excludeTools")))
            allowed.update(_orders(table, ("allow", "allowed", "autoApprove")))
            for name in MODES if table else ():
                if table is not None and (found := table.at(name)) is not None:
                    modes[name] = found
    return Settings(hooks, denied, allowed, modes, tuple(node for root in roots for node in is_off(root)))


def _orders(table: Node | None, names: Sequence[str]) -> dict[str, Node]:
    lists = [table.at(name) for name in names] if table is not None else []
    found = {canonical(item): item for each in lists if each is not None for item in each.items}
    for tool, said in table.mapping.items() if table is not None and names[0] == "deny" else ():
        if said.value == "deny":
            found[tool] = said
        for pattern, value in said.mapping.items():
            if value.value == "deny":
                found[f"{tool}({pattern})"] = value
    return found


Found = tuple[str, str, int, str]


def _judged(old: Settings, new: Settings, path: str) -> Iterator[Found]:
    known = {canonical(node) for node in old.off}
    for node in new.off:
        if canonical(node) not in known or not old.off:
            rule = "vcs.hooks-disabled" if old.hooks or new.hooks else REMOVED_HERE
            yield rule, node.path, node.line, "the hooks of the agent are switched off"
    yield from _hooks(old.hooks, new.hooks)
    for order, node in old.denied.items():
        if order not in new.denied and not any(_is_within(order, wide) for wide in new.denied):
            rule = OFF if GUARDS.search(order) and not _parts(order, new.denied) else REMOVED_HERE
            yield rule, node.path, 0, f"{order} is no longer denied"
    for order, node in new.allowed.items():
        if order not in old.allowed and order not in new.denied:
            if PASSES_BY.search(order):
                yield "vcs.hooks-bypassed", node.path, node.line, f"{order} is allowed"
            elif ANYTHING.fullmatch(order):
                yield REMOVED_HERE, node.path, node.line, f"{order} is allowed"
    for name, node in new.modes.items():
        was = old.modes.get(name)
        if canonical(node).lower() in UNASKED and (was is None or canonical(was) != canonical(node)):
            yield REMOVED_HERE, node.path or path, node.line, f"{name} is {canonical(node)}: nobody is asked"


def _is_within(order: str, wide: str) -> bool:
    """`Bash(git push:*)` lies in `Bash(git:*)` and in `Bash`."""
    tool, _, inner = (_plain(order)).partition("(")
    other, _, outer = (_plain(wide)).partition("(")
    return tool == other and inner.startswith(outer)


def _plain(order: str) -> str:
    return re.sub(r"[\s:]*\**\)?$", "", order).replace("(./", "(")


def _parts(order: str, denied: Iterable[str]) -> bool:
    """Several narrower orders stand in its place."""
    return sum(_is_within(each, order) for each in denied) > 1


def _hooks(old: Sequence[Hook], new: Sequence[Hook]) -> Iterator[Found]:
    heard = [hook for hook in new if gates(hook)]
    stays = {(hook.event, hook.command, hook.matcher) for hook in new}
    fresh = [hook for hook in heard if hook not in old and not is_unheard(hook)]
    for hook in old:
        if not gates(hook) or is_unheard(hook):
            continue
        same = [one for one in heard if one.command == hook.command]
        if (hook.event, hook.command, hook.matcher) in stays and not any(map(_late, same)):
            continue
        yield from _changed(hook, same, [one for one in heard if one not in same], fresh)


def _late(hook: Hook) -> bool:
    return hook.is_async


def _changed(hook: Hook, same: Sequence[Hook], others: Sequence[Hook], fresh: Sequence[Hook]) -> Iterator[Found]:
    shown = cut(f"{hook.event}: {hook.command}", 160)
    if same:
        best = next((one for one in same if one.matcher == hook.matcher), same[0])
        less = hook.tools - best.tools if best.tools else frozenset()
        if all(one.event != hook.event for one in same):
            yield REPLACED, best.path, best.line, f"{shown} is run at {best.event} only"
        if best.is_async and not hook.is_async:
            yield LOST, best.path, best.line, f"{shown} is no longer waited for"
        elif less or (best.tools and not hook.tools):
            yield NARROWED, best.path, best.line, f"{shown} holds for {best.matcher} only"
        return
    wanted = programs(hook.command)
    alike = [one for one in others if wanted and wanted <= programs(one.command)]
    unheard = [one for one in alike if is_unheard(one) or (hook.blocks and not one.blocks and _stops(one.command))]
    if alike and len(unheard) == len(alike):
        yield LOST, unheard[0].path, unheard[0].line, cut(f"the failure of {unheard[0].command} is lost", 200)
    elif alike and not ON_DEMAND.search(hook.command) and all(ON_DEMAND.search(one.command) for one in alike):
        yield "check.conditional", alike[0].path, alike[0].line, cut(f"{alike[0].command} asks the environment", 200)
    elif alike:
        return
    elif fresh:
        yield REPLACED, fresh[0].path, fresh[0].line, cut(f"{fresh[0].command} stands where {shown} stood", 200)
    else:
        yield REMOVED, hook.path, 0, f"{shown} is gone"


def _stops(command: str) -> bool:
    """It says how it ends, and not in the way that an agent hears."""
    return re.search(r"\|\||;|&$", command) is not None


def _hit(rule: str, path: str, line: int, detail: str, side: Side) -> Hit:
    lines = (side.text(path) or "").splitlines()
    snippet = lines[line - 1].strip() if 0 < line <= len(lines) else detail
    return hit_at(rule, path, line, detail, snippet)
