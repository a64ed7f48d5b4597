"""A report path that the context names, in the project's tree: checked, moved aside, and read only if it is fresh.

Rules (design decision 2): the path stays inside the repository, also behind symlinks, and is not the repository or
its git directory. It may be a directory of XML files (Maven); then those that the run wrote are read. A path that does
not exist yet is a directory if its name has no ending.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from ralph.record import record
from ralph.steps.reports.values import ReportError
from ralph.system.process import SetAside

MAX_REPORT_BYTES = 256 << 20


@record
class NamedReport:
    """`existing` are the files that stood there before the run; none of them is evidence."""

    name: str
    path: Path
    existing: tuple[Path, ...]
    is_directory: bool

    def set_aside(self, evidence: Path) -> tuple[SetAside, ...]:
        paths = self.existing if self.is_directory else (self.path,)
        return tuple(SetAside(path=path, collect_to=self._collected(path, evidence)) for path in paths)

    def fresh(self, evidence: Path) -> list[Path]:
        """The files that the run wrote, in the evidence directory."""
        written = _xml_files(self.path) if self.path.is_dir() else []
        for path in written:
            if path not in self.existing:
                target = self._collected(path, evidence)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target, follow_symlinks=False)
        paths = {*self.existing, *written} if self.is_directory or written else {self.path}
        collected = (self._collected(path, evidence) for path in sorted(paths))
        return [path for path in collected if os.path.lexists(path)]

    def _collected(self, path: Path, evidence: Path) -> Path:
        return evidence / path.relative_to(self.path.parent)


def named_report(name: str, root: Path) -> NamedReport:
    """Check a path of the context and see what stands there. Raises ReportError with the reason for refusing it."""
    path = Path(os.path.normpath(root / name))
    whole, real = root.resolve(), path.parent.resolve()
    if Path(name).is_absolute() or not (real / path.name).is_relative_to(whole) or real / path.name == whole:
        raise ReportError(f"the report path {name!r} leaves the repository")
    if ".git" in (real / path.name).relative_to(whole).parts:
        raise ReportError(f"the report path {name!r} lies in the git directory")
    is_directory = path.is_dir() if os.path.lexists(path) else not path.suffix
    if is_directory and path.is_symlink():
        raise ReportError(f"the report path {name!r} is a link to a directory")
    existing = tuple(_xml_files(path)) if is_directory else (path,) * os.path.lexists(path)
    return NamedReport(name, path, existing, is_directory)


def contents(path: Path) -> bytes:
    """The bytes of a report. Raises ReportError when it is no plain file, or too large to be one."""
    try:
        with open(path, "rb", opener=_opener) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ReportError(f"the report {path.name} is no plain file")
            if status.st_size > MAX_REPORT_BYTES:
                raise ReportError(f"the report {path.name} is larger than {MAX_REPORT_BYTES >> 20} MiB")
            return file.read()
    except OSError as error:
        raise ReportError(f"the report {path.name} cannot be read: {error.strerror}") from None


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _xml_files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.glob("*.xml") if path.is_file() and not path.is_symlink())
