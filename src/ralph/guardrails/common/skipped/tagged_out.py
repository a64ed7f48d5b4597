"""Tests of the base that get a tag which the project itself leaves out (class G04): C#, JVM, Ruby, Elixir.

Rules (as in `python.skipped.deselected`): with `Category!=Database` in a file of run settings, `excludeTags("slow")`,
`<excludedGroups>` or `--tag ~slow`, a test with that trait, category or tag is not run. It blocks where nothing in the
project runs such tests, and nothing near the tag tells why they should be slow or need anything: no process, network,
container or database. Else it is for a person. A tag that moves with its test, and one of a new test, are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

LANGUAGES = frozenset({"csharp", "java", "kotlin", "ruby"})
TAG = later(
    r"(?:\[|,\s*|assembly:\s*)Trait\(\s*\"\w+\"\s*,\s*\"(?P<trait>[\w.-]+)\"|(?:\[|,\s*)(?:Test)?Category\(\s*\"(?P<category>[\w.-]+)\""
    r"|@Tag\(\s*\"(?P<tag>[\w.-]+)\"|@Category\(\s*(?:\w+\.)*(?P<class>\w+)(?:\.class|::class)"
    r"|@(?:module|describe)?tag\b[ (\[]*(?::(?P<atom>\w+)|(?P<word>\w+):\s*true\b)"
    r"|@Test\([^)]*\bgroups\s*=\s*[{\[]?\s*\"(?P<group>[\w.-]+)\""
    r"|\b(?:describe|context|it|specify)\b.*,\s*(?::(?P<symbol>\w+)|(?P<key>\w+):\s*true)\b"
)
SETTINGS = later(
    r"\.runsettings$|\.(?:cs|fs)proj$|Directory\.Build\.(?:props|targets)$|build\.gradle(?:\.kts)?$|(?:^|/)pom\.xml$"
    r"|(?:^|/)\.rspec$|(?:^|/)spec/\w*helper\.rb$|(?:^|/)Rakefile$|junit-platform\.properties$|kotest\.properties$"
    r"|(?:^|/)test/test_helper\.exs$|(?:^|/)mix\.exs$"
)
RUNS = later(
    r"(?:^|/)(?:Makefile|justfile|Taskfile\.ya?ml|Jenkinsfile|\.gitlab-ci\.yml)$|(?:^|/)\.github/workflows/|azure-pipelines[^/]*\.yml$"
    r"|\.(?:sh|ps1|cake)$"
)
TELLS = later(
    r"(?i)\bsleep|Thread\b|Task\.Delay|Process\b|socket|https?\b|HttpClient|docker|container|download|browser|driver|selenium"
    r"|cluster|benchmark|stress|million|sql\w*connection|\bjdbc|DataSource|redis|kafka|postgres|mysql|mongo|DbContext|Duration\."
)
DEFINES = later(
    r"\b(?:class|void|Task|fun|public|def)\b.*?\b(?P<name>\w+)\s*(?:\(|:|\{|$)|\b(?:describe|context|it|specify|test)\s*\(?\s*(?P<title>\"[^\"]*\"|\w[\w:]*)"
)
NEAR = 60
MOST_FILES = 300


def tagged_out(change: Change) -> Iterator[Hit]:
    for file in change.files:
        reader = reader_of(language(file, change))
        if file.status != "M" or not (_is_elixir(file.path) or language(file, change) in LANGUAGES):
            continue
        fresh = [(number, tag) for number, line in file.added() for tag in _tags(line.decode("utf-8", "replace"))]
        is_test = _is_elixir(file.path) or (reader is not None and reader.is_test_file(file.path))
        for number, tag in fresh if is_test else ():
            yield from _judged(change, file, number, tag)


def _is_elixir(path: str) -> bool:
    return path.endswith("_test.exs")


def _tags(line: str) -> Iterator[str]:
    for match in TAG.finditer(line):
        yield next(filter(None, match.groups()))


def _judged(change: Change, file: FileChange, number: int, tag: str) -> Iterator[Hit]:
    before, after = (
        (side(file.path) or b"").decode("utf-8", "replace") for side in (change.blobs.before, change.blobs.after)
    )
    if list(_tags(after)).count(tag) <= list(_tags(before)).count(tag):
        return
    lines = after.split("\n")[number - 1 : number - 1 + NEAR]
    name = next((found["name"] or found["title"] for line in lines if (found := DEFINES.search(line))), "")
    if not name or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", before) is None or not _is_left_out(change, tag):
        return
    plain = TELLS.search("\n".join(lines)) is None and not _is_run(change, tag)
    yield hit_at(
        "test.not-run" if plain else "test.somewhat-weaker",
        file.path,
        number,
        f"{name}: the project leaves out what is tagged {tag}",
        lines[0].strip(),
        key=f"{tag} {name}",
    )


def _texts(change: Change) -> Iterator[str]:
    paths = sorted(path for path in change.blobs.paths_after() if SETTINGS.search(path) or RUNS.search(path))
    for path in paths[:MOST_FILES]:
        yield (change.blobs.after(path) or b"").decode("utf-8", "replace")


def _is_left_out(change: Change, tag: str) -> bool:
    name = re.escape(tag)
    form = re.compile(
        rf"(?:\w+\s*!=\s*|!~\s*|\bcat\s*!=\s*)[\"']?{name}\b|exclude(?:Tags|Categories|Groups)\b[^\n)]*[\"'.]{name}\b"
        rf"|<excludedGroups>[^<]*\b{name}\b|--tag[ =]~(?:tag:)?{name}\b|filter_run_excluding[ (]*:?[^\n]*\b{name}\b"
        rf"|tags\s*=\s*!{name}\b|\bexclude:\s*(?:\[[^\]\n]*)?:?\b{name}\b|--exclude[ =]{name}\b"
    )
    return any(form.search(text) for text in _texts(change))


def _is_run(change: Change, tag: str) -> bool:
    name = re.escape(tag)
    form = re.compile(
        rf"(?<!!)=\s*[\"']?{name}\b|include(?:Tags|Categories|Groups)\b[^\n)]*[\"'.]{name}\b|<groups>[^<]*\b{name}\b"
        rf"|--tag[ =](?!~){name}\b|[Gg]roups=[\w,]*\b{name}\b|-P\w*[= ]*{name}\b"
        rf"|--(?:only|include)[ =]+{name}\b"
    )
    return any(form.search(text) for text in _texts(change))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (tagged_out,)
