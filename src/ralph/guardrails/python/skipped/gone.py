"""What the standard library had once and has no more, on no platform, and since which version of Python.

A test that is skipped where one of these is missing (`skipif(not hasattr(time, "clock"))`) is skipped everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

GONE: Mapping[str, tuple[int, int]] = {
    "asyncio.async": (3, 7),
    "asyncio.coroutine": (3, 11),
    "binascii.b2a_hqx": (3, 11),
    "cgi.escape": (3, 8),
    "collections.Callable": (3, 10),
    "collections.Iterable": (3, 10),
    "collections.Mapping": (3, 10),
    "collections.MutableMapping": (3, 10),
    "collections.Sequence": (3, 10),
    "fractions.gcd": (3, 9),
    "inspect.formatargspec": (3, 11),
    "inspect.getargspec": (3, 11),
    "itertools.ifilter": (3, 0),
    "itertools.imap": (3, 0),
    "itertools.izip": (3, 0),
    "locale.format": (3, 12),
    "os.errno": (3, 7),
    "os.getcwdu": (3, 0),
    "platform.dist": (3, 8),
    "platform.linux_distribution": (3, 8),
    "ssl.match_hostname": (3, 12),
    "ssl.wrap_socket": (3, 12),
    "string.letters": (3, 0),
    "string.maketrans": (3, 0),
    "sys.exc_clear": (3, 0),
    "sys.getcheckinterval": (3, 9),
    "sys.maxint": (3, 0),
    "sys.setcheckinterval": (3, 9),
    "time.clock": (3, 8),
    "unittest.makeSuite": (3, 13),
}
