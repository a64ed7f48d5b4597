"""`python -m tools.dist`: builds the packages, proves that anybody would build the same, and installs what was built.

1. Wheel and source archive are built twice: here, and from a copy at another place, with other times, other rights and
   another umask; and the wheel once more from the source archive. All must be the same, byte for byte.
2. The wheel goes into an empty environment, with nothing but the pinned packages of `requirements/run.txt`. There
   `ralph` must start, with no more modules than are promised, and say what to install when it is asked for what an
   extra brings.
3. With what `ralph demo` needs besides (`requirements/demo.txt`), the whole demonstration runs there.

What a start takes is nearly all the loading of modules. How many there are is the same on every machine, so that is
what is asked; the time stands beside it, next to that of `python -c pass` in the same minute.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
TIMES = 20
MOST_MODULES = 180
"""So many modules may be loaded by what a person or an agent waits for, Python's own included: 150 are, and any of the
larger libraries would bring dozens."""
EXTRAS = {"mcp": ("mcp",), "web": ("web",), "fleet": ("worker",)}
"""An extra, and a command that cannot do without."""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="ralph-dist-") as scratch:
        work = Path(scratch)
        wheel = build_twice(work)
        environment = Environment(work)
        environment.install("--no-deps", "--require-hashes", "--requirement", ROOT / "requirements" / "run.txt")
        environment.install("--no-deps", wheel)
        environment.pip("check")
        check_start(environment)
        check_extras(environment)
        environment.install("--no-deps", "--require-hashes", "--requirement", ROOT / "requirements" / "demo.txt")
        check_demo(environment, work / "demo")
    return 0


def build_twice(work: Path) -> Path:
    """Gives the wheel in `dist/`. Exits if the two builds differ."""
    shutil.rmtree(DIST, ignore_errors=True)
    copy = work / "copy"
    for file in files():
        target = copy / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, target)
        target.chmod(0o700 if os.access(ROOT / file, os.X_OK) else 0o600)
        os.utime(target, (0, 1_000_000_000))
    first = build(ROOT, DIST, umask=0o022)
    wheel, archive = (next(path for path in first.values() if path.suffix == kind) for kind in (".whl", ".gz"))
    compare(first, build(copy, work / "second", umask=0o077))
    shutil.unpack_archive(archive, work / "unpacked")
    (unpacked,) = (work / "unpacked").iterdir()
    compare({wheel.name: wheel}, build(unpacked, work / "third", "--target", "wheel", umask=0o022))
    return wheel


def compare(first: Mapping[str, Path], second: Mapping[str, Path]) -> None:
    """Exits if what was built differs."""
    if first.keys() != second.keys():
        raise SystemExit(f"The builds made {sorted(first)} and {sorted(second)}.")
    for name, path in first.items():
        one, other = digest(path), digest(second[name])
        if one != other:
            raise SystemExit(f"{name} differs between two builds:\n{differences(path, second[name])}")
        say(f"{name}: the same twice, sha256 {one}")


def files() -> list[str]:
    """Everything of the project, committed or not, that git does not ignore."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    return [each for each in listed.split("\0") if each and (ROOT / each).is_file()]


def build(source: Path, target: Path, *options: str, umask: int) -> dict[str, Path]:
    environ = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    run(sys.executable, "-m", "hatchling", "build", "-d", str(target), *options, cwd=source, umask=umask, env=environ)
    return {path.name: path for path in sorted(target.iterdir())}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def differences(one: Path, other: Path) -> str:
    """Which members of two wheels differ."""
    if one.suffix != ".whl":
        return "compare them with `diffoscope`."
    with zipfile.ZipFile(one) as first, zipfile.ZipFile(other) as second:
        members = {**{each.filename: each for each in first.infolist()}}
        others = {each.filename: each for each in second.infolist()}
        names = [name for name in members.keys() | others.keys() if _facts(members, name) != _facts(others, name)]
    return "\n".join(sorted(names)) or "only their order."


def _facts(members: dict[str, zipfile.ZipInfo], name: str) -> tuple[object, ...]:
    found = members.get(name)
    return (found.CRC, found.date_time, found.external_attr) if found else ()


class Environment:
    """An environment with Python and pip alone, and an empty project."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.bin = work / "environment" / "bin"
        self.project = work / "project"
        run(sys.executable, "-m", "venv", str(work / "environment"))
        run("git", "init", "--quiet", str(self.project))

    def pip(self, *arguments: str | Path) -> None:
        """With this person's settings, who may have a package index of their own."""
        command = (str(self.bin / "python"), "-m", "pip", "--disable-pip-version-check", *map(str, arguments))
        theirs = {key: value for key, value in os.environ.items() if key in ("HOME", "XDG_CONFIG_HOME")}
        home = theirs.get("HOME", str(Path.home()))
        run(*command, cwd=self.work, env={**self.environ(), "XDG_CONFIG_HOME": f"{home}/.config", **theirs})

    def install(self, *arguments: str | Path) -> None:
        self.pip("install", "--quiet", *arguments)

    def ralph(self, *arguments: str, quiet: bool = False) -> None:
        """In the project."""
        command: list[str | Path] = [self.bin / "ralph", *arguments]
        subprocess.run(command, cwd=self.project, env=self.environ(), check=True, capture_output=quiet)

    def environ(self) -> dict[str, str]:
        """A home of its own, and nothing of this repository's environment."""
        left = ("PYTHON", "VIRTUAL_ENV", "XDG_DATA", "XDG_STATE", "XDG_CACHE")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(left)}
        home = self.work / "home"
        home.mkdir(exist_ok=True)
        path = f"{self.bin}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return {**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "PATH": path}


def check_demo(environment: Environment, place: Path) -> None:
    """Exits if the demonstration does not end with evidence that holds."""
    command = (str(environment.bin / "ralph"), "demo", str(place), "--json")
    said = json.loads(run(*command, cwd=environment.project, env=environment.environ()))
    if (said["outcome"], said["evidence_holds"], said["directory"]) != ("passed", True, str(place)):
        raise SystemExit(f"The demonstration ended otherwise: {said}")
    if len(said["verdicts"]) != len(set(said["verdicts"])):
        raise SystemExit(f"The demonstration counted a verdict twice: {said}")
    say(f"ralph demo in an empty environment: {said['outcome']}, with {len(said['verdicts'])} verdicts")


def check_start(environment: Environment) -> None:
    """The fastest of several, in turns: whatever else the machine does, it slows all of them down."""
    asked = governed(environment)
    commands: dict[str, tuple[list[str | Path], bytes]] = {
        "python -c pass": ([environment.bin / "python", "-c", "pass"], b""),
        "ralph --help": ([environment.bin / "ralph", "--help"], b""),
        "ralph verify --help": ([environment.bin / "ralph", "verify", "--help"], b""),
        "ralph hook claude": ([environment.bin / "ralph", "hook", "claude"], asked),
    }
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(TIMES):
        for name, (command, given) in commands.items():
            begun = time.perf_counter()
            subprocess.run(
                command,
                cwd=environment.project,
                env=environment.environ(),
                input=given,
                check=True,
                capture_output=True,
            )
            best[name] = min(best[name], time.perf_counter() - begun)
    bare = best["python -c pass"]
    for name, (command, given) in commands.items():
        modules = _modules(environment, command, given)
        taken = f"{best[name] * 1000:.0f} ms, {best[name] / bare:.1f} times `python -c pass`"
        say(f"{name}: {len(modules)} modules, {taken}")
        if len(modules) > MOST_MODULES:
            raise SystemExit(f"`{name}` loads {len(modules)} modules; at most {MOST_MODULES} are promised: {modules}")


def _modules(environment: Environment, command: list[str | Path], given: bytes) -> list[str]:
    """What a command loads, as Python tells it."""
    told = subprocess.run(
        command,
        cwd=environment.project,
        env={**environment.environ(), "PYTHONPROFILEIMPORTTIME": "1"},
        input=given,
        check=True,
        capture_output=True,
    ).stderr.decode()
    lines = (line for line in told.splitlines() if line.startswith("import time:") and not line.endswith("package"))
    return sorted({line.rpartition("|")[2].strip() for line in lines})


def governed(environment: Environment) -> bytes:
    """Makes a project with an accepted policy; what a client asks there, and is allowed."""
    project = environment.project
    (project / "src").mkdir()
    (project / "src" / "a.py").write_text("a = 1\n")
    environment.ralph("init", "--json", quiet=True)
    environment.ralph("init", "--accept", "--json", quiet=True)
    call = {"tool_name": "Read", "tool_input": {"file_path": "src/a.py"}}
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(project), **call}
    return json.dumps(event).encode()


def check_extras(environment: Environment) -> None:
    """Without an extra, what needs it is one sentence with the command."""
    for extra, command in EXTRAS.items():
        ended = subprocess.run(
            [environment.bin / "ralph", *command],
            cwd=environment.project,
            env=environment.environ(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        said = ended.stderr.splitlines()
        if ended.returncode != 3 or len(said) != 1 or f"pip install 'ralph-governance[{extra}]'" not in said[0]:
            raise SystemExit(f"`ralph {' '.join(command)}` without {extra} says ({ended.returncode}): {ended.stderr}")
        say(said[0])


def run(
    *command: str,
    cwd: Path | None = None,
    umask: int = -1,
    env: dict[str, str] | None = None,
) -> str:
    """The output of a command that succeeds. Exits with what it wrote if it does not."""
    ended = subprocess.run(command, cwd=cwd, umask=umask, env=env, capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    raise SystemExit(main())
