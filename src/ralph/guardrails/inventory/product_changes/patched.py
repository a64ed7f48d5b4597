"""What a test replaces by its name, which has to be there: `patch("shop.pay.charge")`, `spyOn(pay, "charge")`."""

from __future__ import annotations

from ralph.system.patterns import later

PATCHED = later(
    r"\bpatch(?:\.dict|\.multiple)?\(\s*[\"'](?:\w+\.)+(\w+)[\"']|\bpatch\.object\(\s*[\w.]+\s*,\s*[\"'](\w+)[\"']"
    r"|\bmonkeypatch\.(?:set|del)attr\(\s*(?:[\w.]+\s*,\s*[\"']|[\"'](?:\w+\.)+)(\w+)[\"']"
    r"|\bspyOn\(\s*[\w.$]+\s*,\s*[\"'](\w+)[\"']"
)


def patched_in(body: str) -> set[str]:
    return {name for match in PATCHED.finditer(body) for name in match.groups() if name}
