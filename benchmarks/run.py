"""What Ralph costs: `python benchmarks/run.py [--quick] [MEASURE ...]`. Everything is compared within one run.

Prints a Markdown table. Absolute times depend on the machine; the ratios to `python -c pass` and to the plain tools
beside them are what to look at.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from pathlib import Path

from measures import (
    claims,
    controls,
    engine,
    events,
    evidence,
    fleet,
    loop,
    permissions,
    plan,
    scan_vs_semgrep,
    scanning,
    startup,
    status,
    toolbox,
    web,
)
from report import Table

MEASURES = (
    startup,
    engine,
    controls,
    scanning,
    scan_vs_semgrep,
    evidence,
    permissions,
    events,
    claims,
    plan,
    toolbox,
    status,
    loop,
    web,
    fleet,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and a tenth of the lines")
    known = {each.__name__.rpartition(".")[2]: each for each in MEASURES}
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=f"some of {', '.join(known)} [all]")
    given = parser.parse_args()
    if unknown := set(given.measures) - set(known):
        parser.error(f"there is no measure {unknown.pop()!r}")
    wanted, quick = [known[name] for name in given.measures or known], given.quick
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory(prefix="ralph-bench-") as folder:
        work = Path(folder)
        os.environ |= {"XDG_CONFIG_HOME": str(work / "config"), "XDG_CACHE_HOME": str(work / "cache")}
        table = Table()
        for each in wanted:
            each.measure(table, work, quick=quick)


if __name__ == "__main__":
    main()
