"""The tools whose configuration is compared: the table of contents."""

from __future__ import annotations

from ralph.guardrails.config.tool import Tool
from ralph.guardrails.config.tools.audits import AUDITS
from ralph.guardrails.config.tools.biome import BIOME
from ralph.guardrails.config.tools.budgets import BUDGETS
from ralph.guardrails.config.tools.bundlers import BUNDLERS
from ralph.guardrails.config.tools.by_words import BY_WORDS
from ralph.guardrails.config.tools.c_assertions import C_ASSERTIONS
from ralph.guardrails.config.tools.checkers import CHECKERS
from ralph.guardrails.config.tools.clusters import CLUSTERS
from ralph.guardrails.config.tools.collecting import COLLECTING
from ralph.guardrails.config.tools.compiled import COMPILED
from ralph.guardrails.config.tools.compose import COMPOSE
from ralph.guardrails.config.tools.contracts import CONTRACTS
from ralph.guardrails.config.tools.cpp_warnings import CPP_WARNINGS
from ralph.guardrails.config.tools.dotnet import DOTNET
from ralph.guardrails.config.tools.elixir import ELIXIR
from ralph.guardrails.config.tools.end_to_end import END_TO_END
from ralph.guardrails.config.tools.eslint import ESLINT
from ralph.guardrails.config.tools.hosted import HOSTED
from ralph.guardrails.config.tools.house_rules import HOUSE_RULES
from ralph.guardrails.config.tools.jacoco import JACOCO
from ralph.guardrails.config.tools.jvm_tests import JVM_TESTS
from ralph.guardrails.config.tools.karma import KARMA
from ralph.guardrails.config.tools.line_files import LINE_FILES
from ralph.guardrails.config.tools.linters import LINTERS
from ralph.guardrails.config.tools.measures import MEASURES
from ralph.guardrails.config.tools.monorepos import MONOREPOS
from ralph.guardrails.config.tools.more_runners import MORE_RUNNERS
from ralph.guardrails.config.tools.mutants import MUTATIONS
from ralph.guardrails.config.tools.mypy import MYPY, ZUBAN
from ralph.guardrails.config.tools.node_linters import NODE_LINTERS
from ralph.guardrails.config.tools.node_projects import NODE_PROJECTS
from ralph.guardrails.config.tools.node_workspace import NODE_WORKSPACE
from ralph.guardrails.config.tools.other_languages import OTHER_LANGUAGES
from ralph.guardrails.config.tools.overcommit import OVERCOMMIT
from ralph.guardrails.config.tools.pages import PAGES
from ralph.guardrails.config.tools.pictures import PICTURES
from ralph.guardrails.config.tools.plain import PLAIN
from ralph.guardrails.config.tools.precommit import PRE_COMMIT
from ralph.guardrails.config.tools.python import PYTHON
from ralph.guardrails.config.tools.python_tools import PYTHON_TOOLS
from ralph.guardrails.config.tools.releases import RELEASES
from ralph.guardrails.config.tools.ruff import FLAKE8, RUFF
from ralph.guardrails.config.tools.runners import RUNNERS
from ralph.guardrails.config.tools.services import SERVICES
from ralph.guardrails.config.tools.simplecov import SIMPLECOV
from ralph.guardrails.config.tools.tsconfig import TSCONFIG
from ralph.guardrails.config.tools.web import WEB
from ralph.guardrails.config.tools.xml_rules import XML_RULES

TOOLS: tuple[Tool, ...] = (
    *(MYPY, ZUBAN, *CHECKERS, RUFF, FLAKE8, *PYTHON, *PYTHON_TOOLS),
    *(
        TSCONFIG,
        ESLINT,
        *WEB,
        BIOME,
        *LINTERS,
        *PLAIN,
        *BUDGETS,
        *BUNDLERS,
        *NODE_LINTERS,
        *NODE_PROJECTS,
        *NODE_WORKSPACE,
    ),
    *(*COMPILED, C_ASSERTIONS, CPP_WARNINGS, *DOTNET, JACOCO, SIMPLECOV, *SERVICES, PRE_COMMIT, OVERCOMMIT),
    *(*RUNNERS, *PICTURES, KARMA, *COLLECTING, *JVM_TESTS, *MORE_RUNNERS, *BY_WORDS, *ELIXIR),
    *(
        *CONTRACTS,
        *AUDITS,
        *CLUSTERS,
        *PAGES,
        *HOSTED,
        *MEASURES,
        *OTHER_LANGUAGES,
        *MONOREPOS,
        *MUTATIONS,
        COMPOSE,
        XML_RULES,
        *END_TO_END,
        *HOUSE_RULES,
        *LINE_FILES,
        *RELEASES,
    ),
)
