"""Classes of a write, by the path alone (spec: policy engine, approval classification).

`production_impacting_edits`: the built-in list, and what the policy adds in `approval.paths`; a policy cannot shorten
the list, since it would have to know it. `dependency_changes`: lock files, settings of package managers and manifests,
whose content nobody knows before it is written (see `manifests` for what really changed). Names are compared folded,
in every form of the path, and a pattern without a slash in every folder, as in `paths`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.permissions.located import Located
from ralph.permissions.manifests import is_dependency_file
from ralph.permissions.model import ApprovalClass, Permissions
from ralph.permissions.path_patterns import Components, PatternSet, components, folded, matches
from ralph.permissions.paths import denying

PRODUCTION = (
    *(".github/**", ".gitlab-ci.yml", ".gitlab/**", ".circleci/**", ".buildkite/**", "azure-pipelines*.yml"),
    *("bitbucket-pipelines.yml", "Jenkinsfile*", "infra/**", "infrastructure/**", "deploy/**", "deployment/**"),
    *("terraform/**", "*.tf", "*.tfvars", "k8s/**", "kubernetes/**", "helm/**", "charts/**", "ansible/**"),
    *("Dockerfile*", "*.dockerfile", "Containerfile*", "docker-compose*.yml", "docker-compose*.yaml", "compose.yml"),
    *("compose.yaml", "migrations/**", "db/migrate/**", "prisma/migrations/**", "alembic/versions/**", "Procfile"),
    *("fly.toml", "vercel.json", "netlify.toml", "render.yaml", "serverless.yml", "skaffold.yaml", ".env.production*"),
)


def classes_of_write(located: Located, permissions: Permissions) -> frozenset[ApprovalClass]:
    """The classes that writing or deleting this path belongs to, whether or not the policy asks about them."""
    forms = located.folded_forms
    found = set(configured_classes(located, permissions))
    if any(_production(form) for form in forms):
        found.add(ApprovalClass.PRODUCTION)
    if any(is_dependency_file(form) for form in forms):
        found.add(ApprovalClass.DEPENDENCY)
    return frozenset(found)


def configured_classes(located: Located, permissions: Permissions) -> frozenset[ApprovalClass]:
    """The classes for which the policy itself names this path, in `approval.paths`.

    Who names a path there wants to be asked about it: it need not stand in `files.allowWrite` as well.
    """
    rules = permissions.approval.paths.items()
    return frozenset(name for name, patterns in rules if matches_rule(patterns, located.folded_forms))


def classes_of_path(path: str, permissions: Permissions) -> frozenset[ApprovalClass]:
    """The classes of a path of a tree, without a place to look it up in."""
    form = components(folded(path))
    rules = permissions.approval.paths.items()
    found = {name for name, patterns in rules if matches_rule(patterns, [form])}
    return frozenset(found | ({ApprovalClass.PRODUCTION} if _production(form) else set()))


def matches_rule(patterns: Iterable[str], forms: Iterable[Components]) -> bool:
    forms = tuple(forms)
    return any(matches(denying(pattern), form, below=True) for pattern in patterns for form in forms)


_PRODUCTION = PatternSet(denying(pattern) for pattern in PRODUCTION)


def _production(form: Components) -> bool:
    return _PRODUCTION.covers(form, below=True)
