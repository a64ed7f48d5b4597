"""Templates: everything that is put into one is escaped, and a name that is missing is an error, never nothing."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ralph.web.shown import line
from ralph.web.site import Site

PAGES = (
    ("", "Runs"),
    ("approvals", "Approvals"),
    ("claims", "Claims"),
    ("policies", "Policies"),
    ("permissions", "Permissions"),
    ("audit", "Audit"),
    ("fleet", "Fleet"),
)


class Renderer:
    """The templates of one dashboard."""

    def __init__(self, site: Site) -> None:
        self._environment = Environment(
            loader=PackageLoader("ralph.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals |= {
            "at": site.secret.place,
            "form_secret": site.secret.form,
            "pages": PAGES,
            "project": line(site.root.name, 60),
        }

    def page(self, template: str, here: str, **values: Any) -> str:
        """A page; `here` is the entry of the navigation that it belongs to."""
        return self._environment.get_template(template).render(here=here, **values)

    def part(self, template: str, **values: Any) -> str:
        """A part of a page, for who has the page already."""
        return self._environment.get_template(template).render(**values)
