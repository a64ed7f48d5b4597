"""Wholes that a test of Rust writes down (policy set v2, class G05): `Ok(Schedule { minute: Some(30), hour: None })`.

Rules: one that is made of constants and members of enumerations alone says exactly what each of its fields is, those
of what it is wrapped in, too. What is taken from another one (`..Default::default()`) is not written down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wanted.values import is_made
from ralph.system.patterns import later

WHOLE = later(r"(?:(?:Ok|Some|Err)\()*(?:\w+::)*[A-Z]\w*\{(?P<entries>.*)\}\)*", re.DOTALL)
TAKEN = later(r"(?:\.(?:unwrap|unwrap_err|as_ref|as_deref)\(\)|\.expect(?:_err)?\([^()]*\)|\?)*\.(?P<field>[a-z_]\w*)")
"""From a whole to its field."""
SPELLED = later(r"\.(?:to_string|to_owned|into|as_str|to_vec)\(\)|\bvec!|&|(?<=\bString)::from\b")
MEMBER = later(r"\b(?:None|true|false|(?:\w+::)+[A-Z]\w*(?![\w({]|::))|\[\]")
"""What is as good as a constant."""
LONGEST = 2000
"""A longer text is tried on no pattern."""


def is_written(wanted: str) -> bool:
    return len(wanted) < LONGEST and WHOLE.fullmatch(wanted) is not None and is_made(_plain(wanted))


def says_other(whole: str, way: str, wanted: str) -> bool | None:
    """Whether the field at the end of a `way` from the whole is something else there; None if nobody can tell."""
    found, taken = WHOLE.fullmatch(whole) if len(whole) < LONGEST else None, TAKEN.fullmatch(way)
    if found is None or taken is None:
        return None
    return SPELLED.sub("", wanted) not in _said(found["entries"], taken["field"])


def _said(entries: str, field: str) -> Iterator[str]:
    for entry in between_commas(entries, STRING):
        name, _, value = entry.partition(":")
        if name.strip() == field:
            yield SPELLED.sub("", value.strip())


def _plain(wanted: str) -> str:
    """As a call that is made of constants: `Schedule(minute:Some(30),hour:_)`."""
    bare = MEMBER.sub("0", SPELLED.sub("", wanted))
    return bare.replace("{", "(").replace("}", ")").replace("::", ".")
