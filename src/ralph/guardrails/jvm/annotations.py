"""Java and Kotlin: annotations that silence an analyser, skip a test or hide code from coverage.

Rules:

- annotations are read as words (`@`, a use-site or `file:`, a name, arguments), lists in brackets too;
- a name imported from a package that is no test framework is not the framework's (Room's `@Ignore`); a name
  given by an import alias is what it stands for;
- a suppression's scope is the names in its strings; `all` is everything;
- among tests, which are no part of the product's figure, a name that only has the word in its midst is none;
- a test switched off by a condition about the operating system or the Java version is shown for review; one that leaves
  no machine, or none that anybody tests on, is a skip like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.jvm import inventory, kotlin_inventory
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.guardrails.tokens import Token, group_end, join, tokens
from ralph.record import record
from ralph.system.patterns import later

SUPPRESSING = frozenset({"SuppressWarnings", "Suppress", "SuppressFBWarnings", "SuppressLint", "SuppressWarning"})
SKIPPING = frozenset({"Disabled", "Ignore", "Ignored", "DisabledIf", "EnabledIf", "ExpectedToFail", "DisabledUntil"})
CONDITIONAL = later(r"(?:En|Dis)abledIf(?:EnvironmentVariable|SystemProperty|\w*)s?")
PLATFORM = later(
    r"(?:En|Dis)abled(?:On(?:Os|Jre|JRE|Browser)|ForJreRange|InNativeImage)|IgnoreOn\w+|RequiresApi|SdkSuppress"
)
PLATFORM_PROPERTY = later(r'named\s*=\s*"(?:os\.(?:name|arch|version)|java\.(?:version|vendor|vm\.\w+))"')
NO_COVERAGE = later(r"ExcludeFrom\w*(?:Coverage|Jacoco|Kover)\w*|No(?:Code)?Coverage|NotCovered|\w*Generated\w*")
IN_PASSING = later(r"(?!ExcludeFrom|No)[A-Z]\w*Generated[A-Z]\w*")
GENERATOR = later(r"(?:javax|jakarta)\.annotation\.(?:processing\.)?Generated$")
TEST_PACKAGES = later(r"org\.junit|junit\.|kotlin\.test|org\.testng|io\.kotest|spock\.|org\.spekframework|org\.spring")
MATCHES = later(r'matches = "((?:[^"\\]|\\.)*)"')
ANYTHING = later(r"\^?(?:\(\?[a-z]+\))?\(?(?:\.[*+]\??|\[\\+[sSwWdD]\\+[sSwWdD]\][*+]|\\+S[*+]|\.|)\)?(?:\|.*)?\$?")
"""An expression that every value matches."""
SYSTEM = later(r"\b(LINUX|MAC|WINDOWS|AIX|SOLARIS|FREEBSD|OPENBSD|OTHER)\b")
VERSION = later(r"\bJAVA_\d+\b")
RARE = frozenset({"AIX", "SOLARIS", "OPENBSD", "OTHER"})
USUAL = ("linux", "mac", "win")
OLDEST = 11
"""Every version of Java in use is at least this."""
PRODUCT_NAMES = frozenset({"Ignore", "Ignored", "Disabled"})
"""Names that other libraries use for other things."""
PRODUCT_PLACE = later(r"(?:^|/)(?:main|\w+Main)/")
KINDS = frozenset({"class", "interface", "object", "fun", "enum", "record", "void", "@interface", "val", "var"})


@record
class Annotation:
    name: str
    """The last part of the name, aliases resolved."""
    qualified: str
    arguments: tuple[Token, ...]
    place: Token
    whole_file: bool
    subject: str


def annotation_hits(source: Source) -> Iterator[Hit]:
    for found in read(source):
        arguments = join(found.arguments)
        if found.name in SUPPRESSING:
            yield _suppression(source, found)
        elif found.name in SKIPPING or CONDITIONAL.fullmatch(found.name) or PLATFORM.fullmatch(found.name):
            if not (
                found.name in PRODUCT_NAMES and (_not_a_test_framework(found.qualified) or _own(source, found.name))
            ):
                unheard = "unheard " if found.qualified == "org.junit.Ignore" and _only_jupiter(source) else ""
                yield source.hit(
                    _skip_rule(found, arguments), found.place.node, f"@{unheard}{found.name} {found.subject}"
                )
        elif NO_COVERAGE.fullmatch(found.name):
            aside = IN_PASSING.fullmatch(found.name) is not None and _is_of_tests(source.path)
            if not GENERATOR.search(found.qualified) and not aside:
                rule = "jvm.generated" if found.arguments else "jvm.coverage-excluded"
                yield source.hit(rule, found.place.node, f"@{found.name} {found.subject}")
        elif re.search(r"\benabled = (?!true\b)", arguments) and found.name in ("Test", "Factory", "DataProvider"):
            yield source.hit("jvm.test-disabled", found.place.node, f"@{found.name} disabled {found.subject}")


def _is_of_tests(path: str) -> bool:
    named = inventory.is_test_file(path) or kotlin_inventory.is_test_file(path)
    return named and PRODUCT_PLACE.search(path) is None


def read(source: Source) -> Iterator[Annotation]:
    """Every annotation of a Java or Kotlin source."""
    words = tokens(source)
    imports = _imports(words)
    for index, word in enumerate(words):
        if word.kind != "mark" or not word.text.startswith("@") or word.text == "@interface":
            continue
        start = index + 1
        if start + 1 < len(words) and words[start + 1].text == ":":
            start += 2
        whole_file = any(part.text.lstrip("@") == "file" for part in words[index:start])
        if start < len(words) and words[start].text == "[":
            stop = group_end(words, start)
            start += 1
        else:
            stop = start + 1
        while start < min(stop, len(words)):
            start, found = _one(words, start, index, imports, whole_file)
            if found is not None:
                yield found


def _one(
    words: Sequence[Token], start: int, at: int, imports: dict[str, str], whole_file: bool
) -> tuple[int, Annotation | None]:
    """The annotation whose name begins at `start`, and where the next one may begin."""
    parts = [_plain(words[start].text)]
    end = start + 1
    while end + 1 < len(words) and words[end].text == "." and words[end + 1].kind == "word":
        parts.append(_plain(words[end + 1].text))
        end += 2
    arguments: Sequence[Token] = ()
    if end < len(words) and words[end].text == "(":
        close = group_end(words, end)
        arguments, end = words[end + 1 : close], close + 1
    qualified = ".".join(parts)
    qualified = imports.get(qualified, qualified)
    name = qualified.rpartition(".")[2]
    if words[start].kind != "word":
        return end, None
    return end, Annotation(name, qualified, tuple(arguments), words[at], whole_file, _subject(words, end))


def _plain(name: str) -> str:
    return name.strip("`")


def _imports(words: Sequence[Token]) -> dict[str, str]:
    """Simple names (aliases too) and what they are imported from."""
    found: dict[str, str] = {}
    for index, word in enumerate(words):
        if word.text != "import":
            continue
        end = index + 1
        while end < len(words) and (words[end].text == "." or words[end - 1].text in (".", "import", "static")):
            end += 1
        path = "".join(_plain(part.text) for part in words[index + 1 : end]).removeprefix("static")
        alias = words[end + 1].text if end + 1 < len(words) and words[end].text == "as" else path.rpartition(".")[2]
        if alias != "*":
            found[_plain(alias)] = path
    return found


def _only_jupiter(source: Source) -> bool:
    """The file's tests are run by JUnit 5, which does not know the annotations of JUnit 4."""
    data = source.data
    return b"org.junit.jupiter.api.Test" in data and not re.search(rb"Migration|IgnoreCondition", data)


def _own(source: Source, name: str) -> bool:
    """The file declares the annotation itself."""
    return re.search(rb"(?:\bannotation\s+class|@interface)\s+%s\b" % name.encode(), source.data) is not None


def _not_a_test_framework(qualified: str) -> bool:
    return "." in qualified and not TEST_PACKAGES.match(qualified)


def _suppression(source: Source, found: Annotation) -> Hit:
    names = frozenset(word.value for word in found.arguments if word.kind == "string")
    if not names:
        names = frozenset(word.text for word in found.arguments if word.kind == "word" and word.text != "value")
    scope = None if not names or {name.lower() for name in names} & {"all", "warnings"} else names
    rule = "jvm.suppress-file" if found.whole_file else "jvm.suppress"
    return source.hit(rule, found.place.node, f"{found.name} {','.join(sorted(names))}", scope)


def _skip_rule(found: Annotation, arguments: str) -> str:
    if _nowhere(found.name, arguments):
        return "jvm.skip"
    if PLATFORM.fullmatch(found.name) or PLATFORM_PROPERTY.search(arguments):
        return "jvm.skip-platform"
    return "jvm.skip"


def _nowhere(name: str, arguments: str) -> bool:
    """The condition leaves no usual machine."""
    pattern = MATCHES.search(arguments)
    systems = frozenset(SYSTEM.findall(arguments))
    versions = VERSION.findall(arguments)
    if not name.startswith("Disabled"):
        no_match = pattern is not None and re.fullmatch(r"|\(\?!\)|\$\^|(?i:never|none|nothing|false)", pattern[1])
        return bool(no_match) or ("EnabledOnOs" in name and bool(systems) and systems <= RARE)
    if pattern is not None:
        return ANYTHING.fullmatch(pattern[1]) is not None or all(word in pattern[1].lower() for word in USUAL)
    if name == "DisabledForJreRange":
        first = re.search(r"min(?:Version)? = (?:JRE \. )?(?:JAVA_)?(\d+|UNDEFINED)", arguments)
        from_the_start = first is None or first[1] == "UNDEFINED" or int(first[1]) <= OLDEST
        return from_the_start and "max" not in arguments and (first is not None or not versions)
    where_checks_run = systems == {"LINUX"} and "architectures" not in arguments
    return name == "DisabledOnOs" and (where_checks_run or systems >= {"LINUX", "MAC", "WINDOWS"})


def _subject(words: Sequence[Token], start: int) -> str:
    """The name of the declaration that follows: what stands before its parameters or body."""
    for index in range(start, min(start + 60, len(words) - 1)):
        text = words[index].text
        if text in KINDS and words[index + 1].kind == "word":
            return words[index + 1].text
        if words[index].kind == "word" and words[index + 1].text == "(" and not _annotates(words, index):
            return text
    return "a declaration"


def _annotates(words: Sequence[Token], index: int) -> bool:
    return index > 0 and words[index - 1].text in ("@", ".", ":")
