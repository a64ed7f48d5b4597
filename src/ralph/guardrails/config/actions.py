"""Actions that scan, as the command line that their inputs come to (class G10).

Rules: what a scanner lets pass is said by inputs instead of options. An action that fails for nothing it finds says
nothing about severities; one that fails for all says all of them, so that a list of fewer can be told from that.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

Inputs = Mapping[str, Node]
SEVERITIES = "CRITICAL,HIGH,MEDIUM,LOW"
DONE = ("", "0", "false")


def _said(inputs: Inputs, name: str, default: str = "") -> str:
    node = inputs.get(name)
    return default if node is None else ",".join(canonical(node).replace(",", " ").split())


def _is_on(inputs: Inputs, name: str, default: str = "") -> bool:
    return _said(inputs, name, default).lower() not in DONE


def _options(inputs: Inputs, names: Mapping[str, str]) -> list[str]:
    """The inputs by the options that they stand for; a switch that is off is none."""
    given = ((option, _said(inputs, name)) for name, option in names.items() if _is_on(inputs, name))
    return [option if said.lower() == "true" else f"{option}={said}" for option, said in given]


def _trivy(inputs: Inputs) -> list[str]:
    if not _is_on(inputs, "exit-code"):
        return ["trivy"]
    severity = _said(inputs, "severity").upper() or SEVERITIES
    return ["trivy", f"--severity={severity}", *_options(inputs, {"exit-code": "--exit-code"})]


def _grype(inputs: Inputs) -> list[str]:
    fails = _is_on(inputs, "fail-build", "true")
    return ["grype", *([f"--fail-on={_said(inputs, 'severity-cutoff', 'medium').lower()}"] if fails else ())]


def _arguments(program: str) -> Callable[[Inputs], list[str]]:
    def words(inputs: Inputs) -> list[str]:
        text = canonical(inputs["args"]) if "args" in inputs else ""
        try:
            return [program, *shlex.split(text)]
        except ValueError:
            return [program, *text.split()]

    return words


def _plain(program: str, **names: str) -> Callable[[Inputs], list[str]]:
    by_input = {name.replace("_", "-"): option for name, option in names.items()}
    spellings = {**by_input, **names}
    return lambda inputs: [program, *_options(inputs, spellings)]


ACTIONS: Sequence[tuple[str, Callable[[Inputs], list[str]]]] = (
    (r"aquasecurity/trivy-action", _trivy),
    (r"anchore/scan-action", _grype),
    (r"snyk/actions(?:/[\w.-]+)?", _arguments("snyk")),
    (
        r"actions/dependency-review-action",
        _plain("dependency-review", fail_on_severity="--fail-on-severity", warn_only="--warn-only"),
    ),
    (r"hadolint/hadolint-action", _plain("hadolint", failure_threshold="--failure-threshold", no_fail="--no-fail")),
    (r"ludeeus/action-shellcheck", _plain("shellcheck", severity="--severity")),
    (r"aquasecurity/tfsec-action", _plain("tfsec", soft_fail="--soft-fail")),
    (r"bridgecrewio/checkov-action", _plain("checkov", soft_fail="--soft-fail")),
)
_FORMS = tuple((later(form), words) for form, words in ACTIONS)


def action_command(name: str, inputs: Inputs) -> list[str]:
    """The words of the command that an action of this name runs; none for one that is not known."""
    return next((words(inputs) for form, words in _FORMS if form.fullmatch(name.lower())), [])
