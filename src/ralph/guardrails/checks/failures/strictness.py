"""Variables by which tools are strict (see `eased`); a change that names none is let by without loading the rest."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.checks.code import is_code
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORDS = later(
    rb"\bCI\b|DISABLE_ESLINT_PLUGIN|TSC_COMPILE_ON_ERROR|RUSTFLAGS|RUSTDOCFLAGS|CLIPPY\w*FLAGS|CARGO_BUILD_WARNINGS|PYTHON(?:WARNINGS"
    rb"|DEVMODE|ASYNCIODEBUG)|NODE_OPTIONS|DEPRECATIONS_HELPER|SAN_OPTIONS|SPHINXOPTS|GORACE|MIRIFLAGS|RUBYOPT|\b(?:C|CXX|CPP)FLAGS"
    rb"|STRICT|WERROR|WARNINGS?_AS_ERROR|FAIL_ON_|DENY_WARN|FORBID_ONLY|SQLALCHEMY_WARN|SQLALCHEMY_SILENCE|TreatWarningsAsErrors"
    rb"|rustflags|rustdocflags|PYTEST_ADDOPTS|GOFLAGS|TESTFLAGS|TOOL_OPTIONS|MAVEN_OPTS|SBT_OPTS|JVM_ARGS|^\s*\"?warnings\b"
)


def eased(change: Change) -> Iterable[Hit]:
    paths = [
        file.path
        for file in change.files
        if file.status in "AM"
        and not is_code(file.path)
        and not is_sample(file.path)
        and is_in(WORDS, file.changed_text)
    ]
    if not paths:
        return ()
    from ralph.guardrails.checks.failures.eased import eased_hits

    return eased_hits(change, paths)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (eased,)
