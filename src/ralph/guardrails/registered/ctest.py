"""What files of CMake and CTest say about tests (see `model`).

- `DISABLED` runs a test no more. `WILL_FAIL` turns the result of one that was there around. A `PASS_REGULAR_EXPRESSION`
  takes the place of the exit status: one that asks for no word of success blocks, as does a `SKIP_RETURN_CODE` that
  failing tests end with, and a `SKIP_REGULAR_EXPRESSION` that their output holds.
- What CTest is told to leave out (`CTEST_CUSTOM_TESTS_IGNORE`, `CMAKE_CTEST_ARGUMENTS`, the options of `ctest_test` and
  of a command that a target runs) blocks, as does a list of tests from which something is filtered.
- A command that leaves cases out or hides how it ends, and did not, blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.registered.cmake import DISCOVERS, TEST_LIST, Statement, statements
from ralph.guardrails.registered.model import (
    EXCLUDED,
    IGNORED,
    NOT_RUN,
    PARTLY,
    RETRIES,
    WEAKER,
    Entry,
    Found,
    is_of_platform,
    never,
)
from ralph.guardrails.texts import cut
from ralph.record import record
from ralph.system.patterns import later

TRUE = frozenset(("true", "on", "yes", "1", "y"))
SUCCESS = later(r"(?i)pass|\bok\b|success|succeed|\b0 (?:fail|error)|all .*(?:tests|checks)|no (?:fail|error)")
FAILURE = later(r"(?i)fail|error|assert|abort|segfault|panic|exception|terminate|^\W*\.?[*+]?\W*$")
ANYTHING = later(r"^\W*$|^\^?\(?\.?[*+]?\)?\$?$|\.\*$|\|\W*$")
FAILING_CODES = frozenset(("1", "-1", "2", "101", "134", "139", "255", "0"))
OF_CTEST = later(r"(?:(?<![\w./-])ctest(?![\w.-])|CMAKE_CTEST_COMMAND\}|CMAKE_CTEST_ARGUMENTS)(?P<rest>[^&|]*)")
LEAVES_OUT = later(
    r"(?:^|(?<=[\s;]))(?:-E|-LE|-R|-L|--(?:label-)?exclude(?:-regex)?|--tests-regex|--label-regex|-FA)"
    r"(?:[\s;=]+\S+)?(?=$|[\s;])"
)
REPEATS = later(r"--repeat[\s;=:]+\"?(?:until-pass|after-timeout)|--no-tests=ignore")
DASHBOARD = frozenset(
    ("EXCLUDE", "EXCLUDE_LABEL", "INCLUDE", "INCLUDE_LABEL", "EXCLUDE_FROM_FILE", "INCLUDE_FROM_FILE")
)
NARROWS = later(
    r"--gtest_filter=|--gtest_list_tests|--list-tests|--list_content|(?:^|\s)~\[|--run_test=|-tce=|-tc="
    r"|--test-(?:suite|case)(?:-exclude)?=|--filter[= ]|(?:^|\s)-k\s|GTEST_FILTER=|DOCTEST_CONFIG"
    r"|BOOST_TEST_RUN_FILTERS|TESTFILTER"
)
UNHEARD = later(r"\|\|\s*(?:true|:|exit 0)|;\s*(?:true|exit 0)\b|&\s*$")
CONFIGURED = later(
    r"CONFIGURATIONS(?: (?:Debug|Release|RelWithDebInfo|MinSizeRel))+(?: (?:COMMAND|WORKING_DIRECTORY)|$)"
)


@record(kw_only=True)
class Said:
    """Something that a file says about tests, known by `key`; `value` may get worse."""

    key: tuple[str, ...]
    value: str
    path: str
    line: int
    conditions: tuple[str, ...] = ()


def otherwise(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Found]:
    """Tests whose command leaves something out, or hides how it ends, and did not."""
    known = {entry.name: entry.command for entry in old}
    for entry in new:
        was, now = known.get(entry.name), entry.command
        if was is None or was == now:
            continue
        for rule, form in (("cfg.test.filtered", NARROWS), (IGNORED, UNHEARD)):
            if form.search(now) and not form.search(was):
                yield Found(rule=rule, path=entry.path, line=entry.line, detail=cut(f"{entry.name} runs {now}", 200))
        if "CONFIGURATIONS" in now and "CONFIGURATIONS" not in was:
            rule = PARTLY if CONFIGURED.search(now) else NOT_RUN
            yield Found(rule=rule, path=entry.path, line=entry.line, detail=cut(f"{entry.name} runs {now}", 200))


def said_about_tests(path: str, text: str) -> Iterator[Said]:
    for one in statements(text):
        for key, value in _said(one):
            yield Said(key=key, value=value, path=path, line=one.line, conditions=one.conditions)


def _said(one: Statement) -> Iterator[tuple[tuple[str, ...], str]]:
    words = one.arguments
    if "PROPERTIES" in words and (one.name == "set_tests_properties" or DISCOVERS.fullmatch(one.name)):
        at = words.index("PROPERTIES")
        tests = words[:at] if one.name == "set_tests_properties" else words[:1]
        yield from _properties(tests, words[at + 1 :])
    elif one.name == "set_property" and words[:1] == ("TEST",) and "PROPERTY" in words:
        at = words.index("PROPERTY")
        tests = tuple(word for word in words[1:at] if word not in ("APPEND", "APPEND_STRING"))
        yield from _properties(tests, (words[at + 1], " ".join(words[at + 2 :])) if len(words) > at + 1 else ())
    if DISCOVERS.fullmatch(one.name):
        for option in ("TEST_FILTER", "TEST_SPEC"):
            if option in words[:-1]:
                yield (option, words[0]), words[words.index(option) + 1]
    yield from ((key, "yes") for key in _of_runs(one))


def _of_runs(one: Statement) -> Iterator[tuple[str, ...]]:
    """What a run of CTest, or a list of tests, is told to leave out."""
    words, shown = one.arguments, " ".join(one.arguments)
    if one.name in ("set", "list") and "CTEST_CUSTOM_TESTS_IGNORE" in words[:2]:
        for word in words[words.index("CTEST_CUSTOM_TESTS_IGNORE") + 1 :]:
            yield from (("ignored", name) for name in word.split(";"))
    elif one.name == "ctest_test":
        yield from ((option, shown) for option in sorted(DASHBOARD.intersection(words)))
    elif one.name == "list" and len(words) > 2 and TEST_LIST.fullmatch(words[1]):
        if words[0] == "REMOVE_ITEM" or (words[0] == "FILTER" and words[2] in ("EXCLUDE", "INCLUDE")):
            yield "filtered", shown
    else:
        target = words[0] if one.name == "add_custom_target" and words else ""
        if target:
            yield "target", target
        for rest in OF_CTEST.findall(shown):
            yield from (("filtered", found[0].strip(), target) for found in LEAVES_OUT.finditer(rest))
            yield from (("repeated", found[0], target) for found in REPEATS.finditer(rest))


def _properties(tests: Sequence[str], pairs: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, value in zip(pairs[::2], pairs[1::2], strict=False):
        for test in tests:
            yield (name, test), value


def worse(
    old: Mapping[tuple[str, ...], Said], new: Sequence[Said], fresh: frozenset[str], names: frozenset[str]
) -> Iterator[Found]:
    """`fresh`: names of tests that the base lacks, or that run something else now; `names`: those of the head."""
    keys = {said.key for said in new}
    for key, was in old.items():
        if key[0] == "FAIL_REGULAR_EXPRESSION" and key not in keys and key[1] in names - fresh:
            yield Found(
                rule=IGNORED, path=was.path, line=0, detail=cut(f"{key[1]} no longer fails for {was.value}", 200)
            )
    for said in new:
        before = old.get(said.key)
        if (before is not None and before.value == said.value) or any(map(never, said.conditions)):
            continue
        of_target = said.key[2] if said.key[0] in ("filtered", "repeated") and len(said.key) > 2 else ""
        if of_target and ("target", of_target) not in old:
            continue  # a target beside the others
        rule = _judged(said, fresh, before)
        if rule is not None:
            detail = cut(f"{' '.join(said.key)} {said.value}", 200)
            yield Found(rule=rule, path=said.path, line=said.line, detail=detail)


def _judged(said: Said, fresh: frozenset[str], before: Said | None) -> str | None:
    kind, test = said.key[0], said.key[-1]
    if kind == "target":
        return None
    off = said.value.lower() not in TRUE
    if kind in ("ignored", "filtered", *DASHBOARD):
        return EXCLUDED
    if kind == "ENVIRONMENT":
        return "cfg.test.filtered" if NARROWS.search(said.value) else None
    if kind == "repeated":
        return RETRIES
    if kind in ("TEST_FILTER", "TEST_SPEC"):
        return "cfg.test.filtered" if before is not None or test not in fresh else PARTLY
    if kind == "DISABLED":
        unsure = "$" in said.value or is_of_platform(said.conditions)
        return (PARTLY if unsure else None) if off else PARTLY if unsure else NOT_RUN
    if test in fresh:
        return None
    if kind == "WILL_FAIL":
        return None if off else WEAKER if is_of_platform(said.conditions) else IGNORED
    if kind == "PASS_REGULAR_EXPRESSION":
        asks = SUCCESS.search(said.value) and not ANYTHING.search(said.value)
        return WEAKER if asks or (before is not None and not ANYTHING.search(said.value)) else IGNORED
    if kind == "SKIP_RETURN_CODE":
        return NOT_RUN if said.value in FAILING_CODES else PARTLY
    if kind == "SKIP_REGULAR_EXPRESSION":
        return NOT_RUN if FAILURE.search(said.value) else PARTLY
    return None
