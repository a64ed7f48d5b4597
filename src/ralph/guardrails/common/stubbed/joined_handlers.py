"""Handlers that did the same and became one (policy set v2, class G19).

Rule: `catch (A e) { throw f(e); } catch (B e) { throw f(e); }` may become `catch (A | B e) { throw f(e); }`. The new
handler takes all that the old ones took, each by its name, and says nothing else on its line.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.system.patterns import later

HANDLER = later(
    r"\}?\s*(?:catch\s*\(\s*(?:final\s+)?(?P<caught>[^(){}]+?)\s*\)\s*(?:when[^{}]*)?\{?|rescue\s+(?P<rescued>[^{};]+)"
    r"|except\*?\s*(?P<excepted>[^:{}]+?)\s*:)"
)
NAME = later(r"[A-Za-z_][\w.:]*")


def joins(added: str, removed: Sequence[str]) -> bool:
    """The line opens one handler for what two or more lines opened one each for."""
    now = _taken(added)
    before = [taken for line in removed if (taken := _taken(line))]
    return len(before) > 1 and bool(now) and all(taken <= now for taken in before)


def _taken(line: str) -> frozenset[str]:
    """The words that a handler is opened with: what it takes, and the variable."""
    match = HANDLER.fullmatch(line.strip())
    taken = (match["caught"] or match["rescued"] or match["excepted"]) if match is not None else ""
    return frozenset(NAME.findall(taken))
