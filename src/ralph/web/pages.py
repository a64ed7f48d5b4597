"""The pages, and what a person can do on them: each makes the records of its module and fills a template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from ralph.errors import RalphError, UsageError
from ralph.telemetry import prometheus
from ralph.web import feeds, forms
from ralph.web.data import approvals, audit, claims, evidence, fleet, policies, run, runs, timeline
from ralph.web.data import turn as turns
from ralph.web.live import Feed, Hub, Stream
from ralph.web.render import Renderer
from ralph.web.shown import Shown, line
from ralph.web.site import Site

Page = Callable[[Request], Response]


class Pages:
    """Pages of one dashboard. Those that are no coroutines run in a thread, so that none holds up the live ones."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._renderer = Renderer(site)
        self._hub = Hub()

    def runs(self, request: Request) -> Response:
        everything = request.query_params.get("all") == "1"
        return self._page("runs.html", "", found=runs.page(self._site, everything=everything))

    def run(self, request: Request) -> Response:
        everything = request.query_params.get("all") == "1"
        found = run.page(self._site, request.path_params["run"], everything=everything)
        return self._page("run.html", "", found=found, **feeds.used_plots(list(found.usage)))

    def metrics(self, request: Request) -> Response:
        """The figures of the project, for Prometheus."""
        return PlainTextResponse(prometheus.metrics(self._site.root), media_type=prometheus.CONTENT_TYPE)

    def line(self, request: Request) -> Response:
        folder = runs.folder_of(self._site, request.path_params["run"])
        number = request.path_params["number"]
        title, back = f"Line {number} of {folder.name}", f"/runs/{folder.name}"
        return self._whole(title, timeline.entry(folder, number), back, "")

    def turn(self, request: Request) -> Response:
        folder = runs.folder_of(self._site, request.path_params["run"])
        name = request.path_params["name"]
        return self._whole(f"Turn {line(name)}", turns.transcript(folder, name), f"/runs/{folder.name}", "")

    def approvals(self, request: Request) -> Response:
        return self._page("approvals.html", "approvals", inbox=approvals.inbox(self._site))

    def approval(self, request: Request) -> Response:
        found = approvals.page(self._site, request.path_params["id"])
        return self._page("approval.html", "approvals", found=found, trouble="", written="")

    def approval_whole(self, request: Request) -> Response:
        name = request.path_params["id"]
        return self._whole(f"Request {name}", approvals.everything(self._site, name), f"/approvals/{name}", "approvals")

    async def decide(self, request: Request) -> Response:
        fields = await forms.read(request, self._site.secret)
        return await run_in_threadpool(self._decided, request.path_params["id"], fields)

    def verdict(self, request: Request) -> Response:
        return self._page("verdict.html", "audit", found=evidence.page(self._site, request.path_params["run"]))

    async def replay(self, request: Request) -> Response:
        await forms.read(request, self._site.secret)
        name = request.path_params["run"]
        found = await run_in_threadpool(evidence.page, self._site, name, again=True)
        return self._page("verdict.html", "audit", found=found)

    def evidence(self, request: Request) -> Response:
        name, path = request.path_params["run"], request.path_params["name"]
        shown = evidence.file(self._site, name, path)
        return self._whole(str(line(path)), shown, f"/verdicts/{name}", "audit")

    def claims(self, request: Request) -> Response:
        return self._page("claims.html", "claims", found=claims.page(self._site))

    def policies(self, request: Request) -> Response:
        return self._page("policies.html", "policies", found=policies.page(request.query_params.get("version", "")))

    def permissions(self, request: Request) -> Response:
        given = request.query_params
        found = policies.permissions(self._site, given.get("kind", ""), given.get("question", ""))
        return self._page("permissions.html", "permissions", found=found)

    def audit(self, request: Request) -> Response:
        everything = request.query_params.get("all") == "1"
        return self._page("audit.html", "audit", found=audit.page(self._site, everything=everything))

    def fleet(self, request: Request) -> Response:
        return self._page("fleet.html", "fleet", found=fleet.page(self._site.fleet))

    async def live_runs(self, request: Request) -> Response:
        return self._stream(request, "runs", lambda: feeds.RunsFeed(self._site, self._renderer))

    async def live_run(self, request: Request) -> Response:
        folder = await run_in_threadpool(runs.folder_of, self._site, request.path_params["run"])
        return self._stream(request, f"run {folder.name}", lambda: feeds.RunFeed(self._site, self._renderer, folder))

    async def live_approvals(self, request: Request) -> Response:
        return self._stream(request, "approvals", lambda: feeds.InboxFeed(self._site, self._renderer))

    def trouble(self, request: Request, error: Exception) -> Response:
        """What is wrong, as one sentence; a page where a person reads it, a line elsewhere."""
        status = 403 if isinstance(error, forms.ForeignForm) else 404 if isinstance(error, UsageError) else 409
        if "/live/" in request.url.path:
            return PlainTextResponse(f"{line(error, 1000)}\n", status)
        html = self._renderer.page("trouble.html", "", sentence=line(error, 2000))
        return HTMLResponse(html, status)

    def _decided(self, request_id: str, fields: Mapping[str, str]) -> Response:
        written = fields.get("reason", "")
        try:
            approvals.decide(self._site, request_id, fields.get("decision", ""), fields.get("seen", ""), written)
        except RalphError as error:
            found = approvals.page(self._site, request_id)
            values = {"found": found, "trouble": line(error, 1000), "written": written}
            html = self._renderer.page("approval.html", "approvals", **values)
            return HTMLResponse(html, 409)
        return RedirectResponse(f"{self._site.secret.place}/approvals/{request_id}", 303)

    def _page(self, template: str, here: str, **values: Any) -> Response:
        return HTMLResponse(self._renderer.page(template, here, **values))

    def _whole(self, title: str, shown: Shown, back: str, here: str) -> Response:
        return self._page("whole.html", here, title=title, shown=shown, back=back)

    def _stream(self, request: Request, key: str, feed: Callable[[], Feed]) -> Response:
        given = request.headers.get("last-event-id") or request.query_params.get("after", "")
        last = int(given) if given.isascii() and given.isdigit() and len(given) < 16 else 0
        return Stream(self._hub, key, feed, last)
