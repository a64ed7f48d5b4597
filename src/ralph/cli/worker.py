"""`ralph worker`: takes jobs from a queue and does them, until it is told to end."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ralph.cli.options import directory_option

queue_option = click.option(
    "--queue",
    "queue_address",
    metavar="URL",
    help="The queue: sqlite:////PATH or postgresql://USER@HOST/DATABASE; RALPH_QUEUE keeps a password out of sight.",
)


@click.command()
@click.option(
    "--concurrency", type=click.IntRange(1, 1000), metavar="N", help="Do up to N jobs at once [half of the cores]."
)
@click.option(
    "--per-repository",
    type=click.IntRange(1, 1000),
    default=2,
    metavar="N",
    help="Of one repository the whole fleet does up to N jobs at once [2]; the newest worker's word counts.",
)
@queue_option
@click.option(
    "--beat",
    "beat_s",
    type=click.FloatRange(0.1, 60),
    default=5.0,
    metavar="S",
    help="Be heard of every S seconds [5].",
)
@click.option(
    "--dead-after",
    "dead_after_s",
    type=click.FloatRange(1, 3600),
    default=30.0,
    metavar="S",
    help="Give workers up that were not heard of for S seconds [30]; the same for all workers.",
)
@click.option(
    "--poll", "poll_s", type=click.FloatRange(0.02, 60), default=0.5, metavar="S", help="Ask for jobs every S s [0.5]."
)
@click.option(
    "--keep-days",
    type=click.FloatRange(0),
    default=30.0,
    metavar="N",
    help="Remove mirrors of repositories that no job used for N days [30]; what is asked for again is fetched again.",
)
@click.option(
    "--keep-gb",
    type=click.FloatRange(0),
    default=20.0,
    metavar="N",
    help="Remove those unused for longest while all mirrors together exceed N gigabytes [20]; never one in use.",
)
@directory_option
def worker(
    concurrency: int | None,
    per_repository: int,
    queue_address: str | None,
    beat_s: float,
    dead_after_s: float,
    poll_s: float,
    keep_days: float,
    keep_gb: float,
    directory: Path,
) -> int:
    """Take verifications and runs from the queue, and do them in working copies of this worker's own.

    Without a queue that is named, one is made on this machine; `ralph submit` finds it by itself. Ctrl-C ends the
    worker: what it had under way begins again elsewhere, a run goes on where it was.
    """
    from ralph.fleet import address, home, opening, parts
    from ralph.system.text import visible

    parts.loaded()  # before what needs it is loaded: a missing package is one sentence
    from ralph.fleet.mirrors import Bounds
    from ralph.fleet.worker import Settings, Worker

    named = address.chosen(queue_address, os.environ, opening.configured(directory)) or address.default()
    settings = Settings(
        address=named,
        concurrency=concurrency or max(1, (os.cpu_count() or 2) // 2),
        per_repository=per_repository,
        beat_s=beat_s,
        dead_after_s=dead_after_s,
        poll_s=poll_s,
        bounds=Bounds(days=keep_days, gigabytes=keep_gb),
    )

    def say(sentence: str) -> None:
        click.echo(visible(sentence), err=True)

    say(f"Queue: {address.shown(named)}; {settings.concurrency} at once, {per_repository} of one repository.")
    code = Worker(settings, home.opened(home.place(os.environ)), say=say).run()
    os._exit(code)  # what the engine below still has under way must not be told as done
