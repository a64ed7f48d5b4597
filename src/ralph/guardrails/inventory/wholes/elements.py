"""Elements of a page that are asked all at once: how many there are, and what each of them says (class G05).

`expect(await notes.count()).toBe(2)` and `expect(await notes.nth(1).textContent()).toBe("b")` are not missed where
`await expect(notes).toHaveText(["a", "b"])` is asked: it wants as many elements, and the text of each.

Rules, for what Playwright calls a locator:

- The list of texts has the text that was wanted in its place, or as many texts as elements were wanted.
- `expect(await box.isVisible()).toBe(true)` is what `await expect(box).toBeVisible()` waits for.
- It is about the same elements, or about parts of them (`.note`, `.note .text`). What a page object holds
  (`notes.all`) nobody can see from here: it is if it says a text that the test asked one of the elements for.
"""

from __future__ import annotations

import re

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.system.patterns import later

ALL = later(r"\.(?:toHaveText|to_have_text)\(\s*\[|\.all(?:TextContents|InnerTexts|_text_contents|_inner_texts)\(\)")
GATHERED = later(r"\.all(?:TextContents|InnerTexts|_text_contents|_inner_texts)\(\)")
READ = later(r"\.(?:textContent|innerText|text_content|inner_text)\(\)")
PLACE = later(r"\.(?:(?P<first>first)|(?P<last>last)|nth\((?P<at>\d+)\))(?:\(\))?")
COUNTED = later(r"\.count\(\)|\.length")
COUNT = later(r"\.(?:toHaveCount|to_have_count|toHaveLength)\(")
TEXT = later(r"'[^'\\]*'|\"[^\"\\]*\"|`[^`\\$]*`")
STATE = later(
    r"(?P<of>.+)\.is_?(?P<state>(?i:visible|hidden|checked|enabled|disabled|editable))\(\)",
    re.DOTALL,
)
STATES = {
    "visible": ("shown", False),
    "hidden": ("shown", True),
    "checked": ("checked", False),
    "enabled": ("enabled", False),
    "disabled": ("enabled", True),
    "editable": ("editable", False),
}
"""How the relation to each is called, and whether the opposite is."""
LOCATOR = later(r"\.(?:locator|getBy\w+|get_by_\w+|\$\$?)\(")
SELECTED = later(r"(?P<before>.*\.(?:locator|\$\$?)\()(?P<selector>'[^']*'|\"[^\"]*\")\)", re.DOTALL)


def says_all(check: Check, before: Facts, after: Facts) -> Check | None:
    """The new assertion about all elements that says what an old one said of one, or of their number."""
    if check.relation not in ("==", "length") or not check.known:
        return None
    asked = {each.key for each in before.checks}
    if (state := STATE.fullmatch(check.subject)) is not None:
        return _in_state(check, state, after)
    for each in after.checks:
        if each.grade is Grade.EXACT and each.key not in asked and ALL.search(f"{each.snippet} {each.subject}"):
            texts = _texts(each)
            if texts and _is_said(check, texts) and _is_about(check, each, texts, before):
                return each
    return None


def _in_state(check: Check, state: re.Match[str], after: Facts) -> Check | None:
    named, opposite = STATES[state["state"].lower()]
    if check.wanted.lower() not in ("true", "false"):
        return None
    relation = named if opposite == (check.wanted.lower() == "false") else f"not {named}"
    asked = (each for each in after.checks if each.subject == state["of"] and each.relation == relation)
    return next((each for each in asked if each.grade >= Grade.CLOSE), None)


def counts_others(whole: Check, part: Check) -> bool | None:
    """Another number of elements was wanted than the list of texts has; None where none was, or none is a list."""
    texts = _texts(whole) if _is_count(part) and ALL.search(f"{whole.snippet} {whole.subject}") else []
    return part.wanted != str(len(texts)) if texts else None


def _texts(check: Check) -> list[str]:
    if check.relation != "==" or check.wanted[:1] != "[":
        return []
    texts = [each.strip() for each in between_commas(check.wanted[1:-1], STRING)]
    return [each[1:-1] for each in texts] if all(map(TEXT.fullmatch, texts)) else []


def _is_said(check: Check, texts: list[str]) -> bool:
    if _is_count(check):
        return check.wanted == str(len(texts))
    place = _place(check)
    if place is None or not -len(texts) <= place < len(texts):
        return False
    return texts[place] == check.wanted[1:-1]


def _is_count(check: Check) -> bool:
    counted = re.search(rf"(?:{COUNTED.pattern})$", check.subject) or COUNT.search(check.snippet)
    return check.wanted.isdecimal() and counted is not None


def _place(check: Check) -> int | None:
    """Of which element the text is asked; None where it is no text of one."""
    if not TEXT.fullmatch(check.wanted) or not (READ.search(check.subject) or "ave" in check.snippet):
        return None
    places = list(PLACE.finditer(check.subject))
    if not places:
        return 0
    return -1 if places[-1]["last"] else int(places[-1]["at"] or 0)


def _of(check: Check) -> str:
    """Which elements it is about."""
    of = GATHERED.sub("", READ.sub("", check.subject))
    return re.sub(rf"(?:{COUNTED.pattern}|{PLACE.pattern})+$", "", of)


def _is_about(old: Check, new: Check, texts: list[str], before: Facts) -> bool:
    was, now = _of(old), _of(new)
    if was == now:
        return True
    if LOCATOR.search(now):
        one, other = SELECTED.fullmatch(was), SELECTED.fullmatch(now)
        if one is None or other is None or one["before"] != other["before"]:
            return False
        return other["selector"][1:-1].startswith(f"{one['selector'][1:-1]} ")
    return any(
        not _is_count(each) and _is_said(each, texts)
        for each in before.checks
        if each.known and each.relation == "==" and _of(each) == was
    )
