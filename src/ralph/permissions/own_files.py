"""Files with rules of their own, whatever a policy lists (design decisions 24 and 26).

- Closed: never written by an agent, in any mode. Ralph's records (`.ralph`, the two ledgers and what lies beside them
  under their names), and everything in a `.git`: git itself changes it, and a hook or a setting in there runs code.
- Governing: what tells Ralph what to do. A person is asked.
- Run on the host: settings of agent clients, editors and hook managers, which start programs outside any sandbox.
  A person is asked; a policy may open those that are not an agent's own by naming them in `files.allowWrite`.
- Secrets: never read nor written, where the project is the home folder.

All are compared folded, and at any depth, since a project may be a folder of another.
"""

from __future__ import annotations

from ralph.permissions.path_patterns import Components, PatternSet, components

GOVERNING = ("ralph.policy.json", "ralph.yml", "ralph.yaml", "ralph-context.yaml", "ralph-context.yml")
CLOSED = (
    "**/.ralph",
    "**/.git",
    *(f"**/state/{name}" for name in ("progress.jsonl*", "learning.jsonl*", ".progress.jsonl*", ".learning.jsonl*")),
)
CLIENTS = (".claude", ".codex", ".mcp.json", ".gemini", ".cursor", ".opencode", "opencode.json", ".aider*")
TOOLS = (
    *(".vscode", ".idea", ".devcontainer", ".devcontainer.json", ".envrc", ".husky", ".githooks"),
    *(".pre-commit-config.yaml", "lefthook*.yml", "lefthook*.yaml", ".lefthook*.yml", ".lefthook*.yaml"),
)
SECRETS = (".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config/gcloud", ".config/ralph", ".netrc")


def _set(names: tuple[str, ...], prefix: str = "**/") -> PatternSet:
    return PatternSet(components(prefix + name) for name in names)


_CLOSED, _GOVERNING, _CLIENTS, _TOOLS = _set(CLOSED, ""), _set(GOVERNING), _set(CLIENTS), _set(TOOLS)
_SECRETS = _set(SECRETS, "")


def closed(form: Components) -> bool:
    """True for what no agent may write; `form` is folded, from the root."""
    return _CLOSED.covers(form, below=True)


def closed_below(form: Components) -> bool:
    """True for a folder at whose place Ralph's or git's own would go with it: the root, and `state`."""
    return form in ((), ("state",)) or closed(form)


def governing(form: Components) -> bool:
    return _GOVERNING.covers(form, below=True)


def runs_on_host(form: Components) -> str | None:
    """`client` for settings of an agent, `tool` for others that start programs, None for anything else."""
    if _CLIENTS.covers(form, below=True):
        return "client"
    return "tool" if _TOOLS.covers(form, below=True) else None


def secret(form: Components) -> bool:
    """True for what lies in a folder of secrets; `form` is folded, from the home folder."""
    return _SECRETS.covers(form, below=True)
