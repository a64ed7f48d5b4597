"""Ruby: members that a class of the product no longer has, and the examples of them (policy set v2, class G04).

By custom a group is called as the method that its examples are of: `describe '#delete'`, `describe '.build'`. Rules:

- An example is about what is gone if a group around it is called so, the outermost one is called as a class, and a
  changed file of the product defined that method in the class or in what that builds on (`clone` and `dup` stand for
  `initialize_copy`), and no file defines it there any more. Where the class is gone, or builds on something that is in
  no changed file, or came to answer any call, nobody can tell. A reader alone is none: what it gave may still be there.
- So is one that asks an object for a variable by its name (`instance_variable_get(:@cache)`) of which changed files of
  the product had lines, and have none any more; not if such a line is still there with another variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Test
from ralph.system.patterns import later

METHOD = later(r"(?P<kind>[#.]|::)(?P<name>[a-z_]\w*[?!=]?|\[\]=?|[-+*/%<>=!~]{1,3})")
CONSTANT = later(r"(?:::)?(?:[A-Z]\w*::)*(?P<name>[A-Z]\w*)")
CLASS = later(
    r"(?m)^(?P<indent>[ \t]*)(?:class|module)[ \t]+(?:[A-Z]\w*::)*(?P<name>[A-Z]\w*)"
    r"(?:[ \t]*<[ \t]*(?P<base>[\w:]+))?[^\n]*\n(?P<body>(?:.*\n)*?)(?P=indent)end\b"
)
TAKES_IN = later(r"(?m)^[ \t]*(?:include|prepend)[ \t(]+(?P<names>[A-Z][\w:, \t]*)")
ANY_CALL = later(r"\b(?:method_missing|delegate_missing_to|define_method|class_eval|instance_eval|SimpleDelegator)\b")
COPIES = {"clone": "initialize_copy", "dup": "initialize_copy"}
ASKS = later(r"\binstance_variable_(?:get|defined\?)\(?\s*:?[\"']?@(?P<name>\w+)")
VARIABLE = later(r"@\w+")
MOST_DEPTH = 8
Texts = Sequence[str]


class GoneFromRuby:
    """`files` are the product's changed files: their paths and both sides."""

    def __init__(self, files: Iterable[tuple[str, bytes, bytes]]) -> None:
        listed = [(old, new) for path, old, new in files if path.endswith(".rb")]
        self._old = [old.decode("utf-8", "replace") for old, _ in listed if old]
        self._new = [new.decode("utf-8", "replace") for _, new in listed if new]

    def was_asked_by(self, test: Test) -> bool:
        return bool(self._old) and (self._is_of_gone_method(test.parts) or self._reads_gone(test))

    def _is_of_gone_method(self, parts: Sequence[str]) -> bool:
        of = CONSTANT.fullmatch(parts[0]) if len(parts) > 2 else None
        if of is None:
            return False
        groups = (match for part in parts[1:-1] if (match := METHOD.fullmatch(part)) is not None)
        return any(self._is_gone(of["name"], match["name"], static=match["kind"] != "#") for match in groups)

    def _is_gone(self, owner: str, method: str, *, static: bool) -> bool:
        name = method if static else COPIES.get(method, method)
        was = [body for bodies in _line(owner, self._old) for body in bodies or ()]
        now = list(_line(owner, self._new))
        if not any(_defines(body, name, readers=False) for body in was) or not now or None in now:
            return False
        bodies = [body for each in now for body in each or ()]
        open_before = any(ANY_CALL.search(body) for body in was)
        return not any(_defines(body, name) or (not open_before and ANY_CALL.search(body)) for body in bodies)

    def _reads_gone(self, test: Test) -> bool:
        return any(f"@{match['name']}" in self._variables for match in ASKS.finditer(test.facts().body))

    @cached_property
    def _variables(self) -> frozenset[str]:
        """Those that no changed file has any more, and that none took the place of."""
        were, are = ({name for text in side for name in VARIABLE.findall(text)} for side in (self._old, self._new))
        lines = {line.strip() for text in self._new for line in text.split("\n")}
        blank = {VARIABLE.sub("@", line) for line in lines if "@" in line}
        gone = were - are
        renamed = {
            name
            for text in self._old
            for line in text.split("\n")
            if VARIABLE.sub("@", line.strip()) in blank
            for name in VARIABLE.findall(line)
        }
        return frozenset(gone - renamed)


def _line(owner: str, texts: Texts, depth: int = 0) -> Iterator[Sequence[str] | None]:
    """The bodies of a class and of what it builds on; None for what is in no changed file."""
    found = [match for text in texts for match in _classes(text) if match["name"] == owner]
    yield [match["body"] for match in found] if found else None
    if depth < MOST_DEPTH:
        for match in found:
            names = [match["base"] or "", *(each["names"] for each in TAKES_IN.finditer(match["body"]))]
            for name in re.findall(r"[A-Z]\w*(?![\w:])", ",".join(names)):
                if name not in (owner, "Object", "BasicObject"):
                    yield from _line(name, texts, depth + 1)


def _classes(text: str) -> Iterator[re.Match[str]]:
    """Those in others, too."""
    at = 0
    while (match := CLASS.search(text, at)) is not None:
        yield match
        at = match.start("body")


def _defines(body: str, name: str, *, readers: bool = True) -> bool:
    """By a method, another name of one, or a call that makes one of its name."""
    said = re.escape(name)
    end = r"(?![\w?!=])" if name[-1:].isalnum() or name.endswith("_") else r"(?!=)"
    alias = rf"\balias(?:_method)?[ \t(]+:?{said}{end}"
    makers = r"def_\w+|delegate|define_method" + (r"|attr_\w+" if readers else "")
    made = rf"^[ \t]*(?:{makers})\b[^\n]*:{said}{end}"
    return re.search(rf"(?m)\bdef[ \t]+(?:self\.)?{said}{end}|{alias}|{made}", body) is not None
