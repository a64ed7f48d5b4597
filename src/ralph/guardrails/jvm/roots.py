"""Java and Kotlin: folders of which nothing is built into the tests (see `inventory`).

Rules: where sources stand as Maven and Gradle have them (`src/main/java`, `src/test/kotlin`), what stands in another
folder of `src/test` or among the product's sources runs as no test, unless a build file names the folder. Maven alone
builds no tests of another folder than `src/test` (`src/tests/java`), unless it is told.
"""

from __future__ import annotations

from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

LANGUAGES = ("java", "kotlin", "groovy", "scala")
PLACE = later(r"(?P<module>(?:.*?/)?)src/(?P<set>[\w-]+)/(?P<kind>[\w.-]+)/.*")
BUILDS = ("pom.xml", "build.gradle", "build.gradle.kts")


def why_not_built(path: str, paths: Paths) -> str:
    place = PLACE.fullmatch(path)
    if place is None or (place["kind"] in LANGUAGES and place["set"] == "test"):
        return ""
    module, folder = place["module"], f"{place['set']}/{place['kind']}"
    if place["kind"] in LANGUAGES and place["set"] != "main":
        poms = [pom for at in {module, ""} if (pom := paths.read(f"{at}pom.xml"))]
        by_maven = poms and not any(paths.read(f"{at}{name}") for at in {module, ""} for name in BUILDS[1:])
        told = any(f"src/{place['set']}".encode() in pom or b"<testSourceDirectory>" in pom for pom in poms)
        return f"Maven builds no tests of `src/{place['set']}`" if by_maven and not told else ""
    usual = tuple(f"{module}src/{name}/{language}/" for name in ("main", "test") for language in LANGUAGES)
    if not any(each.startswith(usual) for each in paths.all() if each != path):
        return ""
    named = any(folder.encode() in (paths.read(f"{at}{name}") or b"") for at in {module, ""} for name in BUILDS)
    return "" if named else f"`src/{folder}` is no folder of tests"
