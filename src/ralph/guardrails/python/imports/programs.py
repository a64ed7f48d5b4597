"""Whether Python code starts programs that may be the project's own, and whether it may ask one that runs elsewhere.

A test may start what everybody has (`git`, `tar`). Of what product code starts, only Python and the project's own
programs count: what others do does not change with the product. A test asks a server where it uses a client by itself
and answers nothing in its place, or where it says an address and what it tests can ask one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ralph.guardrails.python.claims import source_of
from ralph.system.patterns import later

STARTS = later(
    r"(?:subprocess|sp)\.(?:run|Popen|call|check_call|check_output|getoutput|getstatusoutput)|Popen|check_call|check_output"
    r"|os\.(?:system|popen|exec\w+|spawn\w+|posix_spawn\w*|fork)|(?:asyncio\.)?create_subprocess_\w+"
    r"|(?:anyio|trio)\.(?:run_process|open_process)|pexpect\.\w+|pty\.\w+"
)
MAY_START = later(rb"\b(?:subprocess|Popen|check_call|check_output|os|create_subprocess_\w+|\w+_process|pexpect|pty)\b")
COMMON = later(
    r"(?:.*/)?(?:git|hg|svn|tar|unzip|zip|gzip|ls|cat|cp|mv|rm|mkdir|ln|touch|chmod|echo|true|false|sleep|kill|ps|which|uname"
    r"|hostname|openssl|ssh-keygen|gpg|gcc|cc|clang|diff|patch|find|grep|sed|sort|wc|df|du|mount|umount|id|whoami|stty|tput)"
)
ITSELF = later(rb"\bsys\s*\.\s*executable\b|[\"']python[\d.]*[\"'\s]")
"""It starts Python: perhaps the project's own."""
CLIENTS = later(
    r"requests|httpx|aiohttp|urllib3|websockets?|selenium|playwright|splinter|helium|grpc|paramiko|docker|testcontainers"
    r"|redis|psycopg2?|pymysql|pymongo|kafka|pika|zmq|telnetlib|ftplib|xmlrpc|pexpect|sh|plumbum|socket|ssl|smtplib"
    r"|pycurl|treq|boto3|asyncpg|aiomysql|motor|nats|paho|thrift|zeep|suds|hvac|kubernetes|elasticsearch"
)
"""With these a program that runs elsewhere is asked."""
ASKS = later(
    rb"\burlopen\b|\burllib\.request\b|\bhttp\.client\b|\bopen_connection\b|\bcreate_connection\b|\bconnect_tcp\b"
)
ANSWERED = later(
    rb"\b(?:ASGITransport|WSGITransport|MockTransport|TestClient|AsyncioTestClient|requests_mock|responses|respx|aioresponses"
    rb"|httpretty|vcr|httpserver|fakeredis|moto|mock_aws|aiohttp_client|test_utils|pytest_httpx|httpx_mock)\b"
)
"""Something of the test answers in place of a server."""
ADDRESSES = later(
    rb"\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|(?:environ|getenv)[^\n]*(?:URL|HOST|PORT|ENDPOINT|ADDR|SERVER)"
)
RUNNERS = later(r"pytester|testdir|script_runner|xprocess|live_server|docker_\w+|page|browser|driver|notebook_\w*")
"""Fixtures that run something else."""


def starts_unknown(nodes: Iterable[ast.AST], data: bytes) -> bool:
    """It starts a program that not everybody has."""
    return MAY_START.search(data) is not None and any(COMMON.fullmatch(each) is None for each in _programs(nodes))


def starts_own(nodes: Iterable[ast.AST], data: bytes, own: frozenset[str]) -> bool:
    """It starts Python, or a program of the project."""
    programs = list(_programs(nodes)) if MAY_START.search(data) is not None else []
    return bool(programs) and (ITSELF.search(data) is not None or not own.isdisjoint(programs))


def runs_something(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A test or a fixture that asks for a fixture that does."""
    felt = function.name.startswith("test") or any("fixture" in source_of(each) for each in function.decorator_list)
    return felt and any(RUNNERS.fullmatch(each.arg) for each in function.args.args)


def _programs(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names of what is started, which are empty where nobody can tell."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            if STARTS.fullmatch(source_of(node.func)):
                yield _first_word(node.args[0] if node.args else None)
        elif isinstance(node, ast.ImportFrom) and node.module == "subprocess":
            yield from ("" for each in node.names if each.name in ("run", "call", "getoutput", "getstatusoutput"))


def _first_word(told: ast.expr | None) -> str:
    match told:
        case ast.Constant(value=str() as text):
            return text.strip().partition(" ")[0]
        case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
            return _first_word(first)
        case ast.JoinedStr(values=[ast.Constant(value=str() as text), *_]) if " " in text:
            return text.strip().partition(" ")[0]
    return ""
