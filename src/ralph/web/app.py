"""The dashboard as an ASGI application: one table of addresses, behind the guard."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ralph.errors import RalphError, UsageError
from ralph.web.guard import METRICS, Guard
from ralph.web.pages import Pages
from ralph.web.site import Site

STATIC = Path(str(files("ralph.web"))) / "static"


def application(site: Site, port: int) -> Guard:
    """The dashboard of a site that listens on `port`."""
    pages = Pages(site)
    routes = [
        Route("/", pages.runs),
        Route("/runs/{run}", pages.run),
        Route("/runs/{run}/lines/{number:int}", pages.line),
        Route("/runs/{run}/turns/{name}", pages.turn),
        Route("/approvals", pages.approvals),
        Route("/approvals/{id}", pages.approval),
        Route("/approvals/{id}", pages.decide, methods=["POST"]),
        Route("/approvals/{id}/whole", pages.approval_whole),
        Route("/verdicts/{run}", pages.verdict),
        Route("/verdicts/{run}/replay", pages.replay, methods=["POST"]),
        Route("/verdicts/{run}/files/{name:path}", pages.evidence),
        Route("/claims", pages.claims),
        Route("/policies", pages.policies),
        Route("/permissions", pages.permissions),
        Route("/audit", pages.audit),
        Route("/fleet", pages.fleet),
        Route(METRICS, pages.metrics),
        Route("/live/runs", pages.live_runs),
        Route("/live/runs/{run}", pages.live_run),
        Route("/live/approvals", pages.live_approvals),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]

    def missing(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        sentence = "There is no such page." if status == 404 else "That cannot be done here."
        answer = pages.trouble(request, UsageError(sentence))
        answer.status_code = status
        return answer

    handlers = {RalphError: pages.trouble, OSError: pages.trouble, HTTPException: missing}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), port=port, secret=site.secret)
