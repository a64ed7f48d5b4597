"""The first configuration of a linter in a project where another one does the same work (policy set v2, class G12).

Rules, where nothing of the base names the new linter, and something that runs programs names the other one:

- The new one takes nothing away as long as every line that names the other one stands where it stood.
- Where the other one gave way, what it ignored, everywhere or in the same files, the new one may ignore as well, and
  leave out the paths that each configuration of the other one left out.
- Where the other one gave way and named the codes that it looked for, and the new one looks for all of them, it need
  not look for what was not among them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.lattice import EXCLUDES, words
from ralph.guardrails.config.moved.carried import excepted
from ralph.guardrails.config.node import Settings, canonical
from ralph.guardrails.config.patterns import lies_in
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Tool
from ralph.guardrails.ruff_codes import current, holds
from ralph.system.patterns import later

MAY_RUN = later(
    r"(?:^|/)(?:package\.json|pyproject\.toml|tox\.ini|setup\.cfg|noxfile\.py|tasks\.py|[Jj]ustfile|(?:GNU)?[Mm]akefile"
    r"|\.pre-commit-config\.ya?ml|lefthook\.ya?ml|\.gitlab-ci\.yml|Jenkinsfile|requirements[\w.-]*\.(?:txt|in))$|\.sh$"
)
"""Files that run programs, or install them."""
GAINS, LOSES = "gains ", "loses "
SHORT = 3


def takes_nothing(tool: Tool, loss: Loss, before: Side, after: Side) -> bool:
    """A loss of a new configuration of `tool` against what holds without one."""
    if not tool.rivals or any(named(before, (tool.name, *tool.programs))):
        return False
    old = Counter(named(before, tool.rivals))
    if not old:
        return False
    stands = old <= Counter(named(after, tool.rivals))
    return stands or any(was(tool, loss, before) for was in (_was_ignored, _was_not_selected, _was_left_out))


def named(side: Side, programs: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The lines of files that run or install programs that name one of these, with their files."""
    for path in sorted(path for path in side.paths if MAY_RUN.search(path) or is_ci_file(path)):
        text = side.text(path) or ""
        if any(program in text for program in programs):
            lines = (line.strip() for line in text.split("\n"))
            yield from ((path, line) for line in lines if any(_names(line, program) for program in programs))


def _names(line: str, program: str) -> bool:
    """A short name is part of many words."""
    whole = len(program) > SHORT or re.search(rf"(?<![\w-]){re.escape(program)}(?![\w-])", line) is not None
    return program in line and whole


def _was_ignored(tool: Tool, loss: Loss, before: Side) -> bool:
    """The linter that was there did not look for the code, either."""
    if not loss.text.startswith(GAINS) or loss.node is None:
        return False
    code = loss.text.removeprefix(GAINS)
    units = tool.elder.find_units(before).values() if tool.elder is not None else ()
    return any(_ignores(unit.settings, code, loss) for unit in units)


def _ignores(settings: Settings, code: str, loss: Loss) -> bool:
    items = (item for key in (("ignore",), ("extend-ignore",)) for item in words(settings.get(key)))
    if any(code.startswith(canonical(item)) for item in items):
        return True
    return loss.rule.endswith(".per-file") and loss.key in excepted(settings, code)


def _was_not_selected(tool: Tool, loss: Loss, before: Side) -> bool:
    """The linter that was there named its codes, in each of its files: all of them are selected, and what is not was
    none of them."""
    if not loss.text.startswith(LOSES) or tool.elder is None or loss.node is None:
        return False
    code, selected = loss.text.removeprefix(LOSES), [current(canonical(item)) for item in words(loss.node)]
    named_codes = [_named_codes(unit.settings) for unit in tool.elder.find_units(before).values()]
    return bool(named_codes) and all(
        codes
        and all(any(holds(wide, each) for wide in selected) for each in codes)
        and not any(code.startswith(each) for each in codes)
        for codes in named_codes
    )


def _named_codes(settings: Settings) -> list[str]:
    """Those that it looks for; none where it does not say so."""
    keys = (("select",), ("extend-select",)) if ("select",) in settings else ()
    return [canonical(item) for key in keys for item in words(settings.get(key))]


def _was_left_out(tool: Tool, loss: Loss, before: Side) -> bool:
    """Each configuration of the linter that was there left out the path, too, or a folder that it lies in."""
    if not loss.text.startswith(EXCLUDES) or loss.node is None or tool.elder is None:
        return False
    name, units = canonical(loss.node), list(tool.elder.find_units(before).values())
    return bool(units) and all(any(lies_in(name, wide) for wide in _left_out(unit.settings)) for unit in units)


def _left_out(settings: Settings) -> list[str]:
    items = (canonical(item) for key in (("exclude",), ("extend-exclude",)) for item in words(settings.get(key)))
    return [item for item in items if not item.startswith("!")]
