"""The tools that Ralph knows, by the name that a context may give."""

from __future__ import annotations

from ralph.steps.tools import eslint, golang, mypy, pyright, ruff, runners, tsc
from ralph.steps.tools.recipe import Kind, Recipe

RECIPES: dict[str, Recipe] = {
    "ruff": ruff.RECIPE,
    "eslint": eslint.RECIPE,
    "mypy": mypy.RECIPE,
    "pyright": pyright.RECIPE,
    "tsc": tsc.RECIPE,
    "pytest": runners.PYTEST,
    "vitest": runners.VITEST,
    "jest": runners.JEST,
    "go": golang.RECIPE,
}

ALIASES = {
    "basedpyright": "pyright",
    "vue-tsc": "tsc",
    "tsgo": "tsc",
    "typescript": "tsc",
    "pytest-xdist": "pytest",
    "go test": "go",
}


def recipe_for(hint: str | None) -> Recipe | None:
    """The recipe of a tool as a context names it; None for a tool that Ralph does not know."""
    name = (hint or "").strip().lower()
    return RECIPES.get(ALIASES.get(name, name))


def recipe_of_program(program: str, kind: Kind) -> Recipe | None:
    return next((recipe for recipe in RECIPES.values() if recipe.kind == kind and program in recipe.names), None)
