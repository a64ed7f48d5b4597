"""The words by which code verifies something, and says that it did not (`unverified`)."""

from __future__ import annotations

from ralph.system.patterns import later

VERIFIES = later(
    r"(?i:verif(?:y|ies)|(?:check|validate|ensure|assert|match)_?(?:the_?)?"
    r"(?:signature|digest|checksum|integrity|hmac|mac))\w*\((?P<given>[^()]*)"
)
PROOF = later(r"(?i)sig(?:nature|ned|\b|_)|digest|checksum|hash|hmac|cert|key|tamper|integrity|jwt")
"""What proves that nobody changed it: an address or an order is verified in another sense."""
WITH = later(
    r"(?i)key|secret|cert|public|sig|mac|options|config|^(?:req(?:uest)?|res(?:ponse)?|ctx|context|session|[crw])$"
)
"""What something is verified with, or belongs to."""
NOTHING = frozenset(
    ("self", "this", "cls", "await", "nil", "null", "undefined", "None", "new", "not", "is", "or", "and")
)
SAYS_SO = later(
    r"(?i)\bfalse\b|unverified|untrusted|unsigned|invalid|\bfail|error|\berr\b|bad|reject|den[yi]|forbid|unauthori[sz]"
    r"|\b4\d\d\b|login|redirect|status"
)
"""An answer that tells whoever asked."""
