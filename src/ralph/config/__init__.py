"""What `ralph.yml` says: how a project is worked on. Never how it is judged: that is policy's and contracts'."""

from ralph.config.loader import CONFIG_FILE, from_repository, parse_config, read_config
from ralph.config.schema import Config, EventLoop, HatEntry

__all__ = ["CONFIG_FILE", "Config", "EventLoop", "HatEntry", "from_repository", "parse_config", "read_config"]
