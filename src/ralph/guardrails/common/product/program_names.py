"""Questions about the name of the running program, where a name of the file holds it (see `aware`): Go and Rust.

`self := filepath.Base(os.Args[0])`, and `strings.HasSuffix(self, ".test")` later on; so with the file, or the function,
that calls (`runtime.Caller`). The question counts in the function that got the name; one that the whole file has counts
everywhere, where no function has another of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ralph.system.patterns import later

GIVES = {
    "go": ("os.Args[0]", "os.Executable(", "runtime.Caller(", "runtime.FuncForPC("),
    "rust": ("env::args", "current_exe("),
}
HELD = {
    "go": later(
        r"\b(?P<name>[A-Za-z_]\w*)(?:[ \t]+string)?(?:[ \t]*,[ \t]*\w+)?[ \t]*:?=(?!=)"
        r"[^\n\"]*\b(?:os\.(?:Args\[0\]|Executable\(\))|runtime\.FuncForPC\()"
        r"|\b\w+[ \t]*,[ \t]*(?P<file>[A-Za-z]\w*)[ \t]*,[ \t]*\w+[ \t]*,[ \t]*\w+[ \t]*:?=[^\n]*\bruntime\.Caller\("
    ),
    "rust": later(
        r"\blet[ \t]+(?:mut[ \t]+)?(?P<name>\w+)(?P<file>)[^=\n;]*=[^;\"]{0,200}"
        r"\b(?:current_exe\(\)|env::args(?:_os)?\(\)\s*\.(?:next\(\)|nth\(0\)))[^;]{0,200};"
    ),
}
TOLD = {
    "go": r"(?:[^\"\n]*\"(?:\.\w+)?\"){0,3}[^\"\n]*\"[^\"\n]*"
    r"(?:[._/\\]test(?:\.exe)?|_test\.go|(?:[._/]|\btesting\.)Test\w*)\"",
    "rust": r"[^\"\n;]*\"[^\"\n]*\bdeps\b[^\"\n]*\"",
}
"""What a test's program is called, whatever ending was taken off before."""
MOST = 8
"""No file gets it more often for a reason."""
NEXT = later(r"\n[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:fn|func)\b")


def asked_of_names(text: str, language: str) -> Iterator[re.Match[str]]:
    """The questions that code asks of names which hold that of the program."""
    form = HELD.get(language) if any(word in text for word in GIVES.get(language, ())) else None
    for held in islice(form.finditer(text), MOST) if form is not None else ():
        name = re.escape(held["name"] or held["file"])
        asked = re.compile(rf"(?<![\w.]){name}(?!\w){TOLD[language]}")
        after = NEXT.search(text, held.end())
        if _is_of_file(text, held):
            others = re.findall(rf"(?<![\w.]){name}(?:[ \t]*,[ \t]*\w+)?(?:[ \t]*:?=(?!=)|[ \t]+\w)", text)
            yield from (each for each in asked.finditer(text) if len(others) == 1 and each.start() != held.start())
        else:
            yield from asked.finditer(text, held.end(), after.start() if after is not None else len(text))


def _is_of_file(text: str, held: re.Match[str]) -> bool:
    """`var self = …` outside of all functions."""
    return text[text.rfind("\n", 0, held.start()) + 1 : held.start()].rstrip() == "var"
