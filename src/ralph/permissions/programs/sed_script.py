"""Read a sed program, far enough to be certain that it only prints and substitutes.

Rules: every command must be one of those below; `w`, `W`, `e` and the flags `w` and `e` of `s` write files or run
commands, `r` and `R` read files that the program names: refused. Where GNU and BSD sed would part a program differently
(a delimiter inside brackets, a label before `;` and a further line), it is not read at all.
Spec: policy engine; research A.1 (CVE-2025-64755).
"""

from __future__ import annotations

import re

PLAIN = "=dDgGhHnNpPxzF"
NUMBERED = "qQlL"
TEXT = "aic"
LABELLED = "btT:"
REFUSED = {
    "e": "`e` runs commands",
    "w": "`w` writes a file",
    "W": "`W` writes a file",
    "r": "`r` reads a file that the program names",
    "R": "`R` reads a file that the program names",
}
LABEL = re.compile(r"[A-Za-z0-9_.-]*")
STEP = re.compile(r"\d+(~\d+)?|\$")
SECOND = re.compile(r"[+~]?\d+|\$")
BLANKS = " \t"


class NotRead(Exception):
    """The program could not be read, or does more than print and substitute."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def check_script(script: str) -> None:
    """Raises NotRead unless the program only prints and substitutes."""
    _Script(script).run()


class _Script:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def run(self) -> None:
        depth = 0
        while True:
            self.skip(BLANKS + ";\n")
            if self.at == len(self.text):
                break
            if self.text[self.at] == "}":
                depth -= 1
                self.at += 1
                self.end()
                continue
            self.address()
            if self.command() == "{":
                depth += 1
        if depth != 0:
            raise NotRead("the braces of its program do not match")

    def skip(self, characters: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in characters:
            self.at += 1

    def take(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self.text, self.at)
        if match is None:
            return False
        self.at = match.end()
        return True

    def next(self) -> str:
        if self.at == len(self.text):
            raise NotRead("its program ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def address(self) -> None:
        if self.take(STEP) or self.regex_address():
            self.skip(BLANKS)
            if self.text.startswith(",", self.at):
                self.at += 1
                self.skip(BLANKS)
                if not (self.take(SECOND) or self.regex_address()):
                    raise NotRead("an address of its program is not known")
        self.skip(BLANKS)
        while self.text.startswith("!", self.at):
            self.at += 1
            self.skip(BLANKS)

    def regex_address(self) -> bool:
        here = self.text[self.at : self.at + 1]
        if here == "\\":
            self.at += 1
        elif here != "/":
            return False
        self.delimited(self.delimiter(), regex=True)
        self.skip("IM")
        return True

    def command(self) -> str:
        name = self.next()
        if name in REFUSED:
            raise NotRead(REFUSED[name])
        if name == "#":
            self.line()
        elif name in PLAIN:
            self.end()
        elif name in NUMBERED:
            self.skip(BLANKS)
            self.skip("0123456789")
            self.end()
        elif name in TEXT:
            self.block()
        elif name in LABELLED:
            self.label()
        elif name in "sy":
            self.substitution(name)
        elif name != "{":
            raise NotRead(f"the command `{name}` of its program is not known")
        return name

    def end(self) -> None:
        """What may stand behind a command; a closing brace is left for the next round."""
        self.skip(BLANKS)
        if self.at == len(self.text) or self.text[self.at] == "}":
            return
        if self.text[self.at] == "#":
            self.line()
        elif self.text[self.at] in ";\n":
            self.at += 1
        else:
            raise NotRead("something of its program is not known")

    def line(self) -> None:
        found = self.text.find("\n", self.at)
        self.at = len(self.text) if found < 0 else found + 1

    def block(self) -> None:
        """The text of `a`, `i`, `c`: up to a line end without a backslash before it."""
        if re.compile(r"[ \t]*\\[ \t]+\n").match(self.text, self.at):
            raise NotRead("a text of its program is not certain")
        while self.at < len(self.text):
            character = self.next()
            if character == "\n":
                return
            if character == "\\" and self.at < len(self.text):
                self.at += 1

    def label(self) -> None:
        self.skip(BLANKS)
        self.take(LABEL)
        self.skip(BLANKS)
        if self.text.startswith((";", "}"), self.at) and "\n" in self.text[self.at :]:
            raise NotRead("a label of its program is not certain")
        self.end()

    def delimiter(self) -> str:
        character = self.next()
        if character in "\\\n" or character.isalnum() or character in BLANKS:
            raise NotRead("a delimiter of its program is not known")
        return character

    def substitution(self, name: str) -> None:
        delimiter = self.delimiter()
        self.delimited(delimiter, regex=name == "s")
        self.delimited(delimiter, regex=False)
        if name == "s":
            self.flags()
        self.end()

    def flags(self) -> None:
        while self.at < len(self.text) and self.text[self.at] not in BLANKS + ";\n}#":
            flag = self.next()
            if flag in "ew":
                raise NotRead(f"the flag `{flag}` of `s` {'runs commands' if flag == 'e' else 'writes a file'}")
            if flag not in "gpiImM0123456789":
                raise NotRead(f"the flag `{flag}` of `s` is not known")

    def delimited(self, delimiter: str, *, regex: bool) -> None:
        """Up to the delimiter; behind a backslash it is an ordinary character."""
        bracket = 0
        while True:
            at = self.at
            character = self.next()
            if character == "\\":
                self.next()
            elif character == "\n":
                raise NotRead("a line end in its program is not certain")
            elif bracket and character == "[" and self.text[self.at : self.at + 1] in (":", ".", "="):
                self.at = max(self.at, self.text.find(self.text[self.at] + "]", self.at + 1) + 2)
            elif bracket and character == "]" and at > bracket:
                bracket = 0
            elif character == delimiter:
                if bracket:
                    raise NotRead("a delimiter inside brackets is not certain")
                return
            elif regex and character == "[" and not bracket:
                bracket = self.at + (1 if self.text.startswith("^", self.at) else 0)
