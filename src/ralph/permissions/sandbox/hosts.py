"""Which hosts a command may reach: rules as people write them, hosts as programs ask for them.

Rules (research: commands and sandbox, A.1; design decision 25):

- `registry.example.org` is that host at ports 80 and 443; with `:8443` it is that port alone; `*.example.org` is every
  name below, not the name itself. An address is only ever that address. No rules, no hosts.
- A host has one normal form: lower case, no dot at the end, an address as the standard library writes it. Whatever has
  no such form is refused, not repaired: blanks, control characters, user names, escapes, empty labels, and every other
  spelling of an address (`127.1`, `0x7f000001`) that some resolver would understand.
- In a rule, other letters than ASCII become their xn-- form, unless two standards disagree about it. A request must
  have it already.
- A name that leads to a private, loopback, link-local or reserved address is refused, also when the address hides in an
  IPv6 one. Only a rule that names the address, or `localhost`, opens it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from ralph.errors import ConfigError
from ralph.record import record

WEB_PORTS = (80, 443)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_PORT = re.compile(r"[1-9][0-9]{0,4}", re.ASCII)
# What the library calls global, or has called so: other addresses hide in the first four, a provider's in the last two.
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(each)
    for each in ("::/96", "64:ff9b::/32", "2001::/32", "2002::/16", "192.0.0.0/24", "168.63.129.16/32")
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotAHost(ValueError):
    """The text is not a host, or not one in a form that everybody reads alike."""


@record
class Host:
    """A name or an address in its normal form, and a port."""

    name: str
    port: int

    @property
    def address(self) -> Address | None:
        return _address(self.name)


@record
class HostRule:
    """What one rule opens."""

    name: str
    ports: tuple[int, ...]
    below: bool = False

    def covers(self, host: Host) -> bool:
        fits = host.name.endswith("." + self.name) and host.address is None if self.below else host.name == self.name
        return fits and host.port in self.ports

    def opens(self, address: Address) -> bool:
        """True if the rule itself says that this address is meant, however private."""
        return address.is_loopback if self.name == "localhost" else _address(self.name) == address


def parse_rule(text: str) -> HostRule:
    """Raises ConfigError."""
    below = text.startswith("*.")
    try:
        name, port = _split(_to_ascii(text.removeprefix("*.")))
        if below and (_address(name) or "." not in name):
            raise NotAHost("a `*.` stands before a name of at least two parts")
    except NotAHost as error:
        raise ConfigError(
            f"The network rule {text!r} cannot be used: {error}; write a host, `*.` and a host, or `host:port`."
        ) from None
    return HostRule(name, WEB_PORTS if port is None else (port,), below)


def parse_host(text: str, default_port: int | None = None) -> Host:
    """`host:port` as a program asks for it. Raises NotAHost."""
    name, port = _split(text)
    if port is None and default_port is None:
        raise NotAHost("the port is missing")
    return Host(name, port or default_port or 0)


def rule_for(host: Host, rules: Iterable[HostRule]) -> HostRule | None:
    return next((rule for rule in rules if rule.covers(host)), None)


def is_public(address: Address) -> bool:
    """Whether an address belongs to the open internet, and to nothing that another address hides in."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return is_public(address.ipv4_mapped)
        if address.is_site_local:
            return False
    if any(address in network for network in _NOT_PUBLIC if network.version == address.version):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _split(text: str) -> tuple[str, int | None]:
    if text.startswith("["):
        inner, bracket, rest = text[1:].partition("]")
        if not bracket or ":" not in inner:
            raise NotAHost("the brackets hold no IPv6 address")
        name = _normal(inner)
        colon, port = rest[:1], rest[1:]
        if rest and colon != ":":
            raise NotAHost("something stands behind the brackets")
    else:
        host, colon, port = text.partition(":")
        name = _normal(host)
    if not colon:
        return name, None
    if not _PORT.fullmatch(port) or int(port) > 65535:
        raise NotAHost("the port is not a number from 1 to 65535")
    return name, int(port)


def _normal(host: str) -> str:
    if ":" in host:
        try:
            address = ipaddress.IPv6Address(host)
        except ValueError:
            raise NotAHost("it is not an IPv6 address") from None
        if address.scope_id is not None:
            raise NotAHost("an address with a zone is not reachable from elsewhere")
        return str(address)
    name = host.lower().removesuffix(".") if host.isascii() else ""
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise NotAHost("it is not a host name")
    if _NUMERIC.fullmatch(labels[-1]) and _address(host) is None:
        raise NotAHost("it is not the usual spelling of an address")
    return name


def _address(name: str) -> Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _to_ascii(text: str) -> str:
    if text.isascii():
        return text
    try:
        encoded = text.encode("idna").decode("ascii")
        if encoded.encode("ascii").decode("idna") == text.lower():
            return encoded
    except UnicodeError:
        pass
    raise NotAHost("its letters have no single xn-- form")
