"""`python -m tools.dist`: builds the packages, proves that anybody would build the same, and installs what was built.

1. Wheel and source archive are built twice: here, and from a copy at another place, with other times, other rights and
   another umask. Both must be the same, byte for byte.
2. The wheel goes into an empty environment, with nothing but the pinned packages of `requirements/run.txt`. `ralph` must
   start there, as fast as is promised, and say what to install when it is asked for what an extra brings.
3. With what `ralph demo` needs besides (`requirements/demo.txt`), the whole demonstration runs there.

Times are compared with `python -c pass` of the same environment in the same minute, as machines differ.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
TIMES = 20
MOST = 6.0
"""`ralph --help` may take so many times what Python itself takes: 120 ms where that takes 20."""
EXTRAS = {"mcp": ("mcp",), "web": ("web",), "fleet": ("worker",)}
"""An extra, and a command that cannot do without."""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="ralph-dist-") as scratch:
        work = Path(scratch)
        wheel = build_twice(work)
        environment = Environment(work)
        environment.pip("--require-hashes", "--requirement", ROOT / "requirements" / "run.txt")
        environment.pip("--no-deps", wheel)
        environment.python("-m", "pip", "check")
        check_start(environment)
        check_extras(environment)
        environment.pip("--require-hashes", "--requirement", ROOT / "requirements" / "demo.txt")
        environment.ralph("demo", str(work / "demo"))
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
    second = build(copy, work / "second", umask=0o077)
    if first.keys() != second.keys() or len(first) != 2:
        raise SystemExit(f"The builds made {sorted(first)} and {sorted(second)}.")
    for name, path in first.items():
        one, other = digest(path), digest(second[name])
        if one != other:
            raise SystemExit(f"{name} differs between two builds:\n{differences(path, second[name])}")
        say(f"{name}: twice sha256 {one}")
    return next(path for path in first.values() if path.suffix == ".whl")


def files() -> list[str]:
    """Everything of the project, committed or not, that git does not ignore."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    return [each for each in listed.split("\0") if each and (ROOT / each).is_file()]


def build(source: Path, target: Path, *, umask: int) -> dict[str, Path]:
    environ = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    run(sys.executable, "-m", "hatchling", "build", "-d", str(target), cwd=source, umask=umask, env=environ)
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
    """An environment with Python and pip alone."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.bin = work / "environment" / "bin"
        run(sys.executable, "-m", "venv", str(work / "environment"))

    def python(self, *arguments: str) -> str:
        return run(str(self.bin / "python"), *arguments, cwd=self.work, env=self.environ())

    def pip(self, *arguments: str | Path) -> None:
        self.python("-m", "pip", "--disable-pip-version-check", "install", "--quiet", *map(str, arguments))

    def ralph(self, *arguments: str) -> None:
        """For a person to see."""
        subprocess.run([self.bin / "ralph", *arguments], cwd=self.work, env=self.environ(), check=True)

    def environ(self) -> dict[str, str]:
        """A home of its own, and nothing of this repository's environment."""
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV", "XDG_"))
        }
        home = self.work / "home"
        home.mkdir(exist_ok=True)
        return {**kept, "HOME": str(home), "PATH": f"{self.bin}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}


def check_start(environment: Environment) -> None:
    """The fastest of several, in turns: whatever else the machine does, it slows both down."""
    bare, ours = [str(environment.bin / "python"), "-c", "pass"], [str(environment.bin / "ralph"), "--help"]
    taken = fastest((bare, ours), environment)
    ratio = taken[1] / taken[0]
    say(f"ralph --help: {taken[1] * 1000:.0f} ms, python -c pass: {taken[0] * 1000:.0f} ms, ratio {ratio:.1f}")
    if ratio > MOST:
        raise SystemExit(f"`ralph --help` takes {ratio:.1f} times what Python takes; at most {MOST} is promised.")


def fastest(commands: Sequence[Sequence[str]], environment: Environment) -> list[float]:
    best = [float("inf")] * len(commands)
    for _ in range(TIMES):
        for number, command in enumerate(commands):
            begun = time.perf_counter()
            subprocess.run(command, cwd=environment.work, env=environment.environ(), check=True, capture_output=True)
            best[number] = min(best[number], time.perf_counter() - begun)
    return best


def check_extras(environment: Environment) -> None:
    """Without an extra, what needs it is one sentence with the command."""
    project = environment.work / "empty"
    run("git", "init", "--quiet", str(project))
    for extra, command in EXTRAS.items():
        ended = subprocess.run(
            [environment.bin / "ralph", *command],
            cwd=project,
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
