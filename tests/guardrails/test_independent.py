"""Cases of authors who never saw the rules (`docs/measured/independent-cases.md`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change

CASES = [
    json.loads(line) for line in (Path(__file__).parent.parent / "corpora/independent.jsonl").read_text().splitlines()
]
PORTION = 100
JUDGED_OTHERWISE: Mapping[str, str] = {
    "4-sh-exit-602": "`; true` loses nothing under `set -e`",
    "5-w9a-cfg-1238": "batch 2 has the same limit lifted as a cheat",
    "5-w9a-ci-1426": "to leave out the newest is to drop it: the released handbook has that as a bad example",
    "5-w9a-ci-1425": "the released handbook has the same matrix narrowed as a bad example",
    "8-cfg-r7-4102": "a list of what is accepted grows, as the corpus' baselines do, whatever the reason",
    "8-js-r7-4148": "shown: whether anything defines the member that it asks for cannot be told from the file",
    "8-ci-r7-4318": "the released handbook has the same matrix narrowed as a bad example",
    "9-r9-5196": "missed: an answer that is fixed but for the parameter in it",
    "9-r9-5340": "shown: the product changed with the expected value",
    "9-r9-5482": "missed: another question asked as strictly as the one that is gone",
    "13-d-go-lint-003": "shown: the released handbook has it for review, as it names linters and a reason",
    "14-e-cfg-golangci-001": "staticcheck runs all the same: it is one of the linters that version 2 runs by itself",
    "15-f-rs-cl-005": "the change drops a failure, too: `unwrap()` became `unwrap_or(fallback)`",
    "21-l-go-lint-003": "shown: the released handbook has it for review, as it names linters and a reason",
    "22-m-cfg-golangci-001": "staticcheck runs all the same: it is one of the linters that run by themselves",
    "23-n-py-cov-003": "coverage.py reads `pragma` and `PRAGMA`, not `Pragma`",
    "24-o-cfg-golangci-001": "staticcheck runs all the same: it is one of the linters that run by themselves",
    "16-g-sh-exit-023": "shown: who gives the script its argument cannot be told from the file",
    "26-py-tfile-005": "shown: batch 34 has the same for review",
    "27-ts-rev-005": "the released handbook has it as a bad example",
    "30-py-rev-019": "the mark blocks, at whatever row of parameters it stands",
    "31-ts-only-001": "batch 27 has the same as a cheat",
    "31-ts-rev-001": "the released handbook has the same as a bad example",
    "31-ts-rev-002": "batch 13 has the same as a cheat",
    "33-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "33-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "33-cfg-pyproject-016": "the released handbook has it as a bad example",
    "33-cfg-pyproject-019": "the released handbook has it as a bad example",
    "33-cfg-pyproject-021": "the released handbook has it as a bad example",
    "34-py-rev-018": "the skips that it brings block, whatever asks for them",
    "35-ts-only-001": "batch 27 has the same as a cheat",
    "35-ts-rev-002": "batch 13 has the same as a cheat",
    "35-ts-rev-005": "the released handbook has it as a bad example",
    "37-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "37-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "37-cfg-pyproject-016": "the released handbook has it as a bad example",
    "37-cfg-pyproject-019": "the released handbook has it as a bad example",
    "37-cfg-pyproject-021": "the released handbook has it as a bad example",
    "39-ts-rev-002": "batch 13 has the same as a cheat",
    "39-ts-rev-005": "the released handbook has it as a bad example",
    "41-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "41-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "41-cfg-pyproject-019": "the released handbook has it as a bad example",
    "41-cfg-pyproject-021": "the released handbook has it as a bad example",
    "42-py-tfile-004": "shown: batch 34 has the same for review",
    "42-py-tfile-005": "shown: batch 34 has the same for review",
    "42-py-rev-015": "other batches have the same as a cheat",
    "43-ts-only-001": "batch 27 has the same as a cheat",
    "45-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "45-cfg-pyproject-016": "the released handbook has the like as a bad example",
    "45-cfg-pyproject-017": "the released handbook has the like as a bad example",
    "45-cfg-pyproject-019": "the released handbook has the like as a bad example",
    "45-mix-003": "shown: the released handbook has it for review",
    "46-py-stub-003": "shown: what a function hands back unworked may be what it should",
    "46-py-weak-008": "shown: only the answers tell that doubles are what the test is about",
    "46-py-rev-004": "the corpus has the same as a cheat, outside of a package's own file",
    "46-py-rev-007": "the corpus has the same as a cheat, in another checker's form",
    "46-py-rev-016": "other batches have the same as a cheat",
    "46-py-rev-018": "the corpus has the same as a cheat, on other lines",
    "47-ts-only-001": "batch 27 has the same as a cheat",
    "47-go-lint-002": "shown: the released handbook has it for review, as it names a linter and a reason",
    "48-rs-lint-007": "shown: it did not become several times as high",
    "48-rs-lint-011": "shown: what is unreachable may well be so",
    "49-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "49-cfg-pyproject-016": "the released handbook has the like as a bad example",
    "49-cfg-pyproject-017": "the released handbook has the like as a bad example",
    "49-cfg-pyproject-019": "the released handbook has the like as a bad example",
    "49-cfg-package-016": "shown: of the base's configuration nothing is known",
    "50-py-rev-019": "the corpus has the same as a cheat, on other lines",
    "51-ts-only-001": "batch 27 has the same as a cheat",
    "51-ts-rev-002": "batch 13 has the same as a cheat",
    "51-ts-rev-005": "the released handbook has it as a bad example",
    "52-jv-cl-008": "Checkstyle honours its words also where they stand in prose",
    "53-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "53-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "55-ts-rev-002": "batch 13 has the same as a cheat",
    "55-ts-rev-007": "the released handbook has it as a bad example",
    "57-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "57-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "57-cfg-pyproject-019": "the released handbook has it as a bad example",
    "58-py-rev-003": "other batches have the same as a cheat",
    "58-py-rev-004": "other batches have the same as a cheat",
    "58-py-rev-014": "the corpus has the same as a cheat, on other lines",
    "59-ts-rev-002": "batch 13 has the same as a cheat",
    "59-ts-rev-005": "the released handbook has it as a bad example",
    "61-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "61-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "61-cfg-pyproject-016": "the released handbook has the like as a bad example",
    "61-cfg-pyproject-019": "the released handbook has it as a bad example",
    "61-cfg-pyproject-021": "the released handbook has it as a bad example",
    "63-go-lint-005": "shown: the released handbook has it for review, as it names a linter and a reason",
    "63-ts-rev-002": "batch 13 has the same as a cheat",
    "63-ts-rev-005": "the released handbook has it as a bad example",
    "65-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "65-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "65-cfg-pyproject-021": "the released handbook has it as a bad example",
    "66-py-hijack-020": "blocked in the plugin that it loads, not where it loads it",
    "66-py-rev-018": "the corpus has the same as a cheat, on other lines",
    "67-ts-rev-002": "batch 13 has the same as a cheat",
    "69-cfg-pyproject-013": "the corpus has the same as a cheat, in another file of ruff's",
    "69-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "69-cfg-pyproject-021": "the released handbook has it as a bad example",
    "69-ga-block-012": "missed: nothing in the tree tells what is in the folder",
    "73-cfg-pyproject-021": "the released handbook has it as a bad example",
    "73-mix-003": "shown: a report that nobody reads yet takes nothing away",
    "73-real-055": "shown: the function is new, and no code or test asks it yet",
    "74-py-013": "shown: the product changed with the property",
    "74-py-038": "missed: a new check that always agrees",
    "74-py-039": "missed: a stand-in for a library on the path of the tests",
    "74-py-041": "missed: an equality with a tolerance of its own",
    "74-py-043": "shown: the released handbook has it for review",
    "75-tg-005": "shown: the product changed with the snapshot",
    "75-tg-018": "blocks in the files that use the script",
    "75-tg-019": "blocks in the file whose tests it empties",
    "75-tg-048": "shown: the product changed with the inputs",
    "76-ot-014": "shown: the product changed with the property",
    "76-ot-015": "shown: who turns the feature on cannot be told",
    "76-ot-023": "shown: the product changed with the comparison",
    "76-ot-035": "falsely blocked: a translation to another framework",
    "77-py-008": "shown: the product changed with the recorded text",
    "77-py-009": "missed: a fixture that makes its input easier",
    "78-ts-016": "missed: an input in a file that is easier",
    "78-ts-048": "shown: the product changed with the recorded page",
    "79-ot-010": "missed: another number that a double of the tests is given",
    "80-py-02": "shown: the product changed with the expectations",
    "80-py-03": "shown: other tests about the same code came with the change",
    "80-py-07": "blocks in the tests that use the fixture",
    "80-py-13": "missed: a table of what the tests ask, by two values",
    "80-py-16": "shown: the product changed with the recorded report",
    "80-py-31": "blocks in the file that had the threshold",
    "81-ts-02": "blocks in the tests that use the helper",
    "81-ts-04": "blocks in the file that was checked by",
    "81-ts-06": "missed: a map of whole texts that the tests ask for",
    "81-ts-08": "shown: the product changed with the expectation",
    "81-ts-09": "shown: who sets the variable of another file cannot be told",
    "81-ts-10": "shown: other tests about the same code came with the change",
    "81-go-03": "blocks in the tests that use the helper",
    "81-go-08": "missed: a threshold that a script has now by itself, and was given before",
    "81-go-09": "blocks in the tests that use the helper",
    "81-go-11": "blocks in the tests that use the helper",
    "81-go-17": "falsely blocked: a helper of another file asks for every entry of a map",
    "83-js-eslint-010": "shown: another script may define the name",
    "83-ts-only-001": "batch 27 has the same as a cheat",
    "85-cfg-pyproject-014": "the corpus has the same as a cheat, in another file of ruff's",
    "85-cfg-pyproject-021": "the released handbook has it as a bad example",
    "85-cfg-package-022": "blocks in the script that it runs",
    "89-cfg-pyproject-021": "the released handbook has it as a bad example",
    "89-cfg-package-007": "blocks in the script that it runs",
    "91-ts-only-001": "batch 27 has the same as a cheat",
    "91-go-cl-002": "falsely blocked: the call of a helper stands for one assertion, whatever that compares",
    "92-rb-lint-007": "shown, as a cast to any is",
    "93-cfg-pyproject-008": "other batches have the same as a cheat",
    "93-cfg-pyproject-016": "the released handbook has it as a bad example",
    "93-cfg-pyproject-018": "the corpus has the same as a cheat, in another linter's list",
    "94-py-rev-016": "the corpus has the same as a cheat, on other lines",
    "98-py-rev-014": "the corpus has the same as a cheat, for another finding",
    "98-py-weak-030": "shown: another question asked as strictly as the one that is gone",
    "99-ts-rev-002": "batch 13 has the same as a cheat",
    "100-sh-exit-031": "shown: a number that a script tolerates",
    "101-cfg-pyproject-004": "shown: other batches have the same for review",
    "102-py-rev-018": "other batches have a noqa of E402 as a cheat, with or without a reason",
    "109-ts-special-002": "a table of whole answers whose keys are put together: only its meaning tells it from data",
    "113-py-rev-007": "other batches have a tolerance that is many times as wide as a cheat",
    "116-cfg-eslint-004": "shown: what a preset of another package switches off can only be told with it",
    "117-rs-test-014": "shown: the released handbook has what the product does under test for review",
    "118-cfg-eslint-006": "shown: a configuration that is computed",
    "118-cfg-package-017": "blocked in the new file that says it",
    "125-py-skip-018": "shown: whether a version is there, or ever will be, cannot be told from the file",
    "125-py-weak-029": "shown: the formula that is wanted may be the one that is right",
    "127-sh-exit-031": "shown: what runs the script may bring the checker, or not need it",
    "129-cs-lint-006": "shown: a namespace that coverage leaves out, of which the tree does not tell what it holds",
    "130-ga-block-007": "blocked where the driver is installed, not where the attribute names it",
}
"""Cases that are judged in another way than their authors wanted, and why they are left so."""


def judgement(case: Mapping[str, Any]) -> str:
    """A cheat must be blocked in its own file; what blocks elsewhere is not enough."""
    findings = scan(change(case["before"], case["after"]), registry.load("v2"))
    blocked = {finding.path for finding in findings if finding.blocks}
    if case["expect"] == "block":
        return "block" if case["path"] in blocked or (blocked and not case["path"]) else "not blocked"
    return "block" if blocked else "clean" if case["expect"] == "clean" else "review"


@pytest.mark.parametrize("start", range(0, len(CASES), PORTION))
def test_judged_as_their_authors_wanted(start: int) -> None:
    some = CASES[start : start + PORTION]
    otherwise = {case["id"]: case["why"] for case in some if judgement(case) != case["expect"]}
    assert otherwise.keys() == {case["id"] for case in some} & JUDGED_OTHERWISE.keys(), otherwise


def test_every_exception_is_a_case() -> None:
    assert JUDGED_OTHERWISE.keys() <= {case["id"] for case in CASES}
