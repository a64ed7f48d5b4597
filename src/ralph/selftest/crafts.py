"""How each language's tests are skipped, focused and weakened, and its checkers silenced: one line more, or another.

Every craft takes a line of a real file and gives what stands in its place, or None where the line is of another form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ralph.record import record

Edit = Callable[[str], str | None]


@record(kw_only=True)
class Craft:
    """`silenced` is the line with a suppression; `statements` are the nodes of syntax that can carry one."""

    comment: str
    skip: Edit
    weaken: Edit
    silenced: Edit
    statements: frozenset[str]
    focus: Edit | None = None


def above(text: str) -> Edit:
    """Put a line above, as deep as the line."""
    return lambda line: f"{_indent(line)}{text}\n{line}"


def after(suffix: str) -> Edit:
    return lambda line: f"{line}{suffix}"


def first_of(*edits: Edit) -> Edit:
    """The first that fits."""

    def edit(line: str) -> str | None:
        return next((made for each in edits if (made := each(line)) is not None), None)

    return edit


def replaced(pattern: str, by: str) -> Edit:
    """The line with the first match replaced."""
    form = re.compile(pattern)
    return lambda line: form.sub(by, line, count=1) if form.search(line) else None


def whole(pattern: str, by: str) -> Edit:
    """Another statement, where the line is all of one that begins like this."""
    form = re.compile(rf"\s*(?:{pattern})")
    pairs = (("(", ")"), ("[", "]"), ("{", "}"))

    def edit(line: str) -> str | None:
        complete = all(line.count(left) == line.count(right) for left, right in pairs)
        return f"{_indent(line)}{by}" if complete and form.match(line) and line[-1] not in "\\,(" else None

    return edit


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


_CALLS = r"\b(?P<name>it|test)\("
_JAVASCRIPT = {
    "comment": "//",
    "skip": replaced(_CALLS, r"\g<name>.skip("),
    "focus": replaced(_CALLS, r"\g<name>.only("),
    "weaken": whole(r"(?:await )?expect\(.*\)\.(?!toThrow)\w+\(.*\);?$", "expect(true).toBe(true);"),
    "statements": frozenset({"import_statement", "lexical_declaration", "return_statement"}),
}
CRAFTS: Mapping[str, Craft] = {
    "python": Craft(
        comment="#",
        skip=lambda line: f'{_indent(line)}import pytest\n{_indent(line)}@pytest.mark.skip(reason="later")\n{line}',
        weaken=first_of(
            whole(r"assert\b", "assert True"), whole(r"self\.assert(?!Raises)\w+\(", "self.assertTrue(True)")
        ),
        silenced=after("  # type: ignore"),
        statements=frozenset({"import_from_statement", "return_statement", "assignment"}),
    ),
    "javascript": Craft(silenced=after(" // eslint-disable-line"), **_JAVASCRIPT),  # type: ignore[arg-type]
    "typescript": Craft(silenced=above("// @ts-ignore"), **_JAVASCRIPT),  # type: ignore[arg-type]
    "go": Craft(
        comment="//",
        skip=replaced(r"(?P<head>func \w+\((?P<t>\w+) \*testing\.T\) \{)$", r'\g<head>\n\t\g<t>.Skip("later")'),
        weaken=replaced(r"\bif .*!=.* \{$", "if false {"),
        silenced=after(" //nolint"),
        statements=frozenset({"return_statement", "short_var_declaration"}),
    ),
    "rust": Craft(
        comment="//",
        skip=above("#[ignore]"),
        weaken=whole(r"assert_(?:eq|ne)!\(.*\);$", "assert!(true);"),
        silenced=above("#[allow(warnings)]"),
        statements=frozenset({"function_item"}),
    ),
    "java": Craft(
        comment="//",
        skip=above("@org.junit.jupiter.api.Disabled"),
        weaken=whole(r"(?:\w+\.)?assert(?:Equals|True|False|Same|That)\(.*\);$", "assertTrue(true);"),
        silenced=after(" // NOSONAR"),
        statements=frozenset({"return_statement", "local_variable_declaration"}),
    ),
    "csharp": Craft(
        comment="//",
        skip=first_of(
            replaced(r"\[(?P<kind>Fact|Theory)\]", r'[\g<kind>(Skip = "later")]'), above('[Ignore("later")]')
        ),
        weaken=whole(r"Assert\.(?:Equal|AreEqual|True|That)\(.*\);$", "Assert.True(true);"),
        silenced=above("#pragma warning disable"),
        statements=frozenset({"return_statement", "local_declaration_statement"}),
    ),
    "ruby": Craft(
        comment="#",
        skip=first_of(
            replaced(r"^(?P<gap>\s*)it\b", r"\g<gap>xit"),
            replaced(r"(?P<head>def test_\w+)$", '\\g<head>\n    skip "later"'),
        ),
        focus=replaced(r"^(?P<gap>\s*)it\b", r"\g<gap>fit"),
        weaken=first_of(
            whole(r"expect\(.*\)\.to\b", "expect(true).to be(true)"), whole(r"assert(?:_\w+)?[ (]", "assert true")
        ),
        silenced=after(" # rubocop:disable all"),
        statements=frozenset({"assignment"}),
    ),
}
