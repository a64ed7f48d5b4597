"""What is told arrives once by its id: after refusals, after kill -9, whoever sends it. Real sockets and processes."""

from __future__ import annotations

import base64
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import keyring
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from ralph.config.notify import NotifyEntry
from ralph.errors import ConfigError
from ralph.notify import webhook
from ralph.notify.hidden import reveal
from ralph.notify.notices import Notice
from ralph.notify.outbox import MOST_ATTEMPTS, Outbox
from ralph.notify.post import drain
from ralph.notify.ways import deliver
from ralph.notify.webhook import NeverAgain, NotDelivered
from tests.notify.receiver import receiver

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
ENV = {"S": SECRET, "PATH": os.environ["PATH"]}
NOTICE = Notice(id="run.3.ended.0", event="ended", at="2026-01-20T10:00:00.000Z", title="A", text="b", data={"n": 1})


def hook(url: str, *, private: bool = False) -> NotifyEntry:
    return NotifyEntry(webhook=url, secret="env:S", private=private, timeout_s=5)


class Clock:
    def __init__(self) -> None:
        self.time = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.time


def test_a_receiver_that_fails_twice_gets_it_once_and_can_check_it(tmp_path: Path) -> None:
    outbox, clock = Outbox(tmp_path), Clock()
    with receiver(500, 503) as there:
        targets = {"ops": hook(there.url)}
        assert outbox.add(NOTICE, "ops", clock())
        assert not outbox.add(NOTICE, "ops", clock())
        rounds = []
        for seconds in (0, 0.5, 0.6, 0.5, 1.6, 60):
            clock.time += timedelta(seconds=seconds)
            done = drain(outbox, targets, ENV, clock)
            rounds.append((done.sent, len(there.heard)))
        assert rounds == [(0, 1), (0, 1), (0, 2), (0, 2), (1, 3), (0, 3)]  # one second, then two
        assert there.ids() == [NOTICE.id]
        assert not outbox.add(NOTICE, "ops", clock())
        for headers, body in there.heard:
            assert headers["webhook-id"] == NOTICE.id
            told = Webhook(SECRET).verify(body, headers)
            assert told == {
                "type": "ralph.ended",
                "timestamp": NOTICE.at,
                "data": {"title": "A", "text": "b", "n": 1},
            }
            with pytest.raises(WebhookVerificationError):
                Webhook(SECRET).verify(body + b" ", headers)


KILLED = """
import sys
from pathlib import Path
from ralph.notify.outbox import Outbox
from ralph.notify.post import drain
from ralph.system import clock
from tests.notify.test_sending import NOTICE, ENV, hook
outbox = Outbox(Path(sys.argv[1]))
outbox.add(NOTICE, "ops", clock.now())
drain(outbox, {"ops": hook(sys.argv[2])}, ENV, clock.now)
"""


def test_killed_while_it_sends_it_is_sent_again_under_the_same_id(tmp_path: Path) -> None:
    with receiver(500) as there:
        there.hang = threading.Event()
        line = [sys.executable, "-c", KILLED, str(tmp_path), there.url]
        child = subprocess.Popen(line, cwd=Path(__file__).parents[2], env=os.environ)
        deadline = time.monotonic() + 60
        while not there.heard and time.monotonic() < deadline:
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.wait()
        there.hang.set()
        outbox, clock = Outbox(tmp_path), Clock()
        deadline = time.monotonic() + 120
        while not there.taken and time.monotonic() < deadline:
            drain(outbox, {"ops": hook(there.url)}, ENV, clock, everything=True)
        assert {headers["webhook-id"] for headers, _ in there.heard} == {NOTICE.id} == set(there.ids())
        assert len(there.taken) == 1
        assert outbox.queue() == ([], [])


def test_one_target_that_fails_holds_up_no_other_and_gives_up_in_the_end(tmp_path: Path) -> None:
    outbox, clock = Outbox(tmp_path), Clock()
    with receiver(410) as gone, receiver() as good:
        targets = {"bad": hook("http://127.0.0.1:9/x"), "gone": hook(gone.url), "good": hook(good.url)}
        for name in (*targets, "unknown"):
            outbox.add(NOTICE, name, clock())
        first = drain(outbox, targets, ENV, clock)
        assert (first.sent, first.left, len(first.problems)) == (1, 3, 3)
        for _ in range(MOST_ATTEMPTS):
            clock.time += timedelta(hours=2)
            drain(outbox, targets, ENV, clock)
        boxes = {message.target: (box, message.attempts) for box, message in outbox.all()[0]}
        assert boxes == {
            "bad": ("failed", MOST_ATTEMPTS),
            "gone": ("failed", 1),
            "unknown": ("failed", 1),
            "good": ("sent", 0),
        }


def test_a_damaged_file_is_named_and_stops_nothing(tmp_path: Path) -> None:
    outbox, clock = Outbox(tmp_path), Clock()
    with receiver() as there:
        outbox.add(NOTICE, "ops", clock())
        (outbox.folder / "queue" / "broken~ops.json").write_text("{")
        done = drain(outbox, {"ops": hook(there.url)}, ENV, clock)
    assert (done.sent, there.ids()) == (1, [NOTICE.id])
    assert "broken~ops.json is damaged" in done.problems[0]


def test_no_secret_reaches_the_disk(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    target = NotifyEntry(webhook="env:URL", secret="env:S")
    outbox.add(NOTICE, "ops", datetime.now(UTC))
    drain(outbox, {"ops": target}, ENV | {"URL": "http://127.0.0.1:9/HUSH"}, lambda: datetime.now(UTC))
    written = b"".join(path.read_bytes() for path in outbox.folder.rglob("*") if path.is_file())
    assert b"cannot be reached" in written
    assert b"HUSH" not in written
    assert SECRET.encode() not in written


@pytest.mark.parametrize("code", [302, 400, 404, 500])
def test_only_2xx_is_taken_and_no_redirect_is_followed(tmp_path: Path, code: int) -> None:
    with receiver(code) as there, pytest.raises(NotDelivered, match=str(code)):
        webhook.send(NOTICE, hook(there.url), ENV, datetime.now(UTC))
    assert len(there.heard) == 1


def test_410_is_the_last_word() -> None:
    with receiver(410) as there, pytest.raises(NeverAgain):
        webhook.send(NOTICE, hook(there.url), ENV, datetime.now(UTC))


@pytest.mark.parametrize("host", ["10.0.0.1", "169.254.169.254", "192.168.1.1", "[fd00::1]", "0.0.0.0", "127.0.0.2"])
def test_a_private_network_is_not_told_unless_it_is_meant(host: str) -> None:
    with pytest.raises(NotDelivered, match="private network"):
        webhook.send(NOTICE, hook(f"https://{host}/x"), ENV, datetime.now(UTC))


@pytest.mark.parametrize("secret", ["", "hush", "whsec_", "whsec_!!!!", "whsec_" + base64.b64encode(b"short").decode()])
def test_a_secret_that_is_none_is_refused_without_being_shown(secret: str) -> None:
    with pytest.raises(ConfigError) as caught:
        webhook.send(NOTICE, hook("https://example.org/"), {"S": secret}, datetime.now(UTC))
    assert not secret or secret == "whsec_" or secret not in str(caught.value)


def certificate(folder: Path) -> Path:
    """A certificate of its own for localhost, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    place = folder / "localhost.pem"
    form = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    place.write_bytes(form + made.public_bytes(Encoding.PEM))
    return place


def test_https_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = certificate(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(place)
    with receiver(tls=tls) as there:
        with pytest.raises(NotDelivered, match="SSLCertVerificationError"):
            webhook.send(NOTICE, hook(there.url), ENV, datetime.now(UTC))
        monkeypatch.setenv("SSL_CERT_FILE", str(place))
        webhook.send(NOTICE, hook(there.url), ENV, datetime.now(UTC))
        assert there.ids() == [NOTICE.id]
        assert there.taken[0][0]["host"] == there.url.split("/")[2]


class Ring(KeyringBackend):
    """A keyring with one entry."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    def get_password(self, service: str, username: str) -> str | None:
        return SECRET if (service, username) == ("ralph", "ops") else None


def test_a_secret_of_the_keyring() -> None:
    before = keyring.get_keyring()
    keyring.set_keyring(Ring())
    try:
        assert reveal("keyring:ralph/ops", {}) == SECRET
        with pytest.raises(ConfigError, match="holds nothing as ralph/nobody"):
            reveal("keyring:ralph/nobody", {})
        keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
        with pytest.raises(ConfigError, match="cannot be read"):
            reveal("keyring:ralph/ops", {})
    finally:
        keyring.set_keyring(before)


def test_a_command_gets_json_and_no_shell(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "told.json"
    project.mkdir()
    target = NotifyEntry(
        command=f"{sys.executable} -c 'import sys; open(sys.argv[1],\"w\").write(sys.stdin.read())' {outside}"
    )
    deliver(NOTICE, target, project, ENV, datetime.now(UTC))
    assert json.loads(outside.read_text())["type"] == "ralph.ended"
    with pytest.raises(NotDelivered, match="exit code 1"):
        deliver(NOTICE, NotifyEntry(command="false"), project, ENV, datetime.now(UTC))
    with pytest.raises(NotDelivered, match=r"did not end within 0\.3 s"):
        deliver(NOTICE, NotifyEntry(command="sleep 60", timeout_s=0.3), project, ENV, datetime.now(UTC))
    deliver(NOTICE, NotifyEntry(command="true '; touch /nowhere'"), project, ENV, datetime.now(UTC))


def test_nothing_that_an_agent_can_write_is_run(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "bin").mkdir(parents=True)
    trap = project / "bin" / "told"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/trapped\n")
    trap.chmod(0o755)
    link = tmp_path / "link"
    link.symlink_to(trap)
    env = ENV | {"PATH": f"{project}/bin:bin:{ENV['PATH']}"}
    for line in (str(trap), "told", "bin/told", "./bin/told", f"sh {trap}", str(link), f"env X={trap} true"):
        with pytest.raises(ConfigError):
            deliver(NOTICE, NotifyEntry(command=line), project, env, datetime.now(UTC))
    with pytest.raises(NotDelivered):
        deliver(NOTICE, NotifyEntry(command="env told"), project, env, datetime.now(UTC))
    assert not (tmp_path / "trapped").exists()


@pytest.mark.filterwarnings("ignore:'imghdr':DeprecationWarning")  # of a library's own import
def test_apprise_tells_by_an_address_of_the_environment(tmp_path: Path) -> None:
    pytest.importorskip("apprise")
    with receiver(200) as there:
        address = there.url.replace("http://", "json://")
        deliver(NOTICE, NotifyEntry(apprise="env:A"), tmp_path, {"A": address}, datetime.now(UTC))
        assert json.loads(there.heard[0][1])["message"] == "b"
        there.refusals.append(500)
        with pytest.raises(NotDelivered):
            deliver(NOTICE, NotifyEntry(apprise="env:A"), tmp_path, {"A": address}, datetime.now(UTC))
    with pytest.raises(ConfigError, match="no address that apprise knows"):
        deliver(NOTICE, NotifyEntry(apprise="env:A"), tmp_path, {"A": "nonsense"}, datetime.now(UTC))
