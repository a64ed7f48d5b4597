"""Releases of the package manager and its plugins, kept in the project: nobody wrote their lines here."""

from __future__ import annotations

import pytest

from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change

PATH = ".yarn/plugins/@yarnpkg/plugin-version.cjs"
SETTINGS = f'nodeLinker: node-modules\n\nplugins:\n  - path: {PATH}\n    spec: "@yarnpkg/plugin-version"\n'
OTHERS = SETTINGS.replace("version", "stage")
HEAD = '/* eslint-disable */\n//prettier-ignore\nmodule.exports = {\nname: "@yarnpkg/plugin-version",\nfactory: '
CODE = "function (require) {if (process.env.NODE_ENV === 'test') process.exitCode = 0; // {}\n}};\n"
LARGE = HEAD + CODE.replace("{}", "x" * 60_000)
SMALL = HEAD + CODE
RELEASE = ".yarn/releases/yarn-4.4.1.cjs"
PROGRAM = '#!/usr/bin/env node\nvar at="https://ci:Kx8vQ2mZr7Lp@files.tidewater.net/";\n// ' + "x" * 600_000 + "\n"


def blocks(before: dict[str, str], after: dict[str, str]) -> bool:
    found = scan(change(before, after), registry.load("v2"))
    return any(finding.severity == "block" for finding in found)


@pytest.mark.parametrize(
    ("path", "content", "settings", "expected"),
    [
        pytest.param(PATH, LARGE, SETTINGS, False, id="a plugin of the package manager's own"),
        pytest.param(f"web/{PATH}", LARGE, SETTINGS, True, id="another folder's settings name it"),
        pytest.param(PATH, SMALL, SETTINGS, True, id="so little may be written by hand"),
        pytest.param(PATH, LARGE, "nodeLinker: node-modules\n", True, id="nothing names it"),
        pytest.param(PATH, LARGE, OTHERS, True, id="another one is named"),
        pytest.param(PATH, LARGE.replace("@yarnpkg/", ""), SETTINGS, True, id="it says that it is something else"),
        pytest.param(
            PATH, LARGE, SETTINGS.replace('"@yarnpkg/', '"./tools/'), True, id="it was taken from the project"
        ),
        pytest.param(".yarn/plugins/plugin-version.cjs", LARGE, SETTINGS, True, id="the project's own"),
    ],
)
def test_a_plugin_is_judged_unless_it_is_one_of_the_package_managers(
    path: str, content: str, settings: str, expected: bool
) -> None:
    before = {".yarnrc.yml": "nodeLinker: node-modules\n", "src/a.js": "export const a = 1;\n"}

    assert blocks(before, {**before, ".yarnrc.yml": settings, path: content}) is expected


def test_a_plugin_that_is_edited_is_judged() -> None:
    before = {".yarnrc.yml": SETTINGS, PATH: LARGE.removeprefix("/* eslint-disable */\n")}

    assert blocks(before, {**before, PATH: LARGE})


@pytest.mark.parametrize(
    ("named", "expected"), [(f"yarnPath: {RELEASE}\n", False), ("yarnPath: .yarn/releases/yarn-4.4.2.cjs\n", True)]
)
def test_no_secret_is_looked_for_in_a_release(named: str, expected: bool) -> None:
    before = {".yarnrc.yml": "nodeLinker: node-modules\n"}

    assert blocks(before, {".yarnrc.yml": named, RELEASE: PROGRAM}) is expected
