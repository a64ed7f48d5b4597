"""What other systems can watch: OpenTelemetry spans and metrics, and Prometheus' text (docs/telemetry.md)."""
