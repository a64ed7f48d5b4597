"""Java and Kotlin: folders of which nothing is built into the tests (see `inventory`).

Rule: where sources stand as Maven and Gradle have them (`src/main/java`, `src/test/kotlin`), what stands in another
folder of `src/test` or among the product's sources runs as no test, unless a build file names the folder.
"""

from __future__ import annotations

from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

LANGUAGES = ("java", "kotlin", "groovy", "scala")
PLACE = later(r"(?P<module>(?:.*?/)?)src/(?P<set>\w+)/(?P<kind>[\w.-]+)/.*")
BUILDS = ("pom.xml", "build.gradle", "build.gradle.kts")


def why_not_built(path: str, paths: Paths) -> str:
    place = PLACE.fullmatch(path)
    if place is None or (place["kind"] in LANGUAGES and place["set"] != "main"):
        return ""
    module, folder = place["module"], f"{place['set']}/{place['kind']}"
    usual = tuple(f"{module}src/{name}/{language}/" for name in ("main", "test") for language in LANGUAGES)
    if not any(each.startswith(usual) for each in paths.all() if each != path):
        return ""
    named = any(folder.encode() in (paths.read(f"{at}{name}") or b"") for at in {module, ""} for name in BUILDS)
    return "" if named else f"`src/{folder}` is no folder of tests"
