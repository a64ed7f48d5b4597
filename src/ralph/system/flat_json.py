"""A flat object as JSON, written without the module for it, which takes as long to load as all of a warden.

A warden answers so because its answer is read while other threads may parse Python: two threads that build syntax trees
at once (`ast.literal_eval` is one of them) can fail with a `SystemError` in CPython 3.11.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Value = str | float | bool | None


def written(answer: Mapping[str, Value]) -> bytes:
    return b"{%s}" % b", ".join(b"%s: %s" % (_value(name), _value(each)) for name, each in answer.items())


def _value(each: Value) -> bytes:
    if each is None or isinstance(each, bool):
        return {None: b"null", True: b"true", False: b"false"}[each]
    if not isinstance(each, str):
        return repr(each).encode("ascii")
    units = each.encode("utf-16-be", "surrogatepass")
    return b'"%s"' % b"".join(b"\\u%02x%02x" % (units[at], units[at + 1]) for at in range(0, len(units), 2))
