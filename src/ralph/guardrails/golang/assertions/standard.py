"""Go: that the standard library can read a constant says nothing about the product (policy set v2, class G05).

Rule: `_, network, err := net.ParseCIDR("10.0.0.0/8")` and `if err != nil { panic(err) }` make a value for a test; so do
`netip.MustParsePrefix("10.0.0.0/8")`, which panics by itself, and `url.Parse("http://a")`. It is one where the file
imports that package of the library, and all that is handed to it are constants, written out. In the library's own tree
it is the product.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.readers import Paths
from ralph.record import replace
from ralph.system.patterns import later

READERS = (
    r"base64\.(?:Raw)?(?:Std|URL)Encoding\.DecodeString|hex\.DecodeString|mail\.ParseAddress|net\.Parse(?:CIDR|MAC)"
    r"|netip\.Parse(?:Addr|AddrPort|Prefix)|regexp\.Compile(?:POSIX)?|strconv\.(?:Atoi|Parse(?:Bool|Float|Int|Uint)|Unquote)"
    r"|time\.(?:Parse(?:Duration)?|LoadLocation)|url\.(?:Parse(?:Query|RequestURI)?|(?:Query|Path)Unescape)"
)
"""What makes a value of a text, and an error where it cannot."""
CONSTANT = r"(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|-?[\d_.]+|time\.[A-Z]\w+)"
CALL = later(rf"(?:{READERS})\({CONSTANT}(?:,{CONSTANT})*\)")
PACKAGES = frozenset(b"encoding/base64 encoding/hex net/mail net net/netip regexp strconv time net/url".split())
SUCCEEDED = frozenset({("==", "nil"), ("NoError", ""), ("Nil", "")})
IMPORTED = later(rb"(?m)^(?:import)?[ \t]*\"((?:\w+/)?\w+)\"\s*$")
OF_LIBRARY = later(rb"(?m)^module std$")


def without_standard(checks: Iterator[Check], data: bytes, paths: Paths | None) -> Iterator[Check]:
    """The assertions of a test of a file that has this text: those demand nothing."""
    for check in checks:
        if (check.relation, check.wanted) in SUCCEEDED and _reads_constant(check.subject, data, paths):
            yield replace(check, grade=Grade.NOTHING, why="it is about a constant and Go's own library")
        else:
            yield check


def _reads_constant(subject: str, data: bytes, paths: Paths | None) -> bool:
    if CALL.fullmatch(subject) is None:
        return False
    package = subject.partition(".")[0].encode()
    of_library = {path for path in IMPORTED.findall(data) if path in PACKAGES}
    own = paths is not None and OF_LIBRARY.search(paths.read("src/go.mod") or b"") is not None
    return package in {path.rpartition(b"/")[2] for path in of_library} and not own
