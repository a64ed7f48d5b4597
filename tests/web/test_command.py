"""`ralph web` as people start it: what it prints, what it leaves, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("uvicorn")

from tests.cli.command import ralph, refused
from tests.web.sites import project


@contextmanager
def started(root: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process, and its first words."""
    line = [sys.executable, "-m", "ralph", "web", "-C", str(root), *options]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            told = process.stdout.readline()
            while "--json" in options and not told.endswith("}\n"):
                told += process.stdout.readline()
            yield process, told
        finally:
            process.kill()


def opened(url: str) -> str:
    """What a browser sees there."""
    keeping = urllib.request.HTTPCookieProcessor(CookieJar())
    with urllib.request.build_opener(keeping).open(url, timeout=120) as answer:
        return str(answer.read().decode())


def test_the_printed_address_opens_the_dashboard(tmp_path: Path) -> None:
    root = project(tmp_path / "p")
    with started(root, "--json") as (process, told):
        document = json.loads(told)
        url, kept = document["url"], Path(document["token_file"])
        assert urlsplit(url).hostname == "127.0.0.1"
        assert "Nothing ran here yet" in opened(url)
        assert "Nothing ran here yet" in opened(url), "another browser of the same person may come in as well"
        token = kept.read_text().strip()
        assert url.endswith(f"?token={token}")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        environment = (
            Path(f"/proc/{process.pid}/environ").read_bytes() + Path(f"/proc/{process.pid}/cmdline").read_bytes()
        )
        assert token.encode() not in environment
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    assert token not in err
    assert process.returncode in (0, 130)
    assert not kept.exists()
    assert token not in "".join(path.read_text("latin-1") for path in root.rglob("*") if path.is_file())


def test_it_is_told_to_people_in_a_sentence(tmp_path: Path) -> None:
    with started(project(tmp_path / "p")) as (_, told):
        assert told.startswith("The dashboard of p: http://127.0.0.1:")


def test_it_ends_although_a_browser_watches(tmp_path: Path) -> None:
    with started(project(tmp_path / "p"), "--json") as (process, told):
        url = json.loads(told)["url"]
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with opener.open(url, timeout=120) as answer:
            place = answer.geturl()
        with opener.open(f"{place}live/runs", timeout=120) as stream:
            assert stream.readline()
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=120)
    assert "Traceback" not in err


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    root = project(tmp_path / "p")
    with started(root, "--json") as (_, told):
        port = urlsplit(json.loads(told)["url"]).port
        refused(ralph("web", "-C", root, "--port", str(port)), str(port), "--port")


@pytest.mark.parametrize("mark", ["CLAUDECODE", "RALPH_AGENT", "RALPH_SANDBOX"])
def test_an_agent_starts_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
    monkeypatch.setenv(mark, "1")
    refused(ralph("web", "-C", project(tmp_path / "p")), "Only a person", mark)


def test_without_a_repository(tmp_path: Path) -> None:
    refused(ralph("web", "-C", tmp_path), "repository")


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "jinja2"])
def test_a_missing_extra_is_one_sentence(tmp_path: Path, missing: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from ralph.cli.main import main\n"
        f"main(['web', '-C', {str(project(tmp_path / 'p'))!r}])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert "pip install 'ralph-governance[web]'" in done.stderr


def test_the_rest_of_ralph_does_not_load_it() -> None:
    program = (
        "import sys; from ralph.cli.main import run; run(['--help'])\n"
        "sys.exit(any(name.split('.')[0] in ('starlette', 'uvicorn', 'jinja2') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False, env=os.environ)
    assert done.returncode == 0


def test_what_belongs_to_it_is_in_the_package() -> None:
    from importlib.resources import files

    place = files("ralph.web")
    for name in ("static/ralph.css", "static/ralph.js", "static/theme.js", "templates/base.html"):
        assert (place / name).is_file()


def test_its_files_load_nothing_from_elsewhere() -> None:
    from importlib.resources import files

    for folder in ("static", "templates"):
        for each in (files("ralph.web") / folder).iterdir():
            text = each.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in text, each.name
            assert "https://" not in text, each.name
            assert "eval(" not in text, each.name
            if each.name.endswith(".html"):
                assert "|safe" not in text.replace(" ", ""), each.name
                assert "autoescape" not in text, each.name
