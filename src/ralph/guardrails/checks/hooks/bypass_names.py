"""The variables that switch hooks off, or change how a checker or its language works (see `bypass`)."""

from __future__ import annotations

from ralph.guardrails.common.wanted.recorded import VARIABLES
from ralph.guardrails.config.command_files.surroundings import Form
from ralph.guardrails.config.node import names
from ralph.system.patterns import later

NO_HOOKS_IF_SET = frozenset(
    names(
        "HUSKY_SKIP_HOOKS HUSKY_SKIP_INSTALL PRE_COMMIT_ALLOW_NO_CONFIG OVERCOMMIT_DISABLE SKIP_SIMPLE_GIT_HOOKS "
        "SKIP_INSTALL_SIMPLE_GIT_HOOKS CAPTAINHOOK_SKIP_HOOKS GITHOOKS_DISABLE"
    )
)
DANGEROUS_VARIABLES = {
    "PYTEST_PLUGINS": None,
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": later(r"1|true"),
    "PYTHONOPTIMIZE": later(r"[1-9]"),
    "NODE_OPTIONS": later(
        r"(?:--(?:require|import|loader|experimental-loader)[= ]|-r\s)"
        r"(?!(?:tsx|ts-node(?:/\w+)*|ts-blank-space(?:/\w+)*|esbuild-register|@swc-node/register(?:/\w+)*)(?:[\s\"']|$))"
    ),
    "RUSTFLAGS": later(r"--cap-lints|-A\s*\w"),
    "RUBYOPT": later(r"-r"),
    "PERL5OPT": later(r"-M"),
    "JAVA_TOOL_OPTIONS": later(r"-javaagent"),
    "BASH_ENV": None,
    "LD_PRELOAD": None,
    "MYPY_FORCE_COLOR_NEVER": later(r"^$"),
}
OF_TESTS = frozenset(("PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"))
SET = Form(
    "|".join((*OF_TESTS, "RUSTFLAGS", "HUSKY", "LEFTHOOK", "SKIP", r"GIT_CONFIG_KEY_\d+", *NO_HOOKS_IF_SET, VARIABLES)),
    (
        "PYTEST_|RUSTFLAGS|HUSKY|LEFTHOOK|SKIP|GIT_CONFIG|HOOK|PRE_COMMIT|OVERCOMMIT",
        "UPDATE|REGEN|RECORD_|APPROVAL|BLESS|TRYBUILD|OVERWRITE",
    ),
)
SNAPSHOT_VARIABLES = later(VARIABLES)
"""Their values "0", "no", "false", "never" rewrite nothing."""
