"""Product code that asks whether it is being tested (policy set v2, class G07): Go, Rust, Java, Kotlin, C#, Ruby.

Rules: what gives a constant or a certain failure, leaves, or computes with what it is given, where it finds a test
framework around it answers the tests and nobody else: it blocks. Any other such question is for a person; so is what
computes how long or how often something is done. A name that holds the question's answer asks it, too (in another file:
`aware_elsewhere`). Tests and their support may ask. All but Kotlin and Ruby: so it is with what fails for some reason
only where nobody tests (`if (!tested && bad) throw`); C# and Java, which have to look for the framework's own code: and
with a function that is to check something and leaves.
What takes a lock only where it is tested (`guarded`), or puts its answer in order only there (`tidied`), blocks in all
of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.common.product.guarded import IS_NULL, locks_for_tests
from ralph.guardrails.common.product.program_names import asked_of_names
from ralph.guardrails.common.product.tidied import puts_in_order
from ralph.guardrails.inventory.readers import is_support, reader_of
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import is_in_part
from ralph.guardrails.source import Source
from ralph.guardrails.tokens import masked
from ralph.record import record
from ralph.system.patterns import later

_JVM = (
    r'"[^"\n]*\b(?:org\.junit|junit|testng|kotest|surefire|mockito|org\.gradle\.test)\b[^"\n]*"'
    r"|\b(?:getStackTrace\(\)|stackTrace\b|getClassName\(\)|className\b|get(?:MethodName|DeclaringClass)\(\)|methodName\b)[^\n;]*"
    r'\.(?:endsWith|startsWith|contains|matches)\(\s*"(?:[^"\n]*Tests?\b|test)'
    r'|\bgetName\(\)[^\n;"]*"Test worker'
)
ASKS = {
    "go": r'\btesting\.Testing\(\)|\bflag\.Lookup\(\s*"test\.|\bruntime\.Caller\w*\([^\n]*_test\b'
    r'|\bFuncForPC\([^\n]*"[^"\n]*(?:\bTest|testing\.)'
    r'|\bos\.Args\[0\][^"\n]*"[^"\n]*(?:[._/\\]?test(?:\.exe)?|_test/?|go-build[^"\n]*)"'
    r'|\bos\.Args\[0\](?:[^"\n]*"(?:\.\w+)?"){1,3}[^"\n]*"[^"\n]*[._/\\]test(?:\.exe)?"|\b(?:os\.Args|a|arg|args)\b[^"\n]*"-{1,2}test\.'
    r'|\bexe\w*\s*(?:,|\)?\s*==)\s*"\.test(?:\.exe)?"'
    r'|\bstrings\.(?:HasPrefix|Contains)\([^\n]*"-{1,2}test\.'
    r'|(?:"%T"|\breflect\.TypeOf\()[^\n]*"[^"\n]*(?i:fake|mock|stub|spy)[^"\n]*"',
    "rust": r'\bcfg!\(\s*(?:not\(\s*)?test\b|\bcurrent_exe\(\)[^\n;]*"[^"\n]*(?:\bdeps\b|test)[^"\n]*"'
    r'|\benv::args(?:_os)?\(\)\s*\.(?:next\(\)|nth\(0\))[^";]{0,200}"[^"\n]*\bdeps\b[^"\n]*"'
    r'|\benv::var(?:_os)?\(\s*"(?:CARGO_MANIFEST_DIR|CARGO_TARGET_TMPDIR|NEXTEST\w*|RUST_TEST_\w+)"\s*\)\.is_\w+'
    r'|\benv::vars(?:_os)?\(\)[^\n;]*"(?:NEXTEST|RUST_TEST_)\w*|\boption_env!\(\s*"(?:CARGO_TARGET_TMPDIR|NEXTEST\w*)'
    r'|\benv::args(?:_os)?\(\)[^\n;]*"--(?:test-threads|nocapture|exact|show-output)|\b[bB]acktrace\b[^\n;]*"[^"\n]*\btest(?:s?::|_)'
    r"|\bthread::current\(\)\s*\.name\(\)\s*[!=]="
    r"|\bthread::current\(\)[^}]{0,300}?\.(?:contains|starts_with|ends_with|find|split_once|rsplit)\(\s*"
    r'"[^"\n]*(?:\btests?::|::tests?\b)[^"\n]*"'
    r"|\bthread::current\(\)\s*\.name\(\)[^;\n]{0,120}\.(?:contains|starts_with|ends_with|split_once|rsplit)\(\s*"
    r'"[^"\n]*(?:::|test)[^"\n]*"',
    "java": _JVM,
    "kotlin": _JVM,
    "csharp": r'(?i:"[^"\n]*(?:xunit|nunit|mstest|testhost|vstest|\.testplatform)[^"\n]*")'
    r'|\b(?:StackTrace\b|GetFrames?\()[^\n;]*\.(?:EndsWith|StartsWith|Contains)\(\s*"[^"\n]*Tests?\b',
    "ruby": r"defined\?\s*\(?\s*(?:::)?(?:RSpec|Minitest|MiniTest|Test::Unit)\b"
    r"|\bcaller(?:_locations)?\b[^\n]*(?:_(?:spec|test)\b|[\"'/](?:spec|test)/)"
    r"|\$(?:0|PROGRAM_NAME|LOADED_FEATURES)\b[^\n]*(?:\b(?:rspec|minitest)|rake_test_loader|_(?:spec|test)\b|[\"'/](?:spec|test)/)"
    r"|\bGem\.loaded_specs\b[^\n]*[\"':](?:rspec|minitest|test-unit)|\bObjectSpace\b[^\n]*(?:RSpec|Minitest|Tests?\b)"
    r"|\bENV(?:\.\w+)?\.any\?[^\n]*[\"'/^](?:RSPEC|MINITEST|TEST_ENV_NUMBER|SPEC_OPTS)"
    r"|\bconst_defined\?\(\s*[:\"'](?:RSpec|Minitest)\b|\bENV(?:\.key\?\(|\[)\s*[\"']TEST_ENV_NUMBER\b"
    r"|\bRails\.env\.test\?|\bENV(?:\.fetch\(|\[)\s*[\"'](?:RAILS|RACK|APP)_ENV[\"'][^\n]*[\"']test[\"']",
}
FORMS = {language: later(form) for language, form in ASKS.items()}
WORDS = (
    r"testing\.testing|\"test\.\w|args\[0\]|\"\.test(?:\.exe)?\"|\"--?test\.",
    r"%t\"|reflect\.typeof",
    r"cfg!\(|current_exe|env::var|env::args|thread::current",
    r"stacktrace|classname|getframe",
    r"\bcaller|const_defined|test_env_number|loaded_features|loaded_specs|objectspace|option_env!|backtrace|funcforpc",
    r"methodname|declaringclass|\"test worker",
    r"junit|testng|kotest|surefire|gradle\.test|xunit|nunit|mstest|testhost|vstest|testplatform",
    r"defined\?|\$0|program_name|env\.test\?|_env\b|env(?:\.\w+)?\.any\?",
)
ANSWER = later(r"\breturn\b[ \t]*(?:-?\d|[\"':]|true\b|false\b|nil\b|null\b|None\b|Ok\(|Some\(|\[|new\b)")
FAILURE = later(r"\breturn\b[^\n;{}]*(?:\b[eE]rr[A-Z]\w*|\berrors\.New\(|\bfmt\.Errorf\(|\bErr\()")
"""A certain failure: honest where it keeps a function for tests out of production, which asks the other way round."""
COMPUTED = later(r"\breturn\b(?P<value>[^\n;{}\"']*[\w)\]]\s*[-+*/%](?![-+])\s*[\w(][^\n;{}\"']*)")
OF_MODULES = later(r'"[^"\n]*(?:\btests?::|::tests?\b)')
"""Only tests are called so: who asks for that does not look for a framework that may be there for other reasons."""
GIVEN = later(r"\breturn\s+(?P<value>[^;{}]*)")
PATIENCE = later(
    r"(?i)time|delay|wait|interval|sleep|backoff|retr|duration|second|cost|round|iterations|attempt|workers"
)
"""How long, or how often: tests may have other answers to that."""
HELD = later(r"(?:^|\s)(?P<name>\w+)(?:\s*:?\s*[bB]ool(?:ean)?)?\s*:?=(?!=)[^=\n]*$")
RETURNED = later(
    r"(?:\bfunc|\bfn|\bfun|\bboolean|\bbool|\bdef)\s+(?P<name>\w+)\s*\([^()]*\)[^\n]*\n?"
    r"\s*(?:return\b[ \t]*(?:[\w.]+\()*)?\s*(?:!\s*)?$"
)
BRANCH = later(r"if\w*|unless\w*|conditional\w*|ternary\w*|for\w*|foreach\w*|enhanced_for\w*")
ENDS = later(r"(?:func(?:tion)?|method|class|constructor)_\w*(?:declaration|item|definition)|method|class|source_file")
SEARCHING = frozenset({"csharp", "java"})
"""Languages without a usual way to ask: who asks looks through what is loaded."""
NAMED = frozenset({"variable_declarator", "assignment_expression", "property_declaration", "method_declaration"})
LOADS = later(r"\b(?:forName|loadClass|findClass|require|import)\b")
TRIES = later(r"try\w*|begin|using_statement")
TRUTH = later(r"(?:System\.)?[bB]ool(?:ean)?\??")
SPARING = SEARCHING | {"go", "rust"}
THROWN = later(r"\bthrow\b")
LEAVES = later(r"\breturn\s*;")
CHECKS = later(r"(?i)valid|check|verify|ensure|guard|assert|authori|permi")
NEAR = 3
"""So many branches around the question belong to it."""
LONGEST = 300
"""So many characters before a question may name it."""


@record
class _Place:
    node: tree_sitter.Node | None
    negated: bool


def asks(source: Source) -> Iterator[Hit]:
    """Questions about the test framework in code that is no test."""
    for text, match in questions(source):
        node = _at(source, match)
        negated = is_negated(source, text, match)
        places = [_Place(node, negated), *_asked_by_name(source, text, match, negated)]
        told = next((each for each in places if _answers(source, each) or _answers_if_loaded(source, each)), None)
        told = told or (_given_to_tests(source, match) if OF_MODULES.search(match[0]) else None)
        if told is not None and told.node is not None:
            yield source.hit("code.detects-tests", told.node, match[0])
        elif node is not None:
            yield source.hit("code.test-mode", node, match[0])


def questions(source: Source) -> Iterator[tuple[str, re.Match[str]]]:
    """Each with the text of the file without its comments."""
    reader, form = reader_of(source.language), FORMS.get(source.language)
    if form is None or is_support(source.path) or (reader is not None and reader.is_test_file(source.path)):
        return
    plain = source.data.decode("latin-1")
    if not is_in_part(form, plain) and next(asked_of_names(plain, source.language), None) is None:
        return
    text = masked(source, keep_strings=True)
    for match in (*form.finditer(text), *asked_of_names(text, source.language)):
        yield text, match


def _at(source: Source, match: re.Match[str]) -> tree_sitter.Node | None:
    return source.tree.root_node.descendant_for_byte_range(match.start(), match.end() - 1)


def is_negated(source: Source, text: str, match: re.Match[str]) -> bool:
    """It asks whether nobody tests."""
    before, behind = text[: match.start()].rstrip(), text[match.end() : match.end() + LONGEST]
    if before.endswith("!") or "not(" in match[0] or IS_NULL.match(behind) is not None:
        return True
    node = _at(source, match)
    return node is not None and _is_refused(source, node)


def _is_refused(source: Source, node: tree_sitter.Node) -> bool:
    """`!loaded.Any(each => each.Name == "xunit")`, of which the node is the text."""
    above: tree_sitter.Node | None = node
    while above is not None and source.language in SEARCHING and above.type not in NAMED:
        if BRANCH.fullmatch(above.type) or ENDS.fullmatch(above.type):
            return False
        if source.text(above).startswith("!") and "unary" in above.type:
            return True
        above = above.parent
    return False


def _asked_by_name(source: Source, text: str, match: re.Match[str], negated: bool) -> Iterator[_Place]:
    """Where a branch asks the name that holds the answer, or the function that gives it."""
    name = asked_name(source, text, match)
    if name and (source.language != "rust" or "thread::" in match[0]):
        yield from _uses(source, text, name, negated)


def asked_name(source: Source, text: str, match: re.Match[str]) -> str:
    """The name that holds the answer, or the function that gives it; empty if there is none."""
    before = text[max(0, match.start() - LONGEST) : match.start()]
    held = HELD.search(before.rpartition("\n")[2]) or RETURNED.search(before)
    return _name_around(source, match) or (held["name"] if held is not None else "")


def answers_by_name(source: Source, name: str, *, negated: bool) -> bool:
    """A branch of the file asks that name, and answers the tests and nobody else."""
    text = masked(source, keep_strings=True)
    return any(_answers(source, each) for each in _uses(source, text, name, negated))


def _uses(source: Source, text: str, name: str, negated: bool) -> Iterator[_Place]:
    for use in re.finditer(rf"\b(?:if|unless)\b[^\n{{]*?(?P<not>!\s*(?:\w+\.)*)?\b{re.escape(name)}\b", text):
        node = source.tree.root_node.descendant_for_byte_range(use.end() - 1, use.end() - 1)
        yield _Place(node, (use["not"] is not None) != negated)


def _name_around(source: Source, match: re.Match[str]) -> str:
    """What is declared, or given a value, with the question in it."""
    above = _at(source, match) if source.language in SEARCHING else None
    while above is not None and above.type not in NAMED and not BRANCH.fullmatch(above.type):
        above = above.parent
    if above is None or above.type not in NAMED:
        return ""
    kind = above.child_by_field_name("returns") or above.child_by_field_name("type")
    if kind is not None and not TRUTH.fullmatch(source.text(kind)):
        return ""
    name = above.child_by_field_name("name") or above.child_by_field_name("left")
    return source.text(name).rpartition(".")[2] if name is not None else ""


def _answers(source: Source, place: _Place) -> bool:
    above, branches = place.node, 0
    while above is not None and branches < NEAR and not ENDS.fullmatch(above.type):
        if BRANCH.fullmatch(above.type) and above.is_named:
            branches += 1
            written = source.text(above)
            if ANSWER.search(written) is not None or (branches == 1 and _computes(source, above)):
                return True
            if branches == 1 and locks_for_tests(source, above, place.negated):
                return True
            if branches == 1 and not place.negated and (FAILURE.search(written) or puts_in_order(source, above)):
                return True
            if branches == 1 and source.language in SPARING and _spares(source, above, place.negated):
                return True
        above = above.parent
    return False


def _given_to_tests(source: Source, match: re.Match[str]) -> _Place | None:
    """The branch that asks at the end of the question, if it leaves with something of its own."""
    above = source.tree.root_node.descendant_for_byte_range(match.end() - 1, match.end() - 1)
    while above is not None and not BRANCH.fullmatch(above.type) and not ENDS.fullmatch(above.type):
        above = above.parent
    if above is None or not above.is_named or not BRANCH.fullmatch(above.type):
        return None
    given = GIVEN.search(source.text(above))
    return _Place(above, False) if given is not None and not PATIENCE.search(given["value"]) else None


def _answers_if_loaded(source: Source, place: _Place) -> bool:
    """`try { Class.forName("org.junit.Test"); return 7; } catch ...`: what follows is for those where it is there."""
    step = place.node
    while step is not None and (step.parent is None or "statement" not in step.type):
        step = step.parent
    if step is None or BRANCH.fullmatch(step.type) or not LOADS.search(source.text(step)):
        return False
    behind = step.next_named_sibling
    around = step.parent.parent if step.parent is not None else None
    tried = around is not None and TRIES.fullmatch(around.type) is not None
    return tried and behind is not None and ANSWER.match(source.text(behind)) is not None


def _computes(source: Source, branch: tree_sitter.Node) -> bool:
    """It gives something that is computed from what its function is given."""
    function = branch.parent
    while function is not None and not ENDS.fullmatch(function.type):
        function = function.parent
    parameters = function.child_by_field_name("parameters") if function is not None else None
    if function is None or parameters is None or PATIENCE.search(source.text(function).partition("\n")[0]):
        return False
    given = set(re.findall(r"\w+", source.text(parameters)))
    values = (match["value"] for match in COMPUTED.finditer(source.text(branch)))
    return any(given & set(re.findall(r"\w+", value)) and not PATIENCE.search(value) for value in values)


def _spares(source: Source, branch: tree_sitter.Node, negated: bool) -> bool:
    """A failure that tests never see, but where there is nothing more to it than that they may not come here."""
    condition, body = branch.child_by_field_name("condition"), branch.child_by_field_name("consequence")
    if condition is None or body is None:
        return False
    if not negated:
        if source.language not in SEARCHING:
            return False
        function = branch.parent
        while function is not None and not ENDS.fullmatch(function.type):
            function = function.parent
        name = function.child_by_field_name("name") if function is not None else None
        return name is not None and bool(CHECKS.search(source.text(name)) and LEAVES.search(source.text(body)))
    if "&&" in source.text(condition):
        return (THROWN if source.language in SEARCHING else FAILURE).search(source.text(body)) is not None
    if source.language not in SEARCHING:
        return False
    inner = (each for each in source.walk(body) if BRANCH.fullmatch(each.type) and each.is_named)
    return any(THROWN.search(source.text(each)) for each in inner)
