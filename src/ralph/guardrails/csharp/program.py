"""C#: what a program of a single file tells its build (`#:property NoWarn=CS0168`; policy set v2, class G12).

Rules: such a line is judged as the same property of a project would be that had none before: a warning is muted, the
compiler says nothing of what may be null, warnings are no errors, an analyser is off. Two warnings count for nothing
that each new project mutes. Only lines above the first code are for the build; `#pragma` in the code is another rule's.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.model import Hit
from ralph.guardrails.source import Comment, Source
from ralph.system.patterns import later

WORDS = (r"#:[ \t]*property\b",)
PROPERTY = later(r"^[ \t\ufeff]*#:[ \t]*property[ \t]+(\w+)[ \t]*=[ \t]*(.*?)[ \t\r]*$")
ABOVE_CODE = later(r"^[ \t\ufeff]*(?:#[:!]|//|\r?$)")
NO_CHECKS = later(
    r"(?i)(?:(?:MSBuild|CodeAnalysis)?TreatWarningsAsErrors|EnableNETAnalyzers|RunAnalyzers(?:DuringBuild)?|RunCodeAnalysis"
    r"|EnforceCodeStyleInBuild)=false|WarningLevel=0|AnalysisMode=none"
)
NO_NULLS = later(r"(?i)Nullable=(?:disable|annotations)")
MUTED = frozenset({"nowarn", "disabledwarnings", "warningsnotaserrors"})
CODE = later(r"[A-Za-z]*\d+")
USUAL = frozenset({"1701", "1702", "CS1701", "CS1702"})


def build_lines(source: Source) -> Iterator[Hit]:
    if b"#:" not in source.data:
        return
    for row, line in enumerate(source.lines):
        text = line.decode("utf-8", "replace")
        if not ABOVE_CODE.match(text):
            return
        if said := PROPERTY.match(text):
            place = Comment("", row + source.first_line, 1, row + source.first_line, 0, True)
            setting = f"{said[1]}={said[2]}"
            if NO_CHECKS.fullmatch(setting):
                yield source.hit("cfg.msbuild.check-off", place, setting)
            elif NO_NULLS.fullmatch(setting):
                yield source.hit("cfg.msbuild.nullable-off", place, setting)
            codes = frozenset(CODE.findall(said[2])) - USUAL
            if said[1].lower() in MUTED and codes:
                yield source.hit("cfg.msbuild.warnings-muted", place, said[1], codes)
