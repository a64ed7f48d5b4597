"""How a page is read: what a person sees as heading, item and code, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.loop.phases.markdown import items, lines

HEADINGS = {
    "one to six": ("# a\n## b\n###### c", [(1, "a"), (2, "b"), (6, "c")]),
    "seven are none": ("####### a", []),
    "no blank, no heading": ("#a\n##b", []),
    "closed": ("## a ##\n# b #  ", [(2, "a"), (1, "b")]),
    "a sharp language": ("# C#\n# a#b #", [(1, "C#"), (1, "a#b")]),
    "empty": ("#\n## ##", [(1, ""), (2, "")]),
    "indented a little": ("   # a", [(1, "a")]),
    "indented like code": ("    # a\n\t# b", []),
    "underlined": ("a\n===\n\nb\n---", [(1, "a"), (2, "b")]),
    "a rule is no underline": ("a\n\n---\n\n- b\n---", []),
    "in a fence": ("```\n# a\n```\n# b", [(1, "b")]),
    "in a fence of tildes": ("~~~ md\n# a\n```\n# c\n~~~\n# b", [(1, "b")]),
    "in a longer fence": ("````\n```\n# a\n````\n# b", [(1, "b")]),
    "in a fence that nothing closes": ("# a\n```\n# b\n```x\n# c", [(1, "a")]),
    "a code span is no fence": ("```a``` b\n# c", [(1, "c")]),
    "in a comment": ("<!-- \n# a\n-->\n# b\n<!-- x -->\n# c", [(1, "b"), (1, "c")]),
    "in a comment that nothing closes": ("# a\n<!--\n# b", [(1, "a")]),
    "no comment in a code span": ("`<!--` a ``x ` <!--``\n# b\n` <!-- ``\n# c", [(1, "b")]),
    "a comment in a quote ends with it": ("> <!--\n# a", [(1, "a")]),
    "in a quote": ("> # a", []),
    "behind front matter": ("---\ntitle: x\n# a\n---\n# b", [(1, "b")]),
    "behind a byte order mark": ("\ufeff# a", [(1, "a")]),
    "lines end as they like": ("# a\r\n# b\r# c\n# d", [(1, "a"), (1, "b"), (1, "c"), (1, "d")]),
    "other separators end no line": ("a\u2028# b\x0b# c\x85# d", []),
}
LISTS = {
    "every mark": ("- a\n* b\n+ c\n1. d\n2) e", ["a", "b", "c", "d", "e"]),
    "boxes": ("- [ ] a\n- [x] b\n* [X] c\n- [y] d", ["a", "b", "c", "[y] d"]),
    "an item over several lines": ("- a\n  b\n  c\n- d", ["a b c", "d"]),
    "items in items": ("- a\n  - b\n    - c", ["a", "b", "c"]),
    "prose ends a list": ("- a\n\nb\n- c", ["a", "c"]),
    "in a fence": ("```\n- a\n```\n- b", ["b"]),
    "empty ones": ("- \n-\n- [ ]\n- [ ] ", ["", "", "", ""]),
    "words are no marks": ("-a\n1.b\n*c*", []),
    "a number of ten digits is none": ("1234567890. a", []),
}


@pytest.mark.parametrize("case", HEADINGS)
def test_headings(case: str) -> None:
    text, expected = HEADINGS[case]
    assert [(line.heading, line.text) for line in lines(text) if line.heading] == expected


@pytest.mark.parametrize("case", LISTS)
def test_items(case: str) -> None:
    text, expected = LISTS[case]
    assert items(lines(text)) == expected


@given(st.text(alphabet=st.sampled_from("#=-`~<!> \t\r\n*a1.[]x\u2028")))
def test_no_text_breaks_it(text: str) -> None:
    assert all("\n" not in line.text and 0 <= line.heading <= 6 for line in lines(text))
    assert all("\n" not in each for each in items(lines(text)))


@given(st.text())
def test_what_stands_in_a_fence_is_no_heading(text: str) -> None:
    body = text.replace("`", "")
    assert not any(line.heading for line in lines(f"```\n{body}\n```"))
