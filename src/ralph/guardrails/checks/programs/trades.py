"""Programs of many trades that check with one of these words: contracts, data, load, infrastructure, languages."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.config.node import names

CONTRACTS: Mapping[str, Mapping[Kind, str]] = {
    "redocly": {"lint": "lint"},
    "vacuum": {"lint": "lint"},
    "oasdiff": {"lint": "breaking changelog"},
    "openapi-diff": {"lint": "--fail-on-incompatible --fail-on-changed"},
    "optic": {"lint": "diff diff-all lint"},
    "graphql-inspector": {"lint": "diff validate"},
    "graphql-eslint": {"lint": "lint"},
    "protolint": {"lint": "lint"},
    "pact-broker": {"test": "can-i-deploy"},
    "griffe": {"lint": "check"},
    "api-extractor": {"lint": "run"},
    "datacontract": {"test": "test", "lint": "lint"},
}
PROSE: Mapping[str, Mapping[Kind, str]] = {
    "sphinx-build": {"lint": "-W --fail-on-warning linkcheck", "test": "doctest"},
    "mkdocs": {"lint": "--strict -s"},
}
DATA: Mapping[str, Mapping[Kind, str]] = {
    "dbt": {"test": "test build"},
    "soda": {"test": "scan"},
    "gx": {"test": "checkpoint"},
    "great_expectations": {"test": "checkpoint"},
    "promptfoo": {"test": "eval redteam"},
    "deepeval": {"test": "test"},
    "atlas": {"lint": "lint"},
    "alembic": {"lint": "check"},
    "flyway": {"lint": "validate"},
    "liquibase": {"lint": "validate"},
    "prisma": {"lint": "validate --exit-code"},
    "drizzle-kit": {"lint": "check"},
}
LOAD: Mapping[str, Mapping[Kind, str]] = {
    "k6": {"test": "run"},
    "artillery": {"test": "run"},
    "hurl": {"test": "--test"},
    "bru": {"test": "run"},
    "lhci": {"test": "autorun assert"},
    "loki": {"test": "test"},
    "backstop": {"test": "test"},
    "percy": {"test": "exec"},
}
INFRASTRUCTURE: Mapping[str, Mapping[Kind, str]] = {
    "packer": {"lint": "validate fmt"},
    "ct": {"lint": "lint lint-and-install", "test": "install"},
    "kube-score": {"lint": "score"},
    "kubescape": {"audit": "scan"},
    "polaris": {"audit": "audit"},
    "kyverno": {"test": "test", "lint": "apply"},
    "regal": {"lint": "lint"},
    "promtool": {"lint": "check", "test": "test"},
    "amtool": {"lint": "check-config"},
    "pluto": {"lint": "detect-files detect-helm"},
    "bearer": {"audit": "scan"},
    "cfn-guard": {"lint": "validate", "test": "test"},
    "ansible-playbook": {"lint": "--syntax-check"},
    "container-structure-test": {"test": "test"},
    "dive": {"lint": "--ci"},
    "cue": {"lint": "vet"},
    "ajv": {"lint": "validate", "test": "test"},
    "taplo": {"lint": "lint check"},
    "xmllint": {"lint": "--noout"},
    "nix-flake": {"test": "check"},
    "statix": {"lint": "check"},
    "syncpack": {"lint": "lint list-mismatches"},
    "manypkg": {"lint": "check"},
}
LANGUAGES: Mapping[str, Mapping[Kind, str]] = {
    "rebar3": {"test": "eunit ct proper", "types": "dialyzer", "lint": "xref lint"},
    "gleam": {"test": "test"},
    "crystal": {"test": "spec"},
    "nimble": {"test": "test"},
    "dune": {"test": "test runtest", "build": "build"},
    "raco": {"test": "test"},
    "nargo": {"test": "test"},
    "anchor": {"test": "test"},
    "scarb": {"test": "test"},
    "stack": {"test": "test"},
    "cabal": {"test": "test", "lint": "check"},
    "R": {"test": "check"},
    "opam": {"lint": "lint"},
    "cljfmt": {"lint": "check"},
    "verilator": {"lint": "--lint-only"},
}
SUBCOMMANDS_OF_OTHERS: dict[str, dict[str, Kind]] = {
    program: {word: kind for kind, words in kinds.items() for word in names(words)}
    for table in (CONTRACTS, PROSE, DATA, LOAD, INFRASTRUCTURE, LANGUAGES)
    for program, kinds in table.items()
}
