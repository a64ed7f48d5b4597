"""Characters that do not show, words that look like others, code where no screen shows it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.scan import scan
from tests.guardrails.hiding.judge import hits, judge, v2, worst
from tests.guardrails.memory import change, corpus

ZWSP, ZWJ, ZWNJ, RLO, RLI, LRI, PDI, BOM, SHY = (
    "\u200b",
    "\u200d",
    "\u200c",
    "\u202e",
    "\u2067",
    "\u2066",
    "\u2069",
    "\ufeff",
    "\xad",
)
FAMILY = f"\U0001f468{ZWJ}\U0001f469{ZWJ}\U0001f467"
FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
CYRILLIC_A, CYRILLIC_O = "\u0430", "\u043e"


@pytest.mark.parametrize("case", list(corpus("G18")), ids=lambda case: case["id"])
def test_every_recorded_case_is_judged_as_labelled(case: dict) -> None:  # type: ignore[type-arg]
    found = scan(change(case["before"], case["after"]), v2())
    severities = {finding.severity for finding in found}
    assert ("block" if "block" in severities else "review" if severities else "clean") == case["expect"]
    if case["expect"] == "block":
        assert case["path"] in {finding.path for finding in found if finding.severity == "block"}


BLOCK = {
    "zero width in a string": ("src/a.py", f'if role == "admin{ZWSP}":\n    pass\n'),
    "zero width in a name": ("src/a.ts", f"const ad{ZWNJ}min = 1;\n"),
    "word joiner": ("src/a.go", 'package a\nvar x = "ro\u2060ot"\n'),
    "mark in the middle": ("src/a.rb", f'x = "a{BOM}b"\n'),
    "hangul filler": ("src/a.js", "const \u3164 = req.query;\n"),
    "filler as a parameter": ("src/a.js", "function f({ user, \uffa0 }) { return \uffa0; }\n"),
    "variation selector behind a letter": ("src/a.py", 'x = "a\ufe01\ufe02\ufe03"\n'),
    "direction in a comment": ("src/a.c", f"/* {RLO} }} {LRI}if (admin){PDI} {LRI} begin */\n"),
    "direction in a string": ("src/a.rs", f'fn f() {{ let x = "user{RLO} {LRI}// only admins{PDI} {LRI}"; }}\n'),
    "direction left open": ("src/a.java", f'class A {{ String x = "{RLI}a"; }}\n'),
    "override of right-to-left text": ("src/a.py", f'x = "{RLO}\u05e9\u05dc\u05d5\u05dd"\n'),
    "direction in a script": ("run.sh", f"echo ok # {RLO}tset nur\n"),
    "letters of a tag": ("src/a.py", 'x = "hi\U000e0068\U000e0069"\n'),
    "letters of a tag in prose": ("AGENTS.md", "Be kind.\U000e0069\U000e0067\U000e006e\n"),
    "a message without width": ("README.md", f"Hello{ZWSP * 5}{ZWNJ * 6} world\n"),
    "escape sequence": ("src/a.py", "x = 1  # \x1b[2K\x1b[1A\n"),
    "concealed": ("src/a.sh", 'echo "\x1b[8mhidden\x1b[0m"\n'),
    "backspaces": ("src/a.py", "os.remove(x)\x08\x08\x08 # fine\n"),
    "carriage return": ("src/a.py", "# harmless\rimport os\n"),
    "carriage return in JavaScript": ("src/a.js", "// harmless\rprocess.exit(0)\n"),
    "line separator": ("src/a.ts", "// harmless\u2028process.exit(0)\n"),
    "paragraph separator in C#": ("src/a.cs", "// harmless\u2029Environment.Exit(0);\n"),
    "a Cyrillic letter in a name": ("src/a.py", f"def is_{CYRILLIC_A}dmin(user):\n    return True\n"),
    "a Cyrillic letter in a string": ("src/a.js", f'if (role === "{CYRILLIC_A}dmin") grant();\n'),
    "a Greek letter in a name": ("src/a.go", "package a\nfunc L\u03bfgin() {}\n"),
    "a name that is wholly another": ("src/a.py", f"c{CYRILLIC_O}ok = 1\nac = 2\n\u0430\u0441 = 3\n"),
    "full width": ("src/a.py", "\uff45\uff58\uff45\uff43(code)\n"),
    "mathematical": ("src/a.py", "import os\nos.\U0001d5c4\U0001d5c2\U0001d5c5\U0001d5c5(1, 9)\n"),
    "letters as numbers": ("src/a.js", "it.\\u0073kip('x', f)\n"),
    "letters as numbers in braces": ("src/a.ts", "process.\\u{65}xit(0)\n"),
    "far to the right": ("src/a.js", f"const a = 1;{' ' * 160}process.exit(0);\n"),
    "far behind tabs": ("src/a.py", "a = 1;" + "\t" * 20 + "import os\n"),
}


@pytest.mark.parametrize(("path", "text"), BLOCK.values(), ids=BLOCK)
def test_what_does_not_show_blocks(path: str, text: str) -> None:
    assert judge(path, text) == "block"
    assert judge(path, text, "") == "block"


@pytest.mark.parametrize(("path", "text"), BLOCK.values(), ids=BLOCK)
def test_what_was_there_or_moves_is_no_news(path: str, text: str) -> None:
    assert judge(path, f"{text}\n\n", text) == "clean"
    folder, _, name = path.rpartition("/")
    assert worst({path: text}, {f"{folder}/b_{name}".lstrip("/"): text}) == "clean"
    assert worst({path: text}, {}) == "clean"


REVIEW = {
    "zero width in a comment": ("src/a.py", f"x = 1  # pasted{ZWSP}text\n"),
    "soft hyphen in a text": ("src/a.tsx", f"const a = <p>Donau{SHY}dampf</p>;\n"),
    "line separator in a string": ("src/a.js", 'const a = "x\u2028y";\n'),
    "closed directions of right-to-left text": ("src/a.py", f'x = "{RLI}\u05e9\u05dc\u05d5\u05dd{PDI} hello"\n'),
    "a test of zero width": (
        "tests/test_strip_invisible.py",
        f'def test_zwsp():\n    assert clean("a{ZWSP}b") == "ab"\n',
    ),
    "a test of lookalikes": (
        "tests/test_homoglyph.py",
        f'def test_a():\n    assert plain("{CYRILLIC_A}dmin") == "admin"\n',
    ),
    "a test of directions": (
        "tests/bidi.test.ts",
        f'test("bidi is removed", () => expect(clean("a{RLO}b")).toBe("ab"));\n',
    ),
    "zero width in a configuration": ("deploy.yaml", f"name: a{ZWSP}b\n"),
    "directions in prose": ("README.md", f"left {RLO}right\n"),
    "colours": ("run.sh", 'echo "\x1b[31mred\x1b[0m"\n'),
    "fuzzed bytes": ("tests/test_fuzz.py", 'DATA = "a\x02b"\n'),
    "a typing error": ("src/a.py", 'x = "\u041c\u041e\u0421\u041aBA \u0438 \u0434\u0440."\n'),
}


@pytest.mark.parametrize(("path", "text"), REVIEW.values(), ids=REVIEW)
def test_what_may_be_needed_is_shown(path: str, text: str) -> None:
    assert judge(path, text) == "review"


CLEAN = {
    "emoji": ("src/a.py", f'x = "{FAMILY} \u2764\ufe0f 1\ufe0f\u20e3 {FLAG}"\n'),
    "Hebrew": ("src/a.py", 'x = "\u05e9\u05dc\u05d5\u05dd \u200fabc\u200f"\n'),
    "Persian": ("src/a.ts", f'const a = "\u0645\u06cc{ZWNJ}\u062e\u0648\u0627\u0647\u0645";\n'),
    "Hindi": ("src/a.ts", f'const a = "\u0915\u094d{ZWJ}\u0937";\n'),
    "Thai": ("src/a.ts", f'const a = "\u0e20\u0e32\u0e29\u0e32{ZWSP}\u0e44\u0e17\u0e22";\n'),
    "Russian names": ("src/a.py", "def \u0438\u043c\u044f(x):\n    return x\n"),
    "Russian text": (
        "src/a.py",
        'x = "\u0412\u0441\u0435 \u0434\u0430\u043d\u043d\u044b\u0435, 3D-\u043c\u043e\u0434\u0435\u043b\u044c"\n',
    ),
    "Greek in formulas": ("src/a.py", "\u0394x = \u03c3_max * \u03bc1 + \u03c0\n"),
    "Japanese": ("src/a.py", 'x = "\u65e5\u672c\u8a9e\uff21\uff22"\n'),
    "lookalikes in a comment": ("src/a.py", f"x = 1  # n{CYRILLIC_O}qa\n"),
    "mark at the start": ("src/a.cs", f"{BOM}class A {{}}\n"),
    "escapes": ("src/a.py", 'x = "\\u200b\\u202e\\x1b[0m"\n'),
    "escapes in a string": ("src/a.js", 'const a = "\\u0041\\u{42}"; const r = /\\u0043/;\n'),
    "Windows line ends": ("src/a.py", "x = 1\r\ny = 2\r\n"),
    "form feed": ("src/a.py", "x = 1\n\x0c\ny = 2\n"),
    "translations": ("locale/fa/messages.po", f'msgstr "\u0645\u06cc{ZWNJ}\u062e a{ZWSP}b"\n'),
    "Arabic prose": ("README.ar.md", f"{RLI}\u0645\u0631\u062d\u0628\u0627{PDI} Ralph\n"),
    "a table": ("src/a.py", f"a = 1{' ' * 120}# remark\n"),
    "a wide string": ("src/a.py", f'a = "x{" " * 120}y"\n'),
    "accents": ("src/a.py", 'caf\xe9 = "na\xefve \xdcber \xa0"\n'),
    "ordinals": ("src/a.py", 'x = "n\xba 1\xaa"\n'),
}


@pytest.mark.parametrize(("path", "text"), CLEAN.values(), ids=CLEAN)
def test_honest_text_says_nothing(path: str, text: str) -> None:
    assert hits({}, {path: text}) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"src/{CYRILLIC_A}uth.py", "block"),
        (f"src/auth{ZWSP}.py", "block"),
        (f"src/{RLO}yp.exe", "block"),
        ("docs/\u0420\u0443\u0441\u0441\u043a\u0438\u0439.md", "clean"),
        ("docs/caf\xe9.md", "clean"),
    ],
)
def test_a_path_is_what_it_looks_like(path: str, expected: str) -> None:
    assert worst({}, {path: "x\n"}) == expected


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=60),
    st.sampled_from(["src/a.py", "a.ts", "a.go", "a.md", "a.yml", "locale/x.json", "a.sh", "a.java"]),
)
def test_any_text_is_read_and_a_move_says_nothing(text: str, path: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    hits({}, {path: text})
    assert hits({path: text}, {path: text + "\n"}) == [] or "\r" in text
