"""C#: what a test asks of an exception that it wants (see `inventory`).

Rules: `f.Should().Throw<E>().WithMessage("*no*")` asks of the message what `Assert.Throws<E>(f).Message` is asked where
it has to hold `no`; without the stars it has to be that, with one of them to begin or to end so. What stands behind
`Which` and `And` of such a chain is asked of the exception, too.
"""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing
from ralph.record import replace
from ralph.system.patterns import later

CHAIN = later(r"(?:\(?await )?(?P<of>.*)\.Should\(\)\.Throw(?:Exactly)?(?:Async)?<(?:\w+\.)*(?P<kind>\w+)>\(\)\)?")
PART = later(rf"{CHAIN.pattern}\.(?:Which|And)(?=\.)")
FRONT = later(r"^(?:\"\*\"\+|(?P<open>[$@]*\")\*(?=[^\"]))")
END = later(r"(?:\+\"\*\"|\*(?P<close>\"))$")
HOLE = later(r"\$\"\{(?P<inside>[^{}:]+)\}\"")
RELATIONS = {(0, 0): "==", (0, 1): "starts with", (1, 0): "ends with", (1, 1): "holds"}


def message(thrown: str, argument: tree_sitter.Node, writing: Writing) -> Said:
    """`WithMessage(argument)` behind what `thrown` says."""
    told, known = writing.of(argument), writing.is_constant(argument)
    if told.strip('"*') == "":
        return Said(thrown, "message", told, Grade.NOTHING, known, why="any message meets it")
    chain = CHAIN.fullmatch(thrown)
    wanted, before = FRONT.subn(lambda match: match["open"] or "", told)
    wanted, behind = END.subn(lambda match: match["close"] or "", wanted)
    if chain is None or "*" in wanted:
        return Said(thrown, "message", told, Grade.CLOSE if "*" in told else Grade.EXACT, known)
    if (hole := HOLE.fullmatch(wanted)) is not None:
        wanted = hole["inside"]
    grade = Grade.CLOSE if before or behind else Grade.EXACT
    return Said(f"{_exception(chain['of'], chain['kind'])}.Message", RELATIONS[before, behind], wanted, grade, known)


def of_exception(said: Said) -> Said:
    """`f.Should().Throw<E>().Which.Code` is `Assert.Throws<E>(f).Code`."""
    chain = PART.match(said.subject)
    if chain is None:
        return said
    rest = said.subject[chain.end() :]
    part = rest == ".Message" and said.grade is Grade.SHAPE  # as strict as a pattern that `WithMessage` is given
    subject = _exception(chain["of"], chain["kind"]) + rest
    return replace(said, subject=subject, grade=Grade.CLOSE if part else said.grade)


def _exception(action: str, kind: str) -> str:
    """As `inventory.equivalents.spelled` calls it, whatever library is asked for it."""
    return f"Throws<{kind}>({action})"
