"""Services of a compose file that are run by their name: `docker compose run --rm test` leads to what `test` runs.

- A call with words behind the service runs those, and one with another entry point does not run what the file says.
- `up` ends well whatever becomes of the services, unless it is told whose exit code is its own; in the background
  nobody hears how they end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ralph.guardrails.config.node import names

COMPOSE = "compose-services"
"""The program of such a check, which nobody writes."""
APART = "--detach"
"""Stands in the words of a check whose end nobody hears."""
BY_THEMSELVES = frozenset(("docker-compose", "podman-compose"))
WITH_VALUE = frozenset(
    names(
        "-f --file -p --project-name --profile --env-file --project-directory -e --env -u --user -v --volume "
        "-w --workdir --name --publish --scale --exit-code-from --label -l -t"
    )
)
EXIT_CODE = "--exit-code-from"
TELLS = (EXIT_CODE, "--abort-on-container-exit", "--abort-on-container-failure")


def called(words: Sequence[str]) -> tuple[str, ...] | None:
    """The call of services as words of a check: `compose`, their names, and `--detach`; None if it is none."""
    rest = list(words[1:]) if words[0] in BY_THEMSELVES else _behind(words)
    plain, options = _apart(rest)
    verb, listed = plain[:1], plain[1:]
    if verb == ["run"] and len(listed) == 1 and not any(option.startswith("--entrypoint") for option in options):
        apart = any(option in ("-d", "--detach", "--detach=true") for option in options)
    elif verb == ["up"] and (listed or (listed := _asked(rest))):
        apart = not any(option.startswith(TELLS) for option in options)
    else:
        return None
    return (COMPOSE, *listed, *([APART] if apart else []))


def _behind(words: Sequence[str]) -> list[str]:
    return list(words[words.index("compose") + 1 :]) if "compose" in words[:3] else []


def _asked(words: Sequence[str]) -> list[str]:
    """The service whose exit code is that of `up` where all are started."""
    joined = [word.partition("=")[2] for word in words if word.startswith(f"{EXIT_CODE}=")]
    return joined or [value for option, value in pairwise(words) if option == EXIT_CODE]


def _apart(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Plain words, and options without their values."""
    plain: list[str] = []
    options: list[str] = []
    before = ""
    for word in words:
        if word.startswith("-"):
            options.append(word)
        elif before not in WITH_VALUE:
            plain.append(word)
        before = word
    return plain, options
