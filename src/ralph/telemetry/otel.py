"""Sends spans and metrics by OTLP over HTTP, if somebody asked for it; the one place that loads OpenTelemetry.

Rules: off unless `OTEL_EXPORTER_OTLP_ENDPOINT` (or that of traces) is set, or `ralph.yml` names a collector;
`OTEL_SDK_DISABLED=true` counts before both. Sending happens beside the run, drops what a collector does not take, and
at the end gets a few seconds. No provider is made global, and the library writes nothing to the terminal. A missing
package is an error where `ralph.yml` asks for it; variables are often there for others, and then it is only told.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import ralph
from ralph import config as configs
from ralph.errors import MissingToolError
from ralph.loop.runner import Runner
from ralph.record import replace
from ralph.system.extras import needed
from ralph.telemetry.spans import Spans

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider

VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
TIMEOUT_S = 5.0


@contextmanager
def observed(runner: Runner, environ: Mapping[str, str], warn: Callable[[str], None]) -> Iterator[None]:
    """Tell a collector of the run at work. Raises ConfigError, and MissingToolError where ralph.yml asks for it."""
    site = runner.site
    config = configs.from_repository(site.repo, runner.journal.state.base, site.accepted).config
    endpoint = config.telemetry.endpoint
    wanted = endpoint is not None or any(environ.get(each) for each in VARIABLES)
    if not wanted or environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        yield
        return
    try:
        tracing, metering = providers(endpoint if not any(environ.get(each) for each in VARIABLES) else None)
    except MissingToolError as error:
        if endpoint is not None:
            raise
        warn(str(error))
        yield
        return
    meter = metering.get_meter("ralph", ralph.__version__)
    spans = Spans(site.view, tracing.get_tracer("ralph", ralph.__version__), meter, runner.journal.state)
    runner.site = replace(site, view=spans)
    try:
        yield
    finally:
        spans.end()
        _close(tracing, metering)


def providers(endpoint: str | None) -> tuple[TracerProvider, MeterProvider]:
    """What sends; `endpoint` None: as OpenTelemetry's own variables say. Raises MissingToolError."""
    with needed("Telemetry", "otel"):
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL + 1)
    resource = Resource.create({"service.name": "ralph", "service.version": ralph.__version__})
    base = endpoint.rstrip("/") if endpoint else None
    traces = OTLPSpanExporter(endpoint=f"{base}/v1/traces" if base else None, timeout=TIMEOUT_S)
    metrics = OTLPMetricExporter(endpoint=f"{base}/v1/metrics" if base else None, timeout=TIMEOUT_S)
    tracing = TracerProvider(resource=resource, shutdown_on_exit=False)
    tracing.add_span_processor(BatchSpanProcessor(traces))
    reader = PeriodicExportingMetricReader(metrics, export_timeout_millis=TIMEOUT_S * 1000)
    return tracing, MeterProvider(metric_readers=[reader], resource=resource, shutdown_on_exit=False)


def _close(tracing: TracerProvider, metering: MeterProvider) -> None:
    """Send what is left, for a few seconds; a collector that hangs holds nobody up."""

    def close() -> None:
        tracing.shutdown()
        metering.shutdown(timeout_millis=TIMEOUT_S * 1000)

    last = threading.Thread(target=close, name="telemetry", daemon=True)
    last.start()
    with suppress(KeyboardInterrupt):  # the run is over, and its exit code stays
        last.join(TIMEOUT_S)
