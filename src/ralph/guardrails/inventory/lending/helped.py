"""What a language says about the calls of helpers, for `calling`: who has them, and what they are handed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import tree_sitter

from ralph.guardrails.inventory.lending.handing import handed
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.inventory.lending.calling import HelperCalls


MAY_FAIL = later(
    r"(?i)assert|expect|should|verify|check|require|must|ensure|fail|throw|raise|panic|flunk|refute|super|base|unwrap"
)


class Helped(ABC):
    """A call of `check(x)` is one of `check`, of `Carts.check(x)` of `Carts.check`, and of `x.check(1)`, where no class
    of the project is called like `x`, one of `.check`: a function that is called on what it asks about."""

    FUNCTIONS: ClassVar[str] = ""
    """The query for the names of a file's functions, in languages that allow several of one name."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @abstractmethod
    def called(self, node: tree_sitter.Node) -> str:
        """The helper that a node may call; empty if it calls none."""

    @abstractmethod
    def lent(self, called: str) -> HelperCalls | None:
        """The helpers of the file that has the one that is called so, where that is not plainly this one."""

    def sees(self, helper: tree_sitter.Node, node: tree_sitter.Node) -> bool:
        """What calls it by its plain name, in the same file, calls this one."""
        return True

    def handed(
        self, helper: tree_sitter.Node, call: tree_sitter.Node, called: str
    ) -> Mapping[str, tree_sitter.Node] | None:
        """What each parameter of a helper is given; None if nobody can tell."""
        return handed(helper, call)

    def unheard(self, helper: tree_sitter.Node, call: tree_sitter.Node) -> str:
        """Why nobody hears of it when what the helper asserts does not hold."""
        return ""

    def is_unknown(self, said: Said) -> bool:
        """It is said by a word that no framework has: a helper of the project may be called so."""
        return False

    def of_helper(self, helper: tree_sitter.Node, check: Check) -> Check:
        """What a helper asserts, by the names of its parameters."""
        return check

    def declares(self, name: str) -> int:
        """How many functions of the file are called so, whatever they do."""
        return self._declared[name]

    def says_nothing(self, name: str) -> bool:
        """The file has one function of that name, and nothing of it may fail."""
        functions = self.source.captures(self.FUNCTIONS) if self.FUNCTIONS else ()
        named = [each.parent for each in functions if text_of(each) == name]
        body = named[0].child_by_field_name("body") if len(named) == 1 and named[0] is not None else None
        return body is not None and MAY_FAIL.search(text_of(body)) is None

    @cached_property
    def _declared(self) -> Counter[str]:
        return Counter(map(text_of, self.source.captures(self.FUNCTIONS)) if self.FUNCTIONS else ())
