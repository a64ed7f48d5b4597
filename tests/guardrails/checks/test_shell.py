"""A shell script that ran one check under `set -euo pipefail`, and what becomes of it."""

from __future__ import annotations

import pytest

from tests.guardrails.checks.cases import found, one, outcome

STRICT = "#!/usr/bin/env bash\nset -euo pipefail\n"
PATH = "scripts/check.sh"
WORSE = [
    "pytest -q || true\n",
    "pytest -q || :\n",
    "pytest -q || /bin/true\n",
    "pytest -q || exit 0\n",
    "pytest -q || echo failed\n",
    "pytest -q || printf x\n",
    "pytest -q ||true\n",
    "set +o errexit\npytest -q\ntrue\n",
    "pytest -q | tee log | cat &\n",
    "(pytest -q) || true\n",
    "{ pytest -q; } || true\n",
    "if pytest -q; then :; fi\n",
    "if ! pytest -q; then echo no; fi\n",
    "pytest -q && echo ok || echo no\n",
    "while ! pytest -q; do break; done\n",
    "trap 'exit 0' EXIT\npytest -q\n",
    "trap 'exit 0' ERR\npytest -q\n",
    "trap 'true; exit' ERR EXIT\nset +e\npytest -q\n",
    "x=$(pytest -q || true)\n",
    'echo "$(pytest -q)"\n',
    "local_run() { pytest -q || return 0; }\nlocal_run\n",
    "pytest() { :; }\npytest -q\n",
    "function pytest { true; }\npytest -q\n",
    "alias pytest=true\nshopt -s expand_aliases\npytest -q\n",
    "# pytest -q\n",
    "echo 'pytest -q'\n",
    "echo '12 passed'\n",
    "true pytest -q\n",
    ": pytest -q\n",
    "exit\npytest -q\n",
    "return 0 2>/dev/null || exit 0\npytest -q\n",
    "exec true\npytest -q\n",
    "cat <<'EOF'\npytest -q\nEOF\n",
    "if false; then\npytest -q\nfi\n",
    "if [ 1 = 2 ]; then pytest -q; fi\n",
    '[ -z "$SKIP_TESTS" ] && pytest -q || true\n',
    'test "$RUN" = yes && pytest -q\necho\n',
    "if [[ ${RUN_TESTS:-} == 1 ]]; then pytest -q; fi\n",
    "while false; do pytest -q; done\n",
    "timeout 1 pytest -q || true\n",
    "nohup pytest -q &\n",
    "pytest -q & disown\n",
    "( pytest -q & )\n",
    "pytest -q & wait\n",
    "coproc pytest -q\n",
    "bash -c 'pytest -q; true'\n",
    "sh -c 'pytest -q || true'\n",
    "eval 'pytest -q || true'\n",
    "set +e; pytest -q; set -e\n",
    "set +e\npytest -q\nrc=$?\nset -e\necho $rc\n",
    "pytest -q || rc=$?\necho $rc\n",
    "pytest -q || failed=1\nexit 0\n",
    "! pytest -q\n",
    "pytest -q || ! false\n",
    "pytest -q 2>/dev/null || true\n",
    "pytest -q > /dev/null 2>&1 || :\n",
    "until pytest -q; do sleep 1; done\n",
    "for i in 1 2 3; do pytest -q && break; done\n",
    "for i in 1 2 3; do if pytest -q; then exit 0; fi; done\nexit 1\n",
    "pytest -q || pytest -q --lf\n",
    "pytest -q || pytest -q\n",
    "n=0\nuntil pytest -q || [ $n -ge 5 ]; do n=$((n+1)); done\n",
    "PATH=$PWD/fake:$PATH\npytest -q\n",
    'export PATH="$PWD/stubs:$PATH"\npytest -q\n',
    "export PATH=/tmp/x:$PATH\npytest -q\n",
    "pytest -q --co\n",
    "pytest -q -k ok\n",
    "pytest -q -m 'not slow'\n",
    "pytest -q tests/unit\n",
    "pytest -q tests/test_ok.py::test_a\n",
    "pytest -q --deselect=a::b\n",
    "pytest -q --ignore=tests/unit\n",
    "pytest -q --lf\n",
    "pytest -q -p no:randomly --reruns=3\n",
    "pytest -q -knot_slow\n",
    "pytest --help\n",
    "pytest --version\n",
    "py.test -q --collect-only\n",
    "pytest -q --reruns 3 --only-rerun X\n",
    "PYTEST_ADDOPTS='-k ok' pytest -q\n",
    "export PYTEST_ADDOPTS=--co\npytest -q\n",
    "pytest -q || [[ $? == 1 ]]\n",
    "pytest -q || test $? -eq 1\n",
    "pytest -q | grep -q passed || true\n",
    "set -e\npytest -q || { echo warn; }\n",
    "pytest -q || (exit 0)\n",
    "pytest -q || exit 0 # x\n",
    "mypy() { :; }\npytest -q || return 0\n",
    "pytest -q --suppress-tests-failed-exit-code\n",
    "ssh host pytest -q || true\n",
    "docker run x pytest -q || true\n",
    "pytest -q --snapshot-update\n",
    "coverage run -m pytest || true\n",
    "hash -p /bin/true pytest\npytest -q\n",
    "PYTEST=true\n$PYTEST -q\n",
    "command -v pytest && pytest -q || echo skip\n",
    "pytest -q -x --maxfail=1 tests/test_a.py\n",
    "kill -9 $$ & pytest -q || true\n",
    "pytest -q <<< '' || true\n",
]
AS_GOOD = [
    "pytest -q\nrm -rf x || true\n",
    "pytest -q || exit 1\n",
    "pytest -q || { echo failed >&2; exit 1; }\n",
    "if ! pytest -q; then echo no; exit 1; fi\n",
    "rc=0\npytest -q || rc=$?\ncleanup\nexit $rc\n",
    "pytest -q | tee log\n",
    'set +e\npytest -q\nrc=$?\nset -e\nrm -f x\nexit "$rc"\n',
    "trap 'rm -f x' EXIT\npytest -q\n",
    "trap 'docker stop db || true' EXIT\npytest -q\n",
    "docker start db\npytest -q\ndocker stop db || true\n",
    "server & PID=$!\npytest -q\nkill $PID || true\n",
    "python -m pytest -q\n",
    "uv run pytest -q\n",
    "pytest -q -n auto\n",
    "pytest -q -x\n",
    "pytest -q --maxfail=3\n",
    "pytest -q -vv --tb=short\n",
    "pytest -q --durations=10\n",
    "pytest -q --cov=src\n",
    "pytest -q tests\n",
    'cd "$(dirname "$0")/.."\npytest -q\n',
    "grep -q foo x || true\npytest -q\n",
    "ruff check .\npytest -q\n",
    "time pytest -q\n",
    "env CI=1 pytest -q\n",
    "CI=1 pytest -q\n",
    "run_tests() {\n  pytest -q\n}\nrun_tests\n",
    'main() {\n  pytest -q\n}\nmain "$@"\n',
    'pytest -q "$@"\n',
    "timeout 600 pytest -q\n",
    "pytest -q --junitxml=report.xml\n",
    "echo 'running tests'\npytest -q\necho done\n",
    "failed=0\nfor d in a b; do (cd $d && pytest -q) || failed=1; done\nexit $failed\n",
    "pytest -q &\nPID=$!\nwait $PID\n",
    "mkdir -p out\npytest -q\n",
    "pytest -q || { rc=$?; cat log; exit $rc; }\n",
    'export PATH="$HOME/.local/bin:$PATH"\npytest -q\n',
    'export PATH="$PWD/node_modules/.bin:$PATH"\npytest -q\n',
    "source .venv/bin/activate\npytest -q\n",
    "pip install -e . || pip install .\npytest -q\n",
    "git push origin --delete tmp || true\npytest -q\n",
    "pytest -q -W error\n",
    "pytest -q --strict-markers -ra\n",
    "tests=tests\npytest -q $tests\n",
    "if [ -f .env ]; then . .env; fi\npytest -q\n",
    "pytest -q --log-cli-level=INFO\n",
    "if ! command -v pytest; then echo install pytest; exit 1; fi\npytest -q\n",
    "[ -d venv ] || python -m venv venv\npytest -q\n",
    'echo "|| true is bad"\npytest -q\n',
    "kill %1 2>/dev/null || true\npytest -q\n",
    "pytest -q ./tests\n",
    "pytest -q && ruff check .\n",
    "set +e\npytest -q\n",
    "pytest -q; rc=$?\n",
    "pytest -q; echo $?\nexit 0\n",
]
LOOSE = [
    ("#!/bin/bash\nset -e\npytest -q\necho done\n", "#!/bin/bash\npytest -q\necho done\n", "block"),
    ("#!/bin/bash -e\npytest -q\necho done\n", "#!/bin/bash\npytest -q\necho done\n", "block"),
    ("#!/bin/sh\npytest -q\n", "#!/bin/sh\npytest -q\necho done\n", "block"),
    ("#!/bin/sh\npytest -q\n", "#!/bin/sh\npytest -q; exit $?\n", "clean"),
    ("#!/bin/sh\npytest -q || true\n", "#!/bin/sh\npytest -q\n", "clean"),
    ("#!/bin/sh\npytest -q || true\n", "#!/bin/sh\npytest -q || :\n", "clean"),
    ("#!/bin/sh\npytest -q || true\n", "#!/bin/sh\nset -x\npytest -v || true\n", "clean"),
    ("#!/bin/bash\nset -e\npytest -q\n", "#!/bin/bash\nset -e\npytest -q | tee log\n", "block"),
    ("#!/bin/bash\nset -e\nflake8 .\n", "#!/bin/bash\nset -e\nruff check .\n", "review"),
    ("#!/bin/bash\nset -e\npytest -q\n", '#!/bin/bash\nset -e\nif [ "$1" != --fast ]; then pytest -q; fi\n', "review"),
    ("#!/bin/bash\nset -e\npytest -q\n", "#!/bin/bash\nset -e\ncommand -v x && pytest -q\necho\n", "review"),
    ("#!/bin/bash\nset -e\npytest -q\n", "#!/bin/bash\nset -e\nif [ ; then\npytest -q\nfi fi\n", "review"),
]


@pytest.mark.parametrize("text", WORSE)
def test_a_check_that_no_longer_counts_blocks(text: str) -> None:
    case = one(PATH, f"{STRICT}pytest -q\n", STRICT + text)
    assert outcome(case) == "block", found(case.before, case.after)


@pytest.mark.parametrize("text", AS_GOOD)
def test_a_check_that_still_counts_is_clean(text: str) -> None:
    case = one(PATH, f"{STRICT}pytest -q\n", STRICT + text)
    assert outcome(case) == "clean", found(case.before, case.after)


@pytest.mark.parametrize("text", WORSE)
def test_the_way_back_takes_nothing_away(text: str) -> None:
    case = one(PATH, STRICT + text, f"{STRICT}pytest -q\n")
    assert outcome(case) != "block", found(case.before, case.after)


@pytest.mark.parametrize("text", [*WORSE, *AS_GOOD])
def test_a_script_that_moves_is_the_same_script(text: str) -> None:
    assert found({PATH: STRICT + text}, {"ci/check.sh": STRICT + text}) == []


@pytest.mark.parametrize(("before", "after", "expected"), LOOSE)
def test_what_the_script_was_before_decides(before: str, after: str, expected: str) -> None:
    case = one("ci/run.sh", before, after)
    assert outcome(case) == expected, found(case.before, case.after)
