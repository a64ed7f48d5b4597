"""The key `telemetry` of `ralph.yml`: where spans and metrics go (`ralph.telemetry`)."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from ralph.record import record


@record(kw_only=True)
class TelemetryEntry:
    """`endpoint` is a collector that speaks OTLP over HTTP; without it the variables of OpenTelemetry count."""

    endpoint: str | None = None
    """The `http(s)` address of a collector that speaks OTLP; never with a password or a query."""


def problems(entry: TelemetryEntry) -> Iterator[str]:
    """What is wrong with it, without what may be secret."""
    if entry.endpoint is None:
        return
    try:
        parts = urlsplit(entry.endpoint)
        _ = parts.port
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and entry.endpoint.isprintable()
        hidden = "@" in parts.netloc or bool(parts.query)
    except ValueError:
        good, hidden = False, False
    if not good:
        yield "'telemetry.endpoint' must be the http(s) address of a collector, such as http://localhost:4318."
    elif hidden:
        way_out = "set OTEL_EXPORTER_OTLP_HEADERS where Ralph is started"
        yield f"'telemetry.endpoint' holds a password or a query, which may be secret; {way_out}."
