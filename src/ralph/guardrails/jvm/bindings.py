"""Goals of Maven that check, and that no phase brings any more (policy set v2, classes G09, G10, G12).

Rules:

- A goal is run where a plugin of the build binds it to a phase that a build comes to. Nothing runs it in `none`, in the
  phases of `clean`, `site` and `deploy`, in a phase behind the last one that CI asks for, in a profile that nobody
  activates, and in `pluginManagement` alone.
- What stands in another `pom.xml` of the tree, or is run by its name in a command (`mvn checkstyle:check`), is run.
- `verify` of failsafe is what looks at the result of `integration-test`: one without the other fails for nothing.
- Another goal that checks, bound in the same file where none was, is for a person.
- Unit tests bound to `none` are not run, unless the same plugin runs them otherwise.
- A module with tests that stays in the tree, and that no build of Maven or Gradle takes up any more, is not tested.
- A plugin of Gradle that brings checks with it, and that no script of the tree applies any more, is gone with them;
  where another one arrives, it is for a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.system.patterns import later

NAME = "pom.xml"
SCRIPTS = later(r"\.gradle(?:\.kts)?$")


def unbound(change: Change) -> Iterator[Hit]:
    """A change without a `pom.xml` or a script of Gradle that stays is let by without loading the rest."""
    paths = [file.path for file in change.files if file.status == "M" and file.path.rpartition("/")[2] == NAME]
    builds = [file.path for file in change.files if file.status == "M" and SCRIPTS.search(file.path)]
    if paths:
        from ralph.guardrails.jvm.goals import lost_goals

        yield from lost_goals(change, paths)
    if paths or builds:
        from ralph.guardrails.jvm.left_out import lost_modules, lost_plugins

        yield from lost_modules(change, (*paths, *builds))
        yield from lost_plugins(change, builds)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unbound,)
