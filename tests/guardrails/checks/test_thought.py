"""Scripts that are run in thought: what their check's failure comes to, and that no text is too strange to be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.guardrails.checks.failures.judged import Shell, judged
from ralph.guardrails.checks.shell.numbers import arithmetic
from tests.guardrails.checks.cases import found

STRICT = Shell(errexit=True, pipefail=True)

FLAWS = [
    ("pytest", []),
    ("pytest || true", ["lost"]),
    ("pytest | cat", ["lost"]),
    ("rc=0\npytest || rc=$?\nexit $rc", []),
    ("rc=0\npytest || rc=$?\nexit 0", ["lost"]),
    ("pytest | tee log\nexit ${PIPESTATUS[0]}", []),
    ("failed=()\npytest || failed+=(a)\n[ ${#failed[@]} -eq 0 ]", []),
    ("errors=0\npytest || ((errors++))\nexit $((errors > 0))", []),
    ("trap 'exit 0' EXIT\npytest", ["lost"]),
    ("trap 'rc=$?; rm x; exit $rc' EXIT\npytest", []),
    ("check() { pytest; }\ncheck || echo no", ["lost"]),
    ("check() { pytest || return 3; }\ncheck", []),
    ("pytest & wait", ["lost"]),
    ("pytest & wait $!", []),
    ("exit 0\npytest", ["not-run"]),
    ('[ -n "$CI" ] && pytest\ntrue', ["lost", "run-if"]),
    ('if [ "$1" = all ]; then pytest; fi', ["run-maybe"]),
    ('if [ "$STRICT" = 1 ]; then pytest; else pytest || true; fi', ["run-if"]),
    ("if grep -q x y; then pytest; fi", ["run-maybe"]),
    ("set -e\nx=$(pytest)\necho $x", []),
    ("set -e\nlocal x=$(pytest)\necho $x", ["lost"]),
    ("until pytest; do sleep 1; done", ["retried"]),
    ("retry 3 pytest", ["retried"]),
    ("case $1 in fast) ;; *) pytest ;; esac", ["run-maybe"]),
    ("bash -c 'pytest; true'", ["lost"]),
    ("bash -ec 'pytest; true'", []),
    ("if false; then\npytest", ["lost-maybe"]),
]


@pytest.mark.parametrize(("text", "flaws"), FLAWS)
def test_what_becomes_of_a_failure(text: str, flaws: list[str]) -> None:
    check, own = judged(text)[0]
    assert check.words[0] == "pytest"
    assert sorted(own) == flaws


def test_a_strict_shell_keeps_what_another_loses() -> None:
    text = "pytest | tee log\necho done\n"
    assert [list(own) for _, own in judged(text)] == [["lost"]]
    assert [list(own) for _, own in judged(text, STRICT)] == [[]]


def test_too_many_ways_are_told_and_not_walked() -> None:
    text = "".join(f'if [ "$X{n}" ]; then a{n}=1; else a{n}=2; fi\n' for n in range(40)) + "pytest\n"
    assert [list(own) for _, own in judged(text)] == [["lost-maybe"]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("rc | 4", 5),
        ("!rc", 0),
        ("rc && 0", 0),
        ("zero && unknown", 0),
        ("rc ** 9", None),
        ("x(1)", None),
    ],
)
def test_arithmetic_of_what_is_known(text: str, value: int | None) -> None:
    assert arithmetic(text, {"rc": "1", "zero": "0"}) == value


WORDS = st.sampled_from(
    [
        "pytest",
        "npm",
        "test",
        "make",
        "||",
        "&&",
        ";",
        "|",
        "&",
        "!",
        "(",
        ")",
        "{",
        "}",
        "if",
        "then",
        "else",
        "fi",
        "while",
        "until",
        "do",
        "done",
        "for",
        "in",
        "case",
        "esac",
        "true",
        "exit",
        "0",
        "$?",
        "$rc",
        "rc=$?",
        "set",
        "-e",
        "+e",
        "trap",
        "EXIT",
        "wait",
        "[",
        "]",
        "[[",
        "]]",
        "((",
        "))",
        "$(",
        ")",
        "`",
        "'",
        '"',
        "<<EOF",
        "EOF",
        "#",
        "\\",
        "\n",
        "\t",
        "${X:-1}",
        "$((1))",
        "function",
        "f()",
        "é",
        "echo",
    ]
)


@given(st.lists(WORDS, max_size=25).map(" ".join))
def test_no_text_is_too_strange(text: str) -> None:
    judged(text)
    judged(text, STRICT)


PATHS = [
    "Makefile",
    "justfile",
    "ci.sh",
    ".github/workflows/a.yml",
    ".gitlab-ci.yml",
    "package.json",
    "tox.ini",
    "Jenkinsfile",
    ".pre-commit-config.yaml",
    "Dockerfile",
    "pyproject.toml",
    "azure-pipelines.yml",
    "noxfile.py",
    "CODEOWNERS",
    ".npmrc",
    "requirements.txt",
    "pom.xml",
    "build.gradle",
    "x-baseline.json",
    "bin/pytest",
]


@given(st.sampled_from(PATHS), st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(path: str, before: str, after: str) -> None:
    found({path: before}, {path: after})


YAML = st.recursive(
    st.sampled_from(["pytest", "true", "test", "manual", "never", "0", "[]", "$X", '""']),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "]"),
        st.dictionaries(
            st.sampled_from(
                [
                    "on",
                    "jobs",
                    "steps",
                    "run",
                    "script",
                    "if",
                    "needs",
                    "uses",
                    "with",
                    "rules",
                    "when",
                    "allow_failure",
                    "retry",
                    "strategy",
                    "matrix",
                ]
            ),
            inner,
            max_size=3,
        ).map(lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"),
    ),
    max_leaves=12,
)


@given(st.sampled_from([path for path in PATHS if path.endswith(("yml", "yaml"))]), YAML, YAML)
def test_any_shape_of_a_pipeline_can_be_compared(path: str, before: str, after: str) -> None:
    found({path: before}, {path: after})
