"""Which variables may be set: a variable can change which program runs, or what it runs besides.

Rules: what is exported, or set for one command, must be on the list of harmless ones. A plain shell variable is
harmless, as every use of it makes a word dynamic, unless the shell itself or the environment it was started with
gives the name a meaning. Spec: policy engine; research A.4 step 3, A.1 (CVE-2026-22708).
"""

from __future__ import annotations

import re

HARMLESS = frozenset(
    (
        *("CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS", "TERM", "COLORTERM", "COLUMNS"),
        *("LINES", "LANG", "LANGUAGE", "TZ", "NODE_ENV", "UV_OFFLINE", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"),
        *("PYTHONHASHSEED", "PYTHONUTF8", "RUST_BACKTRACE", "SOURCE_DATE_EPOCH", "DEBUG", "VERBOSE"),
    )
)
HARMLESS_PREFIX = "LC_"
SPECIAL = frozenset(
    (
        *("PATH", "IFS", "ENV", "HOME", "CDPATH", "FPATH", "MANPATH", "SHELL", "SHELLOPTS", "TMPDIR", "TMP", "TEMP"),
        *("PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT", "PROMPT_COMMAND", "PROMPT_DIRTRIM", "GLOBIGNORE", "GLOBSORT"),
        *("POSIXLY_CORRECT", "FIGNORE", "EXECIGNORE", "FCEDIT", "MAIL", "MAILPATH", "MAILCHECK", "OPTIND", "OPTARG"),
        *("OPTERR", "PWD", "OLDPWD", "DIRSTACK", "TIMEFORMAT", "TMOUT", "INPUTRC", "HOSTFILE", "LOGNAME", "USER"),
        *("PAGER", "EDITOR", "VISUAL", "BROWSER", "NODE_OPTIONS", "FUNCNEST", "EUID", "UID", "PPID", "GROUPS"),
        *("FUNCNAME", "HISTFILE", "HISTSIZE", "HISTCONTROL", "HISTFILESIZE", "HISTIGNORE", "histchars"),
    )
)
SPECIAL_PREFIXES = ("LD_", "DYLD_", "BASH", "COMP_", "READLINE_", "GCONV_", "MALLOC_", "GLIBC_", "XDG_", "PERL", "RUBY")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def assignment_hazard(name: str, *, exported: bool = True) -> str | None:
    """Why the variable may not be set, as a clause; None if it may. `exported`: programs will see it."""
    if not NAME.fullmatch(name):
        return f"{name} is no plain variable"
    if name in SPECIAL or name.startswith(SPECIAL_PREFIXES):
        return f"{name} changes what the shell and its programs run or read"
    if not exported or name in HARMLESS or name.startswith(HARMLESS_PREFIX):
        return None
    return f"{name} is not on the list of variables that change no program's work"
