"""Members that the wanted values of tests have, and that their comparison came to leave out (class G05).

Rule (Go, C#, Kotlin), for a file of tests that compared wholes at the base: a comparison that the change brings leaves
members out, by their names (`cmpopts.IgnoreFields(Invoice{}, "Tax")`, `Excluding(i => i.Tax)`,
`ignoringFields("tax")`) or all that have a small letter (`cmpopts.IgnoreUnexported(Invoice{})`), which the wanted
values gave something before, and do so still: they are written down for nothing. It blocks. What differs from run to
run by its name is left out for a reason, and what the file asks for by itself (`got.Tax()`, `got.tax`) is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.assertions.compared_in_part import WHOLE
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.inventory.wholes.left_out import CHANGING
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

WORTH = later(rb"cmpopts\.Ignore|\bExcluding\(|\bignoringFields\(")
LEFT_OUT = {
    "go": later(
        r"cmpopts\.Ignore(?:Unexported\((?P<types>[^()]*)\)"
        r"|Fields\(\s*(?P<type>[\w.\[\]]+)\{\}(?P<names>(?:,\s*\"\w+\")+)\s*\))"
    ),
    "csharp": later(r"\.Excluding\(\s*(?P<given>\w+)\s*=>\s*(?P=given)\.(?P<names>\w+)\s*\)"),
    "kotlin": later(r"\.ignoringFields\((?P<names>\s*\"\w+\"(?:,\s*\"\w+\")*)\s*\)"),
}
GIVEN = {"go": r"\b%s\s*:(?!=)", "csharp": r"\b%s\s*=(?![=>])", "kotlin": r"\b%s\s*=(?!=)"}
"""A value that a member is given where an object is made."""
SMALL = later(r"(?<![\w.])([a-z]\w*)\s*:(?!=)")
LONGEST = 300_000
MOST = 4_000


def written_for_nothing(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change) or ""
        if file.status != "M" or spoken not in LEFT_OUT or not is_in(WORTH, file.added_text):
            continue
        if is_beside_tests(file.path, reader_of(spoken)):
            yield from _in_file(file, spoken, change)


def _in_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before, after = (
        (side(file.path) or b"")[:LONGEST].decode("utf-8", "replace")
        for side in (change.blobs.before, change.blobs.after)
    )
    if not any(WHOLE.search(line) for line in before.split("\n")):
        return
    old, added = {match[0] for match in LEFT_OUT[spoken].finditer(before)}, file.added_numbers
    for match in LEFT_OUT[spoken].finditer(after):
        line = after.count("\n", 0, match.start()) + 1
        lost = [] if match[0] in old or line not in added else sorted(_lost(match, spoken, before, after))
        if lost:
            detail = f"{', '.join(lost)} of what is wanted is compared with nothing"
            yield hit_at("test.weakened", file.path, line, detail, after.split("\n")[line - 1].strip())


def _lost(match: re.Match[str], spoken: str, before: str, after: str) -> set[str]:
    parts = match.groupdict()
    if parts.get("types"):
        types = [each.strip().removesuffix("{}") for each in parts["types"].split(",")]
        names = {name for each in types for made in _made(each, after) for name in SMALL.findall(made)}
    else:
        types = [parts["type"]] if parts.get("type") else []
        names = set(re.findall(r"\w+", parts["names"]))
    written = [
        "\n".join(each for kind in types for each in _made(kind, text)) if types else text for text in (before, after)
    ]
    return {
        name
        for name in names
        if not CHANGING.fullmatch(name)
        and all(re.search(GIVEN[spoken] % name, text) for text in written)
        and not _is_asked(name, match, after)
    }


def _is_asked(name: str, match: re.Match[str], after: str) -> bool:
    """The file reads the member, or what gives it to others, somewhere else."""
    accessor = name[:1].upper() + name[1:]
    rest = after[: match.start()] + after[match.end() :]
    return re.search(rf"\.(?:{name}|(?:Get|get)?{accessor})\b(?!\s*=[^=])", rest) is not None


def _made(kind: str, text: str) -> Iterator[str]:
    """The literals of a type of Go, without what stands in others within them; those of a list do not name it."""
    for match in re.finditer(rf"(?<![\w.]){re.escape(kind.rpartition('.')[2] if kind else '')}\{{", text):
        deep, own, of = 0, [], 2 if text[: match.start()].endswith("]") else 1
        for letter in text[match.end() - 1 : match.end() + MOST]:
            deep += (letter == "{") - (letter == "}")
            if deep <= 0:
                break
            own.append(letter if deep == of else " ")
        yield "".join(own)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (written_for_nothing,)
