"""Variables by which tools are strict, and that say something milder now (policy set v2, classes G10, G12, G14).

Rules:

- `CI` makes a build of create-react-app fail for its warnings, and runners of tests refuse to write snapshots or to be
  focused. Set to nothing or to something false, or unset, for a build or a check blocks; where nothing of the tree
  minds it, and in a script of its own, it is for a person. A script that watches or starts is everybody's own.
- Flags that make warnings errors (`-D warnings`, `-Werror`, `PYTHONWARNINGS=error`, `SPHINXOPTS=-W`) are gone where no
  text of the file asks for them any more; where something else of the tree still does, it is for a person.
- Switches that take a check out of a build (`DISABLE_ESLINT_PLUGIN`), or the failure out of a sanitizer, block.
- Of what makes runs merely more careful (`PYTHONDEVMODE`, `GORACE`) a person is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.failures.eased_names import AS_ERRORS, CAREFUL, ON, OTHERS_ASK, SWITCHES, Strict
from ralph.guardrails.checks.failures.judged import Shell
from ralph.guardrails.checks.reader import NONE, Collector, Flaws
from ralph.guardrails.checks.readers.files import place_of, read_into
from ralph.guardrails.config.command_files.containers import is_compose
from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.command_files.surroundings import OF_DEVELOPERS, Form
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.record import record
from ralph.system.patterns import later

IGNORED, CAREFUL_RULE, DOUBTFUL = "cfg.check.failures-ignored", "cfg.test.weaker-run", "check.result-doubtful"
FALSE = frozenset(("", "0", "false", "no", "off", "null", "none"))
VALUE = r"(?:\"[^\"\n]*\"|'[^'\n]*'|(?:\\.|[^\s;&|\"'])*)"
ASSIGNED = later(
    rf"(?m)(?<![\w$.{{-])(?P<name>[A-Za-z_]\w*)\+?=(?P<value>{VALUE})"
    rf"|(?:\$env:|^ENV[ \t]+|^export[ \t]+)(?P<other>\w+)(?:[ \t]*:?=[ \t]*|[ \t]+)(?P<given>{VALUE})"
    r"|(?<=-D)(?P<defined>\w+)(?::\w+)?=(?P<as>\w*)"
)
UNSET = later(
    r"\bunset\s+(?:-v\s+)?(?P<names>[\w ]+)|\benv\s+(?:-i\s+)?(?:-u|--unset[= ])\s*(?P<name>\w+)"
    r"|\bexport -n (?P<taken>\w+)"
)
LOOSE = later(
    r"(?i)watch|--ui\b|--headed|\bstart\b|\bdev\b|develop|debug|serve|storybook|update|-u\b|\bopen\b|release|publish|deploy"
)
WORK = later(
    r"(?i)\bbuild|\btests?\b|\blint|\bchecks?\b|verify|vitest|jest|react-scripts|craco|rewired|\bnext\b|playwright|cypress|coverage|\bci\b"
    r"|typecheck|gatsby|\bng\b|karma|mocha|\bava\b|\bnx\b|turbo"
)
MINDS = later(
    r"(?<![\w-])(?:react-scripts|craco|react-app-rewired|next|gatsby|umi|vitest|jest|playwright|cypress|nx|turbo|karma|ava"
    r"|vue-cli-service|@angular/cli|preact-cli|nuxt|storybook)(?![\w-])"
)
MILD = later(r"^\s*$|(?:-A|-W|--allow|--warn|--cap-lints)[ =]*\w|^ignore|^default|-Wno-error")
DOTENV = later(r"(?:^|/)\.env(?:\.(?:production|test|ci|build|local|production\.local))?$|(?:^|/)\.envrc$")
AS_IT_IS = later(r"(?i)(?:^|/)(?:[\w.-]*dockerfile[\w.-]*|\.?justfile)$")
CARGO = later(r"(?:^|/)\.cargo/config(?:\.toml)?$")
TABLES = later(
    r"(?:^|/)(?:netlify\.toml|vercel\.json|now\.json|app\.json|render\.ya?ml|amplify\.ya?ml|wrangler\.toml|firebase\.json)$"
)

SET = Form(
    "|".join(("CI", *(each.names.pattern for each in (*AS_ERRORS, *CAREFUL, *SWITCHES)))),
    (r"\bCI\b", "_", "FLAGS", "OPT"),
)


@record
class Said:
    name: str
    value: str
    line: int
    slot: str
    rest: str
    """What the text that says it runs; empty for a variable that holds for all that follows."""


class Listener(Collector):
    def __init__(self, path: str) -> None:
        super().__init__(path, place_of(path))
        self.said: list[Said] = []
        self.slots: dict[str, str] = {}

    def variable(self, name: str, value: str, line: int) -> None:
        super().variable(name, value, line)
        self.said.append(Said(name, value, line, "", ""))

    def text(self, text: str, line: int, slot: str, _shell: Shell, _flaws: Flaws = NONE, /) -> None:
        self.slots[slot] = f"{self.slots.get(slot, '')}\n{text}"
        self.said += _of_text(text, line, slot)

    def relocate(self, _start: int, _rows: list[int], /) -> None:
        """A line that is somewhat off does no harm here."""


def _of_text(text: str, first: int, slot: str) -> Iterator[Said]:
    plain = re.sub(r"(?m)(?:^|(?<=\s))#.*$", "", text)
    row, seen = first, 0
    for match in ASSIGNED.finditer(plain):
        row, seen = row + plain.count("\n", seen, match.start()), match.start()
        end = plain.find("\n", match.end())
        rest = plain[match.end() : end if end >= 0 else len(plain)]
        name = match["name"] or match["other"] or match["defined"]
        value = (match["value"] or match["given"] or match["as"] or "").strip("\"'")
        exported = "export " in plain[plain.rfind("\n", 0, match.start()) + 1 : match.start()]
        rest = "" if exported or rest.lstrip(" \"'").startswith(">>") else rest
        yield Said(name, value, row, slot, rest)
    for match in UNSET.finditer(plain):
        end = plain.find("\n", match.end())
        for name in (match["names"] or match["name"] or match["taken"] or "").split():
            line = first + plain.count("\n", 0, match.start())
            yield Said(name, "", line, slot, plain[match.end() : end if end >= 0 else len(plain)])


def _heard(side: Side, path: str) -> Listener:
    listener = Listener(path)
    read_into(listener, side, path)
    text = side.text(path) or ""
    if DOTENV.search(path) or AS_IT_IS.search(path):
        listener.said += [each for each in _of_text(text, 1, "") if each not in listener.said]
    elif TABLES.search(path) and (node := side.node(path)) is not None:
        listener.said += list(_of_tables(node, ""))
    elif OF_DEVELOPERS.search(path) or is_compose(path.rpartition("/")[2].lower()):
        listener.said += [Said(name, value, line, "", "") for name, value, line in SET.of(side.bytes(path) or b"")]
    elif CARGO.search(path) and (node := side.node(path)) is not None:
        listener.said += list(_of_cargo(node, ""))
    return listener


def _of_tables(node: Node, slot: str) -> Iterator[Said]:
    """Variables and commands of a service's own file."""
    for key, value in node.mapping.items():
        if value.mapping:
            yield from _of_tables(value, key)
        elif isinstance(value.value, list):
            for item in value.items:
                yield from _of_tables(item, key)
        elif "ommand" in key:
            yield from _of_text(canonical(value), value.line, "")
        else:
            yield Said(key, canonical(value), value.line, "", "")


def _of_cargo(node: Node, above: str) -> Iterator[Said]:
    """Flags of Cargo's own settings, which its variables take the place of."""
    for key, value in node.mapping.items():
        if value.mapping:
            yield from _of_cargo(value, key)
        elif key in ("rustflags", "rustdocflags") or above == "env":
            yield Said(key.upper(), " ".join(canonical(item) for item in value.items), value.line, "", "")
        elif (above, key) == ("build", "warnings"):
            yield Said("CARGO_BUILD_WARNINGS", canonical(value), value.line, "", "")


def eased_hits(change: Change, paths: Sequence[str]) -> Iterator[Hit]:
    blobs = change.blobs
    before, after = Side(blobs.before, blobs.paths_before()), Side(blobs.after, blobs.paths_after())
    for path in paths:
        old, new = _heard(before, path), _heard(after, path)
        for rule, line, detail in (*_of_ci(old, new, after), *_strict(old, new, path, after), *_switched(old, new)):
            lines = (after.text(path) or "").splitlines()
            snippet = lines[line - 1].strip() if 0 < line <= len(lines) else detail
            yield hit_at(rule, path, line, detail, snippet)


Found = tuple[str, int, str]


def _of_ci(old: Listener, new: Listener, after: Side) -> Iterator[Found]:
    was = [each for each in old.said if each.name == "CI"]
    known = {(each.slot, each.rest.strip()) for each in was if each.value.lower() in FALSE}
    for said in new.said:
        if said.name != "CI" or said.value.lower() not in FALSE or (said.slot, said.rest.strip()) in known:
            continue
        about = f"{said.slot} {said.rest}" if said.rest else said.slot
        scope = "" if said.slot or said.rest else _scope(after.text(new.path) or "", said.line)
        if scope and not WORK.search(scope):
            continue
        if LOOSE.search(about) or (said.rest.strip(" ;&") and not WORK.search(about)):
            continue
        packages = [path for path in after.paths if path.rpartition("/")[2] == "package.json"][:50]
        minded = not packages or MINDS.search(about) or any(MINDS.search(after.text(path) or "") for path in packages)
        is_script = new.path.endswith("package.json") and said.slot not in old.slots
        rule = IGNORED if minded and not is_script else DOUBTFUL
        yield rule, said.line, f"CI={said.value}: tools are told that they do not run in CI"
        return
    watching = {slot for slot, text in new.slots.items() if LOOSE.search(text)}
    kept = {each.slot for each in new.said if each.name == "CI"}
    for said in was:
        still = said.slot in kept
        stays = said.slot in new.slots if said.slot else bool(new.slots or new.said)
        about = f"{said.slot} {said.rest}"
        loose = said.slot in watching or LOOSE.search(about) or not MINDS.search(about)
        if said.value.lower() not in FALSE and not (still or loose or new.place == "ci") and stays:
            yield DOUBTFUL, 0, f"CI={said.value} is gone"
            return


def _scope(text: str, line: int) -> str:
    """Of a variable in a table of YAML, beside a command, the step that has it; empty where that is all there is."""
    lines = text.split("\n")
    above = next(
        (at for at in range(line - 2, -1, -1) if re.match(r"\s+(?:- )?env(?:ironment)?:\s*$", lines[at])), None
    )
    if above is None:
        return ""
    depth = len(lines[above]) - len(lines[above].lstrip(" -"))
    first = last = above
    while first > 0 and not lines[first][:depth].strip() and lines[first].strip():
        first -= 1
    while last + 1 < len(lines) and not lines[last + 1][:depth].strip():
        last += 1
    return "\n".join(each for at, each in enumerate(lines[first : last + 1], first + 1) if at != line)


def _values(heard: Listener, strict: Strict) -> list[Said]:
    return [each for each in heard.said if strict.names.fullmatch(each.name)]


def _strict(old: Listener, new: Listener, path: str, after: Side) -> Iterator[Found]:
    for strict in (*AS_ERRORS, *CAREFUL):
        before = _values(old, strict)
        was = [each for each in before if strict.asks.search(each.value)]
        known = {each.value for each in before}
        now = _values(new, strict) if was else []
        kept = [each for each in now if strict.asks.search(each.value)]
        milder = next((each for each in now if each.value not in known), None)
        if not was or (kept and (milder is None or milder in kept or not MILD.search(milder.value))):
            continue
        careful = strict in CAREFUL or (strict.by_itself and milder is None) or (milder and "$" in milder.value)
        asked = strict.by_option and strict.by_option.search(_others(after.text(path) or "", strict))
        if asked and strict in CAREFUL:
            continue
        rule = CAREFUL_RULE if careful or asked or _is_asked_elsewhere(strict, path, after) else strict.rule
        shown = f"{milder.name}={milder.value}" if milder else f"{was[0].name}={was[0].value} is gone"
        yield rule, milder.line if milder else 0, shown


def _others(text: str, strict: Strict) -> str:
    """The lines of a text that do not set the variable, without comments."""
    lines = (re.sub(r"(?:^|\s)#.*", "", line) for line in text.split("\n"))
    return "\n".join(line for line in lines if not strict.names.search(line))


def _is_asked_elsewhere(strict: Strict, own: str, after: Side) -> bool:
    form = OTHERS_ASK.get(strict.rule_name)
    if form is None:
        return False
    places = [path for path in after.paths if path != own and (form.places.search(path) or is_ci_file(path))]
    return any(form.asks.search(after.text(path) or "") for path in sorted(places)[:200])


def _switched(old: Listener, new: Listener) -> Iterator[Found]:
    for switch in SWITCHES:
        known = [each for each in old.said if switch.names.fullmatch(each.name) and switch.off.search(each.value)]
        strict = any(switch.names.fullmatch(each.name) and ON.fullmatch(each.value) for each in old.said)
        for said in new.said if not known else ():
            if switch.names.fullmatch(said.name) and switch.off.search(said.value):
                if switch.only_if_strict and not strict:
                    continue
                if LOOSE.search(f"{said.slot} {said.rest.split('&&')[0]}") and said.slot:
                    continue
                yield switch.rule, said.line, cut(f"{said.name}={said.value}", 200)
                break
