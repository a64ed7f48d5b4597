"""Keys, tokens and passwords on added lines; what only looks like them; the line that is shown."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.model import Hit
from ralph.guardrails.scan import scan
from ralph.guardrails.secrets.detect import secrets
from ralph.guardrails.secrets.find import secrets_in
from ralph.policy import registry
from tests.guardrails.memory import change, corpus
from tests.guardrails.secrets.fakes import ALNUM, HEX, KEYS, SECRET, chance, private_key


def found(after: str, path: str = "src/a.py", before: str = "") -> list[Hit]:
    return list(secrets(change({path: before}, {path: after})))


def rules(after: str, path: str = "src/a.py", before: str = "") -> list[str]:
    return [hit.rule for hit in found(after, path, before)]


@pytest.mark.parametrize(("name", "key"), KEYS.items(), ids=KEYS)
@pytest.mark.parametrize("line", ['KEY = "{}"\n', "key: {}\n", "curl -H 'X-Key: {}' x\n", '{{"a": "{}"}}\n', "# {}\n"])
def test_a_key_is_known_by_its_form(name: str, key: str, line: str) -> None:
    [hit] = found("x = 1\n" + line.format(key), before="x = 1\n")
    assert (hit.rule, hit.detail, hit.line) == ("secret.key", name, 2)
    assert f"[redacted: {name}]" in hit.snippet
    assert key not in hit.snippet + hit.key


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_in_a_test_or_the_documentation_a_person_looks(key: str) -> None:
    for path in (
        "tests/test_a.py",
        "docs/usage.md",
        "examples/a.py",
        "README.md",
        "src/a.test.ts",
        "config/app.example",
    ):
        assert rules(f'KEY = "{key}"\n', path) == ["secret.in-sample"]


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_that_moves_or_goes_is_no_news(key: str) -> None:
    line = f'KEY = "{key}"\n'
    assert rules(f"x = 1\n{line}", before=f"{line}x = 1\n") == []
    assert rules(f"    {line}", before=line) == []
    assert rules("", before=line) == []
    assert list(secrets(change({"a.py": line}, {"b.py": line}))) == []
    assert len(list(secrets(change({"a.py": line}, {"b.py": line + line.lower() + line})))) >= 1


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("end", ["\n", "\\n", "\r\n"])
def test_a_private_key_is_found_as_a_whole(kind: str, end: str) -> None:
    key = private_key(kind, end)
    text = f'{{"private_key": "{key}"}}\n' if end == "\\n" else f"{key}\n"
    [hit] = found(text, "deploy/a.json")
    assert hit.rule == "secret.private-key"
    assert chance(64, f"{ALNUM}+/", 3) not in hit.snippet


@pytest.mark.parametrize(
    "line",
    [
        f'password = "{SECRET}"',
        f'API_KEY = "{SECRET}"',
        f'client_secret: "{SECRET}"',
        f"const authToken: string = '{SECRET}';",
        f'var token = "{chance(40, HEX)}"',
        f'"apiKey": "{SECRET}",',
        f'{{\\"apiKey\\": \\"{SECRET}\\"}}',
        f'os.environ["SECRET_KEY"] = "{SECRET}"',
        f'String dbPassword = "{SECRET}";',
        f"secret := `{SECRET}`",
        f'headers = {{"Authorization": "Bearer {SECRET}"}}',
        f'url = "postgres://app:{chance(20)}@db.prod.company.io:5432/app"',
        f"DATABASE_URL=mysql://app:{chance(20)}@10.0.0.7/app",
        f'aws_secret_access_key = "{chance(40, ALNUM + "/+")}"',
        f"AccountKey={chance(86, ALNUM + '+/')}==;EndpointSuffix=core",
    ],
)
def test_a_password_is_known_by_its_name(line: str) -> None:
    [rule] = rules(line + "\n")
    assert rule in ("secret.password", "secret.key")
    assert rules(line + "\n", "tests/test_a.py") == ["secret.in-sample"]


@pytest.mark.parametrize(
    "line",
    [
        f"TOKEN={SECRET}",
        'db_password = "kT9!rrW2qz"',
        'PASSWORD = "Winter2025!"',
        'u = "ftp://joe:sunshine@files.company.io/a"',
    ],
)
def test_what_only_may_be_one_is_shown(line: str) -> None:
    assert rules(line + "\n", "deploy/prod.env") == ["secret.possible"]
    assert rules(line + "\n", "tests/data.env") == []


EXAMPLE = "EXAM" + "PLE"
INNOCENT = (
    f'key = "{"AK" + "IA"}IOSFODNN7{EXAMPLE}"',
    f'secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY{EXAMPLE}KEY"',
    'password = "changeme"',
    'password = "your-password-here"',
    'password: "${DB_PASSWORD}"',
    'password = os.environ["DB_PASSWORD"]',
    "token = request.headers.get('X-Token')",
    "token = generate_token(user, expires=3600)",
    'secret_key = "{{ vault.secret_key }}"',
    'TOKEN_URL = "https://auth.company.io/oauth/token/v2"',
    'password_field = "user_password_input_2"',
    "secretName: my-service-credentials-v2",
    "max_tokens = 4096",
    'tokenizer = "bert-base-uncased-finetuned-v2"',
    'api_key = "xxxxxxxxxxxxxxxxxxxxxxxx"',
    'api_key = "0123456789abcdef0123456789abcdef"',
    'auth_token = "<token>"',
    "token: $" + "{{ secrets.GITHUB_TOKEN }}",
    'password = "correct horse battery staple"',
    'url = "postgres://user:password@localhost:5432/app"',
    'url = "postgres://postgres:postgres@db:5432/app"',
    'url = f"https://{user}:{password}@company.io/"',
    'url = "https://user:pass@example.com/"',
    "git clone https://x-access-token:${TOKEN}@github.com/a/b",
    'password_hash = "$2b$12$' + chance(53) + '"',
    'integrity: "sha512-' + chance(86) + '=="',
    'commit = "' + chance(40, HEX) + '"',
    'id: "5f0c3a1e-8d52-4c4e-9b52-0d3c6a7f1e11"',
    'css = ".token.punctuation { color: red; }"',
    'const passwordPattern = "^(?=.*[A-Z])(?=.*\\\\d).{8,}$"',
    'key = "-----BEGIN PRIVATE ' + 'KEY-----"',
    'if "-----BEGIN RSA PRIVATE ' + 'KEY-----" in text:',
    'xoxb = "xo' + 'xb-your-token-here"',
    'sort_key = "created_at_2024_descending"',
    "secret = self.config.secret.value_of_this",
    '"@types/jsonwebtoken": "^9.0.1",',
    'token = "' + "a" * 40 + '"',
)


@pytest.mark.parametrize("line", INNOCENT)
@pytest.mark.parametrize("path", ["src/a.py", "deploy/a.yaml"])
def test_what_only_looks_like_a_secret_says_nothing(line: str, path: str) -> None:
    assert rules(line + "\n", path) == []


def test_checksums_of_lock_files_are_no_secrets() -> None:
    assert rules(f'"token": "{SECRET}"\n', "package-lock.json") == []
    assert rules(f'"token": "{KEYS["npm token"]}"\n', "package-lock.json") == ["secret.key"]


def test_no_recorded_case_of_another_kind_holds_a_secret() -> None:
    assert [case["id"] for case in corpus() if list(secrets(change(case["before"], case["after"])))] == []


def test_a_finding_of_another_rule_does_not_show_a_secret_either() -> None:
    key = KEYS["GitHub token"]
    findings = scan(change({}, {"src/a.py": f'K = "{key}"  # noqa\n'}), registry.load("v2"))
    assert {"py.noqa", "secret.key"} <= {each.rule for each in findings}
    assert all(key not in f"{each.snippet} {each.reason}" for each in findings)


@pytest.mark.parametrize("before", [150, 170, 190, 4000])
def test_half_a_secret_at_the_end_of_what_is_shown_is_not_shown_either(before: int) -> None:
    key = KEYS["GitHub token"]
    findings = scan(change({}, {"src/a.py": f'K = "{"x" * before} {key}"  # noqa\n'}), registry.load("v2"))
    assert {"py.noqa", "secret.key"} <= {each.rule for each in findings}
    assert all(key[:12] not in each.snippet and len(each.snippet) <= 200 for each in findings)


@pytest.mark.parametrize("before", [0, 30, 60, 75, 90, 100])
def test_nor_is_half_a_secret_at_the_end_of_what_a_reason_tells_of_a_text(before: int) -> None:
    """The condition of a job, of which the first characters are told."""
    key = KEYS["GitHub token"]
    job = "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n{}    steps:\n      - run: pytest\n"
    condition = f"    if: github.ref == '{'x' * before} {key}'\n"
    sides = [{".github/workflows/ci.yml": job.format(line)} for line in ("", condition)]
    reasons = [each.reason for each in scan(change(*sides), registry.load("v2")) if "only if" in each.reason]
    assert reasons, "the condition is told of"
    assert all(key[:8] not in each for each in reasons)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_can_be_looked_at(data: bytes) -> None:
    for each in secrets_in(data):
        assert 0 <= each.start < each.end <= len(data)


@settings(max_examples=50, deadline=None)
@given(st.binary(min_size=24, max_size=60))
def test_chance_under_a_telling_name_is_found(data: bytes) -> None:
    value = base64.b64encode(data).decode().rstrip("=")
    assert secrets_in(f'secret = "{value}"'.encode()) is not None
