"""Options that a file of the project has for a call by a name: `bazel test --config=fast`, `mvn verify -P fast`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.called.call import Call, written
from ralph.guardrails.config.called.parameters.blocks import Filled
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

RC_LINE = later(r"(?m)^[ \t]*(?P<verb>\w+)(?::(?P<name>[\w-]+))?[ \t]+(?P<options>-[^\n#]*)")
PROFILE = later(r"(?s)<profile>(?P<said>(?:(?!</profile>).)*)</profile>")
IDENTITY = later(r"<id>\s*(?P<name>[\w.-]+)\s*</id>")
PROPERTIES = later(r"(?s)<properties>(?P<said>(?:(?!</properties>).)*)</properties>")
PROPERTY = later(r"<(?P<name>[\w.-]+)>(?P<value>[^<]*)</(?P=name)>")
USES = later(
    r"<(?P<name>groups|excludedGroups|test|skip|skipTests|testFailureIgnore)>\s*\$\{(?P<property>[\w.-]+)\}\s*</"
)
MAVEN = {"skip": "maven.test.skip", "testFailureIgnore": "maven.test.failure.ignore"}
"""How a setting of Surefire's is called on the command line where that is another name."""
BUILDS = frozenset(("build", "common"))
DEEPEST = 4


def of_bazel(call: Call, side: Side) -> list[str]:
    """The options of each configuration that it names, and of those that these name."""
    text = side.text(".bazelrc") or ""
    verb = call.names[0] if call.names else ""
    found = list(_configured(verb, _named(call.words, "--config"), text, DEEPEST))
    return [f"bazel {written(call.words)} {' '.join(found)}"] if found else []


def with_configurations(lines: Sequence[str]) -> dict[int, Filled]:
    """The lines of a file of options that name a configuration, with what that says."""
    text, found = "\n".join(lines), dict[int, Filled]()
    for number, line in enumerate(lines):
        said = RC_LINE.fullmatch(line) if "--config" in line else None
        if said is not None and said["name"] is None:
            more = list(_configured(said["verb"], _named(said["options"].split(), "--config"), text, DEEPEST))
            if more:
                found[number] = Filled("", (f"{line} {' '.join(more)}",), "")
    return found


def _configured(verb: str, chosen: Sequence[str], text: str, deep: int) -> Iterator[str]:
    for line in RC_LINE.finditer(text) if chosen and deep else ():
        if line["name"] in chosen and (line["verb"] == verb or line["verb"] in BUILDS):
            options = line["options"].split()
            yield from options
            yield from _configured(verb, _named(options, "--config"), text, deep - 1)


def of_maven(call: Call, side: Side) -> list[str]:
    """The properties of the profiles that it names, and what the build makes of the properties that it gives."""
    text = side.text("pom.xml") or ""
    given = dict(word[2:].partition("=")[::2] for word in call.words if word.startswith("-D"))
    chosen = {name.lstrip("+") for said in _named(call.words, "-P") for name in said.split(",")}
    of_profiles: dict[str, str] = {}
    for profile in PROFILE.finditer(text) if chosen else ():
        name = IDENTITY.search(profile["said"])
        if name is not None and name["name"] in chosen:
            for said in PROPERTIES.finditer(profile["said"]):
                of_profiles |= {each["name"]: each["value"].strip() for each in PROPERTY.finditer(said["said"])}
    known = {**of_profiles, **given}
    used = {use["name"]: known[use["property"]] for use in USES.finditer(text) if use["property"] in known}
    more = {**of_profiles, **{MAVEN.get(name, name): value for name, value in used.items()}}
    options = [f"-D{name}={value}" for name, value in more.items() if name not in given]
    return [f"mvn {written([*call.words, *options])}"] if options else []


def _named(words: Sequence[str], option: str) -> list[str]:
    """What an option is given, joined to it or as the next word."""
    found = re.compile(rf"{option}(?:=?(?P<value>\S+))?")
    said = [(number, found.fullmatch(word)) for number, word in enumerate(words) if word.startswith(option)]
    return [match["value"] or " ".join(words[number + 1 : number + 2]) for number, match in said if match is not None]
