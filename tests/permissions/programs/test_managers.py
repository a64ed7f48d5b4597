"""Package managers: spellings, classes, scripts and options that redirect."""

from __future__ import annotations

import pytest

from ralph.permissions.model import ApprovalClass
from tests.permissions.programs.lines import shown, use_of, verdict

DEPENDENCY = (
    "npm install x, npm i, npm add x, npm in x, npm isntall x, npm unins x, npm un x, npm rm x, npm r x, npm up,"
    " npm udpate, npm ci, npm clean-install, npm cit, npm it, npm ddp, npm ln, npm shrinkwrap, npm audit fix"
    " --force, npm pkg set dependencies.x=1, npm --loglevel silent i x, pnpm add x, pnpm i, pnpm up, yarn, yarn"
    " add x, yarn up x, yarn --frozen-lockfile, bun add x, bun i, bun remove x, uv add x, uv --project . remove x,"
    " uv sync, uv lock, uv venv, pip install x, pip3 uninstall x, poetry add x, pipenv install, pdm add x, conda"
    " install x, pipx install x, virtualenv x, cargo add x, cargo update, go get x, go mod tidy, bundle, bundle"
    " install, gem install x, composer require x, mix deps.get, dotnet add package x, python -m venv x, python -m"
    " pip install x"
)


@pytest.mark.parametrize("line", [each.strip() for each in DEPENDENCY.split(",")])
def test_dependency_changes(line: str) -> None:
    use = use_of(line)
    assert ApprovalClass.DEPENDENCY in use.classes
    assert not use.only_reads


PRODUCTION = (
    "npm publish, npm unpublish x, npm dist-tag add x, pnpm publish, yarn publish, cargo publish, gem push x, uv"
    " publish"
)


@pytest.mark.parametrize("line", PRODUCTION.split(", "))
def test_publications(line: str) -> None:
    assert ApprovalClass.PRODUCTION in use_of(line).classes


REFUSED = (
    "npm config set x y, npm set x y, npm c set x y, npm init vite, npm create vite, npm explore x -- id, npm"
    " login, npm pkg set scripts.test=x, npm pkg delete scripts.test, npm pkg set dependencies.x=1 scripts.test=x,"
    " npm test --script-shell=x, npm test --script-sh x, npm test --node-options=x, npm test --userconfig x, npm"
    " install -g x, npm i -Dg x, npm run $x, npm $x, pnpm dlx x, pnpm config set a b, yarn dlx x, yarn global add"
    " x, yarn config set a b, bun create x, bun test --preload x, npx -c id, uv tool install x, uvx x, uv run"
    " --with x y, uv run --env-file x y, uv self update, cargo --config x build, cargo install x, go test"
    " -exec=id, go build -toolexec id, apt-get install x, brew install x, corepack enable"
)


@pytest.mark.parametrize("line", [each.strip() for each in REFUSED.split(",")])
def test_what_changes_settings_scripts_or_the_machine_is_refused(line: str) -> None:
    assert use_of(line).refused


SCRIPTS = {
    "npm test -- --coverage": ("npm", "test"),
    "npm t": ("npm", "test"),
    "npm run test": ("npm", "test"),
    "npm -s run build --if-present": ("npm", "run", "build"),
    "npm rum build": ("npm", "run", "build"),
    "npm run build:evil": ("npm", "run", "build:evil"),
    "pnpm build": ("pnpm", "run", "build"),
    "yarn lint": ("yarn", "run", "lint"),
    "yarn run lint": ("yarn", "run", "lint"),
    "bun run dev": ("bun", "run", "dev"),
}


@pytest.mark.parametrize(("line", "words"), SCRIPTS.items(), ids=SCRIPTS)
def test_scripts_have_one_name(line: str, words: tuple[str, ...]) -> None:
    use = use_of(line)
    assert use.subcommand == words
    assert use.script == words[-1]
    assert not use.unknown


@pytest.mark.parametrize(
    "line", ["npm run deploy", "npm run deploy:prod", "npm run predeploy", "yarn release", "make publish"]
)
def test_scripts_that_deploy_are_production(line: str) -> None:
    assert ApprovalClass.PRODUCTION in use_of(line).classes


@pytest.mark.parametrize("line", ["npm run build", "npm run deployed-docs", "npm run released"])
def test_other_scripts_are_not(line: str) -> None:
    assert not use_of(line).classes


@pytest.mark.parametrize("line", ["npm testx", "npm te", "npm test --grep x", "pip frobnicate", "cargo foo", "uv foo"])
def test_unknown_subcommands_and_options(line: str) -> None:
    assert use_of(line).unknown


FOLDERS = {
    "npm --prefix /tmp/e test": ["/tmp/e"],
    "npm -C/tmp/e test": ["/tmp/e"],
    "npm test --prefix=/tmp/e": ["/tmp/e"],
    "npm install --prefix src x": ["src"],
    "pnpm --dir /tmp/e test": ["/tmp/e"],
    "yarn --cwd /tmp/e test": ["/tmp/e"],
    "uv --directory /tmp/e run x": ["/tmp/e"],
    "uv run --project /tmp/e x": ["/tmp/e"],
    "poetry -C /tmp/e show": ["/tmp/e"],
    "cargo -C /tmp/e build": ["/tmp/e"],
    "make -C /tmp/e": ["/tmp/e"],
}


@pytest.mark.parametrize(("line", "folders"), FOLDERS.items(), ids=FOLDERS)
def test_folders_to_work_in_are_named(line: str, folders: list[str]) -> None:
    assert shown(use_of(line).directories) == folders


READS = (
    "npm ls --depth=0, npm list, npm --version, npm explain x, npm pkg get name, pip list, pip show x, uv"
    " --version, poetry show"
)


@pytest.mark.parametrize("line", READS.split(", "))
def test_listing_only_reads(line: str) -> None:
    assert verdict(use_of(line)) == "reads"


@pytest.mark.parametrize(
    "line", ["uv tree", "uv version 2", "poetry version 2", "bundle list", "cargo tree", "pip list --log=x"]
)
def test_listing_that_may_write_or_runs_the_project_s_code_does_not(line: str) -> None:
    assert verdict(use_of(line)) != "reads"


STARTED = {
    "uv run pytest -q": ["pytest", "-q"],
    "uv run -- git push": ["git", "push"],
    "uv run --frozen --extra dev pip install x": ["pip", "install", "x"],
    "uv run -m pip install x": ["python", "-m", "pip", "install", "x"],
    "uv run a.py": ["python", "a.py"],
    "poetry run git push": ["git", "push"],
    "pnpm exec git push": ["git", "push"],
    "yarn exec git push": ["git", "push"],
    "bundle exec git push": ["git", "push"],
}


@pytest.mark.parametrize(("line", "inner"), STARTED.items(), ids=STARTED)
def test_what_a_manager_starts_is_judged(line: str, inner: list[str]) -> None:
    use = use_of(line)
    assert use.wraps
    assert [shown(each.args) for each in use.inner] == [inner]
