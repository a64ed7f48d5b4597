"""The guardrails as a whole under policy v2: what is found, what is not, and what is never silent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ralph.guardrails
from ralph.guardrails import scan as scan_module
from ralph.guardrails.model import Change, FileChange, Hit, Hunk
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.scan import scan
from ralph.guardrails.side import side_hits
from ralph.guardrails.texts import MAX_BYTES, UnreadableError
from ralph.policy import registry
from ralph.record import replace
from ralph.verdict import Finding
from tests.guardrails.memory import MemoryBlobs, change, corpus

V2 = registry.load("v2")
COVERED = ("G01", "G02", "G03", "G11", "G12")


def found(before: dict[str, str], after: dict[str, str]) -> list[tuple[str, str, int]]:
    return [(f.rule, f.path, f.line) for f in scan(change(before, after), V2)]


def cases(expect: str, *classes: str) -> list[dict[str, Any]]:
    return [case for case in corpus(*classes) if case["expect"] == expect]


def blocking(case: dict[str, Any]) -> list[Finding]:
    return [f for f in scan(change(case["before"], case["after"]), V2) if f.severity == "block"]


ENDLESS = [
    *((path, " ") for path in ("src/a.rs", "src/A.kt", "src/A.cs", "a.go", "build.gradle.kts")),
    *(("scripts/t.sh", unit) for unit in ("a|", "||", "<", "<a>", "</a>")),
    ("build.gradle.kts", '\\"'),
    ("t/a.bats", " "),
    ("Makefile", "a"),
    ("t/a.bats", "case "),
]


@pytest.mark.parametrize(("path", "unit"), ENDLESS)
def test_no_line_takes_for_ever(path: str, unit: str) -> None:
    """Twenty thousand characters: with any work for each pair of them nobody would wait for the end."""
    line = unit * (20_000 // len(unit))
    found({path: "x = 1\n"}, {path: f"x = 1\n{line}\n"})
    found({path: "x = 1\n"}, {path: f"x = 1\nreturn {line}\n"})


def test_what_a_line_says_behind_too_many_operators_is_not_passed_over() -> None:
    pipes = "cat a " + "| b " * 500
    strict = "#!/bin/sh\nset -eu\n"
    before = {"scripts/t.sh": f"{strict}pytest\n"}
    assert ("hidden.packed", "scripts/t.sh", 3) in found(before, {"scripts/t.sh": f"{strict}{pipes}; pytest || true\n"})
    assert "hidden.packed-new" in {rule for rule, _, _ in found({}, {"scripts/t.sh": f"{strict}{pipes}\n"})}
    recipe = {"Makefile": f"check:\n\t{pipes}\n"}
    assert "hidden.packed-new" in {rule for rule, _, _ in found({"Makefile": "check:\n\tpytest\n"}, recipe)}
    text = f"{strict}pytest\necho '{'<b>' * 400}'\n"
    assert not {rule for rule, _, _ in found(before, {"scripts/t.sh": text}) if rule == "hidden.packed"}


@pytest.mark.parametrize("case", cases("block", *COVERED), ids=lambda case: f"{case['class']}-{case['id']}")
def test_v2_blocks(case: dict[str, Any]) -> None:
    findings = blocking(case)
    here = [f for f in findings if f.path == case["path"] or case["path"] is None]
    assert here, f"{case['why']}; found {[(f.rule, f.path, f.line) for f in findings]}"
    if case["line"] is not None:
        assert any(abs(f.line - case["line"]) <= 2 for f in here), [(f.rule, f.line) for f in here]


@pytest.mark.parametrize("case", cases("clean"), ids=lambda case: f"{case['class']}-{case['id']}")
def test_v2_is_not_alarmed(case: dict[str, Any]) -> None:
    assert [(f.rule, f.path, f.line) for f in blocking(case)] == []


@pytest.mark.parametrize("case", cases("review", *COVERED), ids=lambda case: f"{case['class']}-{case['id']}")
def test_v2_asks_for_review(case: dict[str, Any]) -> None:
    findings = scan(change(case["before"], case["after"]), V2)
    assert {f.severity for f in findings} == {"review"}


class TestAgainstTheBase:
    OLD = {"a.py": "import x  # noqa\ny = 1\nz = 2\n"}

    def test_what_was_there_is_not_the_change_s(self) -> None:
        assert found(self.OLD, {"a.py": "import x  # noqa\ny = 1\nz = 3  # an edit beside noqa\n"}) == []

    def test_a_move_costs_nothing(self) -> None:
        assert found(self.OLD, {"b/c.py": "y = 1\nz = 2\nimport x  # noqa\n"}) == []

    def test_a_copy_is_found_at_the_copy(self) -> None:
        assert [(p, n) for _, p, n in found(self.OLD, {**self.OLD, "b.py": "import x  # noqa\n"})] == [("b.py", 1)]

    def test_removal_is_fine(self) -> None:
        assert found(self.OLD, {"a.py": "import x\ny = 1\nz = 2\n"}) == []

    def test_findings_are_sorted_and_repeatable(self) -> None:
        after = {f"{name}.py": "import x  # noqa\ny = 1  # type: ignore\n" for name in "cab"}
        first = scan(change({}, after), V2)
        assert first == scan(change({}, dict(reversed(after.items()))), V2)
        assert list(first) == sorted(first, key=Finding.sort_key)
        assert len(first) == 6


class TestWhatCannotBeRead:
    def rules(self, subject: Change) -> list[str]:
        return [f.rule for f in scan(subject, V2) if f.severity == "block"]

    def raw(self, path: str, before: bytes | None, after: bytes) -> Change:
        """A file that git takes for binary: it shows no lines of it."""
        file = FileChange(
            path=path,
            status="A" if before is None else "M",
            old_mode="100644",
            new_mode="100644",
            old_blob="",
            new_blob="",
            binary=True,
        )
        return Change(files=(file,), blobs=MemoryBlobs({} if before is None else {path: before}, {path: after}))

    def test_a_file_too_large_to_parse_blocks_if_it_matters(self) -> None:
        filler = b"x = 1\n" * (MAX_BYTES // 6 + 1)
        for line, expected in ((b"y = 2  # noqa", ["scan.unreadable"]), (b"y = 2", [])):
            file = replace(self.raw("a.py", filler, b"").files[0], binary=False, hunks=(Hunk(1, (), 1, (line,)),))
            blobs = MemoryBlobs({"a.py": filler}, {"a.py": line + b"\n" + filler})
            assert self.rules(Change(files=(file,), blobs=blobs)) == expected

    def test_a_file_that_only_comparing_detectors_look_at_must_be_readable_too(self) -> None:
        assert self.rules(self.raw("a.test.js", None, b"// \0\nit.skip('x', f)\n")) == ["scan.unreadable"]

    def test_a_source_file_with_nul_bytes_blocks_if_it_matters(self) -> None:
        assert self.rules(self.raw("a.js", None, b"// \0 eslint-disable\n")) == ["scan.unreadable"]
        assert self.rules(self.raw("a.js", None, b"// \0\nlet x = 1\n")) == []
        assert self.rules(self.raw("a.png", None, b"\0skip noqa")) == []

    def test_utf_16_is_read(self) -> None:
        text = "x = 1\ny = 2  # noqa\n"
        assert "scan.unreadable" not in self.rules(self.raw("a.py", None, text.encode("utf-16")))
        assert len(self.rules(self.raw("a.py", None, text.encode("utf-16")))) == 1
        assert self.rules(self.raw("a.py", text.encode("utf-16"), text.replace("1", "3").encode("utf-16"))) == []

    def test_a_foreign_coding_hides_nothing(self) -> None:
        hidden = "import pytest\n\n@pytest.mark.skip\ndef test_a(): pass\n".encode("utf-7").replace(
            b"skip", b"+AHMAawBpAHA-"
        )
        assert b"skip" not in hidden
        text = (b"# coding: utf-7\n" + hidden).decode()
        assert [rule.split(".")[0] for rule, _, _ in found({}, {"tests/test_a.py": text})] == ["py"]

    def test_a_coding_that_nobody_knows_blocks(self) -> None:
        assert self.rules(change({}, {"a.py": "# coding: rot13\nvzcbeg bf\n"})) == ["scan.unreadable"]

    @pytest.mark.parametrize("end", ["\r", "\u2028", "\u2029"])
    def test_a_line_end_that_git_does_not_know_hides_nothing(self, end: str) -> None:
        text = f"// a comment{end}it.skip('x', () => {{}});\n"
        every = scan(change({}, {"a.test.js": text}), V2)
        assert {f.rule for f in every} > {"hidden.character"}
        findings = [f for f in every if f.rule != "hidden.character"]
        assert [f.line for f in findings] == [1]
        assert text.encode()[findings[0].column - 1 :].startswith((b"it.skip", b"skip"))

    def test_a_whole_construct_inside_a_broken_place_is_read(self) -> None:
        text = "#include <a.h>\nMACRO(\n#pragma GCC diagnostic push\nint f(void) { return 1; }\n"
        assert self.rules(change({}, {"a.c": text})) == []

    BROKEN = "x = 1\n)) ]] xfail ((\n"

    def test_a_word_in_a_broken_line_is_not_silent(self) -> None:
        assert self.rules(change({}, {"a.py": self.BROKEN})) == ["scan.unreadable-syntax"]

    def test_a_broken_line_of_the_base_is_nothing_new(self) -> None:
        assert self.rules(change({"a.py": self.BROKEN}, {"b.py": self.BROKEN + "# skip more\n"})) == []

    def test_a_broken_line_without_a_word_is_the_compiler_s_matter(self) -> None:
        assert self.rules(change({}, {"a.py": "x = 1\n)) ]] ((\n"})) == []


def test_a_detector_that_fails_makes_its_file_a_finding() -> None:
    """The parser's input must be bytes: anything else makes every detector fail."""
    with pytest.raises(UnreadableError, match="looking at it failed"):
        side_hits("a.py", "python", _Broken(b"x = 1  # noqa\n"), prefilter(("noqa",)), lambda line: True)


class _Broken(bytes):
    def split(self, *args: Any) -> Any:
        raise RuntimeError("lines cannot be cut")

    def __contains__(self, item: Any) -> bool:
        return False


def test_a_hit_that_the_policy_does_not_know_is_a_defect() -> None:
    hit = Hit(rule="no.such-rule", path="a", line=0, column=0, key="", snippet="")
    with pytest.raises(LookupError, match=r"'no\.such-rule'"):
        scan_module._finding(hit, V2)


def test_what_python_thinks_of_a_users_expression_is_not_said() -> None:
    """Such a warning would fail this test."""
    before = {"pyproject.toml": "[tool.mypy]\nstrict = true\n", "src/a.py": "x = 1\n"}
    after = {**before, "pyproject.toml": f"{before['pyproject.toml']}exclude = '^src/[a--b].*'\n"}
    assert "scan.unreadable" not in {finding.rule for finding in scan(change(before, after), V2)}


NO_RULES = {"py.test", "go.mod", "go.sum", "go.work", "test.exs", "test.unreferenced", "scan.scanners"}
"""Texts that look like rule ids: the old name of a program, files, and settings."""


def test_every_rule_that_a_detector_names_is_in_v2() -> None:
    """Rule ids are string constants `family.slug`; each one written in the guardrails must be known."""
    families = {rule.split(".")[0] for rule in V2.rules}
    constant = re.compile(r'"((?:{})\.[a-z0-9]+(?:-[a-z0-9]+)*)"'.format("|".join(sorted(families))))
    unknown = {}
    for path in Path(ralph.guardrails.__path__[0]).rglob("*.py"):
        for rule in constant.findall(path.read_text()):
            if rule not in V2.rules and rule not in NO_RULES:
                unknown[rule] = path.name
    assert unknown == {}
