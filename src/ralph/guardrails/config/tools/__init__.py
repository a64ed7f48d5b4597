"""The tools whose configuration is compared: the table of contents."""

from __future__ import annotations

from ralph.guardrails.config.tool import Tool
from ralph.guardrails.config.tools.biome import BIOME
from ralph.guardrails.config.tools.budgets import BUDGETS
from ralph.guardrails.config.tools.c_assertions import C_ASSERTIONS
from ralph.guardrails.config.tools.collecting import COLLECTING
from ralph.guardrails.config.tools.compiled import COMPILED
from ralph.guardrails.config.tools.cpp_warnings import CPP_WARNINGS
from ralph.guardrails.config.tools.dotnet import DOTNET
from ralph.guardrails.config.tools.eslint import ESLINT
from ralph.guardrails.config.tools.jacoco import JACOCO
from ralph.guardrails.config.tools.jvm_tests import JVM_TESTS
from ralph.guardrails.config.tools.karma import KARMA
from ralph.guardrails.config.tools.linters import LINTERS
from ralph.guardrails.config.tools.mypy import MYPY
from ralph.guardrails.config.tools.plain import PLAIN
from ralph.guardrails.config.tools.precommit import PRE_COMMIT
from ralph.guardrails.config.tools.python import PYTHON
from ralph.guardrails.config.tools.ruff import FLAKE8, RUFF
from ralph.guardrails.config.tools.runners import RUNNERS
from ralph.guardrails.config.tools.services import SERVICES
from ralph.guardrails.config.tools.simplecov import SIMPLECOV
from ralph.guardrails.config.tools.tsconfig import TSCONFIG
from ralph.guardrails.config.tools.web import WEB

TOOLS: tuple[Tool, ...] = (
    *(MYPY, RUFF, FLAKE8, *PYTHON),
    *(TSCONFIG, ESLINT, *WEB, BIOME, *LINTERS, *PLAIN, *BUDGETS),
    *(*COMPILED, C_ASSERTIONS, CPP_WARNINGS, *DOTNET, JACOCO, SIMPLECOV, *SERVICES, PRE_COMMIT),
    *(*RUNNERS, KARMA, *COLLECTING, *JVM_TESTS),
)
