"""One JSON request to a code host's API.

Rules: https only, but for a host on loopback; no redirect is followed, because it would carry the token elsewhere; an
answer has a limit of time and length; an error names the request and the host's own words, never the token.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import ralph
from ralph.errors import RalphError, UsageError
from ralph.record import field, record
from ralph.system.text import visible

TIMEOUT_S = 20.0
LONGEST_ANSWER = 8 << 20
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class HostError(RalphError):
    """A code host did not take what it was told."""


@record(kw_only=True)
class Api:
    """An API below `url`, with the headers that say who asks."""

    url: str
    headers: Mapping[str, str] = field(repr=False)

    def get(self, path: str) -> Any:
        """The answer to a question. Raises HostError and UsageError."""
        return self._ask("GET", path, None)

    def send(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        """The answer to an order. Raises HostError and UsageError."""
        return self._ask(method, path, body)

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        place = urlsplit(self.url)
        what = f"{method} {self.url}{path}"
        connection = _connection(place.scheme, place.hostname or "", place.port)
        headers = {"User-Agent": f"ralph/{ralph.__version__}", "Accept": "application/json", **self.headers}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, f"{place.path}{path}", data, headers)
            answer = connection.getresponse()
            text = answer.read(LONGEST_ANSWER)
        except (OSError, http.client.HTTPException) as error:
            raise HostError(f"{what} failed: {str(error) or type(error).__name__}.") from None
        finally:
            connection.close()
        if not 200 <= answer.status < 300:
            raise HostError(f"{what} was answered {answer.status}: {visible(text[:300].decode('utf-8', 'replace'))}.")
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise HostError(f"{what} was answered with something that is no JSON.") from None


def _connection(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=TIMEOUT_S)
    if scheme == "http" and host in LOOPBACK:
        return http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    raise UsageError(f"The API at {scheme}://{host} is not asked: a token goes through https only.")
