"""Host rules and hosts: one normal form, and nothing that another program would read otherwise."""

from __future__ import annotations

import ipaddress
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import ConfigError
from ralph.permissions.sandbox.hosts import Host, HostRule, NotAHost, is_public, parse_host, parse_rule, rule_for


@pytest.mark.parametrize(
    ("rule", "means"),
    [
        pytest.param("Registry.Example.ORG", HostRule("registry.example.org", (80, 443)), id="case"),
        pytest.param("registry.example.org.", HostRule("registry.example.org", (80, 443)), id="dot at the end"),
        pytest.param("registry.example.org:8443", HostRule("registry.example.org", (8443,)), id="port"),
        pytest.param("*.example.org", HostRule("example.org", (80, 443), below=True), id="all below"),
        pytest.param("*.example.org:8080", HostRule("example.org", (8080,), below=True), id="all below, port"),
        pytest.param("bücher.example", HostRule("xn--bcher-kva.example", (80, 443)), id="letters"),
        pytest.param("127.0.0.1:3000", HostRule("127.0.0.1", (3000,)), id="address"),
        pytest.param("[2001:DB8:0::1]:80", HostRule("2001:db8::1", (80,)), id="IPv6 address"),
        pytest.param("localhost:3000", HostRule("localhost", (3000,)), id="localhost"),
    ],
)
def test_rules(rule: str, means: HostRule) -> None:
    assert parse_rule(rule) == means


@pytest.mark.parametrize(
    "rule",
    [
        *("", "*", "*.", "*.org", "*.*.org", "a.*.org", "*example.org", ".example.org", "example..org", "*.10.0.0.1"),
        *("https://example.org", "example.org/", "example.org:", "example.org:0", "example.org:65536", "example.org:٣"),
        *("example.org:080", "user@example.org", "ex ample.org", "example.org\n", "exam\0ple.org", "-a.org", "a-.org"),
        *("straße.example", "a\u200db.example", "ｅxample.org\u3002x:y", "[::1", "[::1]x", "[fe80::1%eth0]", "::1"),
        *("[127.0.0.1]", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "1.2.3.4.", "example.0x10", "a" * 64 + ".org"),
    ],
)
def test_what_is_no_rule(rule: str) -> None:
    with pytest.raises(ConfigError, match="network rule"):
        parse_rule(rule)


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        pytest.param("registry.example.org:443", True, id="named"),
        pytest.param("REGISTRY.example.org.:443", True, id="another spelling"),
        pytest.param("registry.example.org:8443", False, id="another port"),
        pytest.param("example.org:443", False, id="above"),
        pytest.param("a.registry.example.org:443", False, id="below"),
        pytest.param("registry.example.org.evil.net:443", False, id="as a prefix"),
        pytest.param("evilregistry.example.org:443", False, id="as a suffix"),
        pytest.param("a.b.example.net:80", True, id="below a star"),
        pytest.param("example.net:80", False, id="the star's own name"),
        pytest.param("badexample.net:80", False, id="not below a star"),
        pytest.param("10.0.0.7:80", True, id="address"),
        pytest.param("10.0.0.70:80", False, id="another address"),
    ],
)
def test_matching(host: str, allowed: bool) -> None:
    rules = [parse_rule(each) for each in ("registry.example.org", "*.example.net", "10.0.0.7")]
    assert (rule_for(parse_host(host), rules) is not None) == allowed


def test_no_rules_no_hosts() -> None:
    assert rule_for(Host("example.org", 443), []) is None


@pytest.mark.parametrize(
    "host",
    [
        *("example.org", "example.org:", ":443", "evil.net\0.example.org:443", "evil.net%00.example.org:443"),
        *("user@example.org:443", "example.org:443@evil.net", "example.org:443:444", "example.org:+443", "a b:443"),
        *("example.org:443\r\nHost: x", "example.org\t:443", "example.org#.evil.net:443", "a/../b:443", "a\\b:443"),
        *(
            "bücher.example:443",
            "ｅxample.org:443",
            "example。org:443",
            "..:443",
            "[::1]:443x",
            "[::1%lo]:443",
            "::1:443",
        ),
        *("127.1:443", "0x7f000001:443", "2130706433:443", "0177.0.0.1:443", "127.0.0.1.:443", "1.2.3.4.5:443"),
    ],
)
def test_what_is_no_host(host: str) -> None:
    with pytest.raises(NotAHost):
        parse_host(host)


_NEAR_HOSTS = st.text(
    st.sampled_from(string.ascii_letters + string.digits + "-_.:[]@%/\\ \0\r\n\t*#?xn。ſK"), max_size=24
)
_NORMAL_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")


@given(_NEAR_HOSTS | st.from_regex(r"[A-Za-z0-9.-]{1,20}\.?(:[0-9]{1,6})?", fullmatch=True) | st.text(max_size=12))
def test_whatever_is_accepted_has_one_normal_form(text: str) -> None:
    try:
        host = parse_host(text, 443)
    except NotAHost:
        return
    written = f"[{host.name}]:{host.port}" if ":" in host.name else f"{host.name}:{host.port}"
    assert parse_host(written) == host
    assert 0 < host.port < 65536
    if host.address is None:
        assert _NORMAL_NAME.fullmatch(host.name)
        assert host.name == text.lower().rpartition(":")[0 if ":" in text else 2].removesuffix(".")
    else:
        assert str(host.address) == host.name


@given(st.ip_addresses())
def test_every_address_is_read_as_the_library_writes_it(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    shown = f"[{address.exploded}]" if address.version == 6 else str(address)
    assert parse_host(f"{shown}:80").address == address


@pytest.mark.parametrize(
    ("address", "public"),
    [
        *(("93.184.216.34", True), ("2606:4700::1111", True), ("::ffff:93.184.216.34", True)),
        *(("127.0.0.1", False), ("127.9.9.9", False), ("0.0.0.0", False), ("10.1.2.3", False), ("172.16.0.1", False)),
        *(("192.168.1.1", False), ("169.254.169.254", False), ("100.64.0.1", False), ("224.0.0.1", False)),
        *(("255.255.255.255", False), ("240.0.0.1", False), ("::1", False), ("::", False), ("fe80::1", False)),
        *(("fc00::1", False), ("fec0::1", False), ("ff02::1", False), ("::ffff:127.0.0.1", False), ("::7f00:1", False)),
        *(("64:ff9b::7f00:1", False), ("64:ff9b:1::a00:1", False), ("2002:7f00:1::", False), ("2001:0:1::1", False)),
        *(("198.18.0.1", False), ("192.0.0.8", False), ("2001:db8::1", False)),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) == public


@pytest.mark.parametrize(
    ("rule", "address", "opens"),
    [
        ("127.0.0.1:80", "127.0.0.1", True),
        ("127.0.0.1:80", "127.0.0.2", False),
        ("localhost:80", "127.0.0.1", True),
        ("localhost:80", "::1", True),
        ("localhost:80", "10.0.0.1", False),
        ("example.org", "127.0.0.1", False),
        ("169.254.169.254", "169.254.169.254", True),
    ],
)
def test_only_a_rule_that_names_an_address_opens_a_private_one(rule: str, address: str, opens: bool) -> None:
    assert parse_rule(rule).opens(ipaddress.ip_address(address)) == opens
