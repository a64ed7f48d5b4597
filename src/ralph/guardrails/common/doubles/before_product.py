"""Files beside tests that put something in the place of a type of the product (policy set v2, class G06).

Rules, for a file that is new, or that a change touches:

- Java and Kotlin: a file of `src/test` at the very place of one of `src/main` is found before it, and every test of
  that type asks it alone.
- Ruby: a support file of tests that opens a class or module of the product (`class Cart`, `Cart.class_eval`,
  `Cart.prepend`, `Cart.define_method(:total)`, `def Cart.total`) and gives a method that it has, with a spec of its
  own, an answer of its own; or has every example hear one (`config.before { allow_any_instance_of(Cart)... }`).
- The same of a method that stands in no class, on either side, where a test file of the base asks for it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

RULE = "test.subject-faked"
OF_TESTS = later(
    r"(?P<above>(?:^|.*/)src/)(?:test|integrationTest|testFixtures)/(?P<rest>(?:java|kotlin)/.+\.(?:java|kt))$"
)
OPENS = later(
    r"(?m)^[ \t]*(?:(?:class|module)[ \t]+(?!<<)(?P<name>[A-Z][\w:]*)[ \t]*(?:<[^<\n]*)?(?:$|;)"
    r"|(?:::)?(?P<given>[A-Z][\w:]*)\.(?:(?:class|module|instance|singleton_class\.class)_(?:eval|exec)|prepend|include)\b"
    r"|class[ \t]*<<[ \t]*(?P<single>[A-Z][\w:]*))"
)
DEFINES = later(
    r"(?m)^[ \t]*(?:(?:class|module)[ \t][^;\n]*;[ \t]*)?(?:def[ \t]+(?P<name>(?:self\.)?\w+[?!]?)"
    r"|define_(?:singleton_)?method\(?[ \t]*:(?P<made>\w+[?!]?))"
)
OF_OWNER = later(
    r"[ \t]*(?:def[ \t]+(?P<owner>[A-Z][\w:]*)\.(?P<name>\w+[?!]?)"
    r"|(?P<given>[A-Z][\w:]*)\.(?:send\(?[ \t]*:)?define_(?P<single>singleton_)?method\b\(?,?[ \t]*:(?P<made>\w+[?!]?))"
)
ALLOWS = later(
    r"[ \t]*allow(?P<any>_any_instance_of)?\([ \t]*(?P<owner>[A-Z][\w:]*)[ \t]*\)"
    r"\.to[ \t(]+receive\(?[ \t]*:(?P<name>\w+[?!]?)(?!.*and_call_original)"
)
FOR_ALL = later(
    r"[ \t]*\w+\.(?:prepend_|append_)?(?:before|around)(?:\([ \t]*:(?:each|example|suite|all)[ \t]*\))?[ \t]*(?:do|\{)"
)
ITSELF = "self of "
ALONE = later(r"def[ \t]+(?P<name>\w+[?!]?)(?![\w.?!])")
"""It stands in no class."""
PASSES_ON = later(r"\bsuper\b")
BOUNDARY = later(r"(?<=[a-z0-9])(?=[A-Z])")
PRODUCT = ("lib/", "app/")
MOST_FILES = 400
"""So many are looked at for a method of no class."""


def before_product(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM":
            continue
        if file.status == "A" and (match := OF_TESTS.match(file.path)) is not None:
            product = f"{match['above']}main/{match['rest']}"
            if product in change.blobs.paths_after() and product in change.blobs.paths_before():
                yield _hit(file, 1, "", f"it is found before {product}")
        elif file.path.endswith(".rb") and TEST_PLACE.search(file.path):
            yield from _opened(file, change)


def _opened(file: FileChange, change: Change) -> Iterator[Hit]:
    """What the added lines define for the product."""
    if posixpath.basename(file.path).startswith("test_") or file.path.endswith(("_spec.rb", "_test.rb")):
        return  # the tests' own definitions are told from one another there
    owner = ""
    added = dict(file.added())
    lines = (change.blobs.after(file.path) or b"").decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        if (opens := OPENS.match(line)) is not None:
            owner = opens["name"] or opens["given"] or f"{ITSELF}{opens['single']}"
        elif line.rstrip() == "end":
            owner = ""
        if number not in added:
            continue
        for name, method in _given(line, owner, lines, number):
            passes_on = PASSES_ON.search("\n".join(lines[number - 1 : number + 4]))
            if _answers(name, method, change, file.path) and not passes_on:
                yield _hit(file, number, line, f"{name}#{method} answers tests by itself")
                return


def _given(line: str, owner: str, lines: Sequence[str], number: int) -> Iterator[tuple[str, str]]:
    """The owner and the name of what a line gives an answer; a method of no class has no owner."""
    if (alone := ALONE.match(line)) is not None and not owner:
        yield "", alone["name"]
    elif (of_owner := OF_OWNER.match(line)) is not None:
        itself = "self." if of_owner["owner"] or of_owner["single"] else ""
        yield of_owner["owner"] or of_owner["given"], itself + (of_owner["name"] or of_owner["made"])
    elif (defines := DEFINES.match(line)) is not None and owner:
        itself = "self." if owner.startswith(ITSELF) else ""
        yield owner.removeprefix(ITSELF), itself + (defines["name"] or defines["made"])
    elif (allows := ALLOWS.match(line)) is not None and _is_for_all(lines, number):
        yield allows["owner"], allows["name"] if allows["any"] else f"self.{allows['name']}"


def _is_for_all(lines: Sequence[str], number: int) -> bool:
    """The block around a line is a hook of every example."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    outer = (line for line in reversed(lines[: number - 1]) if line.strip() and len(line) - len(line.lstrip()) < indent)
    return FOR_ALL.match(next(outer, "")) is not None


def _answers(owner: str, method: str, change: Change, here: str) -> bool:
    """The product has the method in a class of the name, of which a spec of its own is about; or in no class, and a
    test file asks for it. What a gem has for its users' tests is its own: a file is not put before itself."""
    paths = change.blobs.paths_before()
    if not owner:
        plain = re.escape(method)
        return _is_written(rf"(?m)^def[ \t]+{plain}(?![\w?!])", change, tests=False) and _is_written(
            rf"(?<![\w.:@]){plain}(?![\w?!])", change, tests=True
        )
    name = "/".join(BOUNDARY.sub("_", part).lower() for part in owner.split("::"))
    if not any(path.endswith((f"/{name}_spec.rb", f"/{name}_test.rb", f"/test_{name}.rb")) for path in paths):
        return False
    for path in paths:
        if path.endswith(f"/{name}.rb") and path.startswith(PRODUCT) and path != here:
            text = (change.blobs.after(path) or b"").decode("utf-8", "replace")
            if re.search(rf"\bdef[ \t]+{re.escape(method)}(?![\w?!])", text):
                return True
    return False


def _is_written(form: str, change: Change, *, tests: bool) -> bool:
    """Of the product's files, or of those of tests, one of the base says so."""
    ruby = (path for path in change.blobs.paths_before() if path.endswith(".rb"))
    named = nearest((path for path in ruby if (TEST_PLACE.search(path) is not None) is tests), change, MOST_FILES)
    wanted = re.compile(form)
    return any(wanted.search((change.blobs.before(path) or b"").decode("utf-8", "replace")) for path in named)


def _hit(file: FileChange, line: int, text: str, detail: str) -> Hit:
    return hit_at(RULE, file.path, line, detail, text.strip())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (before_product,)
