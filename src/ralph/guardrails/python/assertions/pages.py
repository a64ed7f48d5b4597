"""What Playwright's `expect(locator)` demands of a page (test inventory, class G05).

`expect(page.locator("#total")).to_have_text("3")` waits for one certain text, `to_contain_text` for a part of one;
`to_be_hidden` is the opposite of `to_be_visible`, and so is `not_to_be_visible`. A pattern is none of the texts that
it fits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.python.claims import Claim, is_constant, name_of, text

VALUES = frozenset(
    ("to_have_text", "to_have_value", "to_have_values", "to_have_url", "to_have_title", "to_have_count", "to_have_id")
)
NAMED = frozenset(("to_have_attribute", "to_have_css", "to_have_js_property"))
"""They are given the name of what has the value, too."""
PARTS = frozenset(("to_contain_text", "to_have_class", "to_contain_class"))
STATES = {
    "to_be_visible": ("shown", True),
    "to_be_hidden": ("shown", False),
    "to_be_enabled": ("enabled", True),
    "to_be_disabled": ("enabled", False),
    "to_be_checked": ("checked", True),
    "to_be_editable": ("editable", True),
    "to_be_focused": ("focused", True),
    "to_be_empty": ("empty", True),
}
NOT = "not_"
ASKED = VALUES | NAMED | PARTS | STATES.keys()
PAGES = ASKED | {f"{NOT}{each}" for each in ASKED}


def of_page(call: ast.Call, name: str) -> Iterator[Claim]:
    """Nothing for a function of that name that has nothing to do with `expect`."""
    about = _about(call)
    if about is None:
        yield from [Claim(text(call), "helper", "", Grade.CLOSE)] if "expect" in text(call) else ()
        return
    denied, matcher, subject = name.startswith(NOT), name.removeprefix(NOT), text(about)
    given = [*call.args, *(each.value for each in call.keywords if each.arg in ("expected", "value", "count", "url"))]
    if matcher in STATES:
        state, holds = STATES[matcher]
        off = any(
            each.arg in ("checked", "visible", "enabled") and text(each.value) == "False" for each in call.keywords
        )
        yield Claim(subject, state if (holds != denied) != off else f"not {state}", "", Grade.CLOSE)
        return
    if matcher in NAMED and len(given) > 1:
        subject, given = f"{subject}[{text(given[0])}]", given[1:]
    wanted = given[0] if given else None
    if matcher in PARTS:
        yield Claim(subject, "not in" if denied else "in", text(wanted), Grade.EXISTS if denied else Grade.SHAPE)
    elif isinstance(wanted, ast.Call) and name_of(wanted).rpartition(".")[2] == "compile":
        yield Claim(subject, "matches", text(wanted), Grade.EXISTS if denied else Grade.CLOSE)
    else:
        known = wanted is not None and is_constant(wanted)
        yield Claim(subject, "!=" if denied else "==", text(wanted), Grade.EXISTS if denied else Grade.EXACT, known)


def _about(call: ast.Call) -> ast.expr | None:
    asked = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(asked, ast.Call) and name_of(asked).rpartition(".")[2] == "expect" and asked.args:
        return asked.args[0]
    return None
