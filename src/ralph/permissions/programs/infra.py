"""Programs that change machines, clusters, clouds and databases.

Rules: what changes remote state is `production_impacting_edits`, and what deletes there is `destructive_ops` as well.
A container that is started or entered runs code past the sandbox, so it is refused. Asking commands are known and no
more than that: they use the network and the person's account. Spec: policy engine; research B.4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ralph.permissions.model import ApprovalClass
from ralph.permissions.programs.answers import refused_programs
from ralph.permissions.programs.model import Call, Reader, Use
from ralph.record import field, record, replace

PRODUCTION = frozenset({ApprovalClass.PRODUCTION})
DESTRUCTIVE = frozenset({ApprovalClass.DESTRUCTIVE})
CONTAINER = "runs code outside the sandbox, with the rights of the container service"
DELETING = frozenset(
    [
        "delete",
        "rm",
        "rmi",
        "remove",
        "destroy",
        "prune",
        "uninstall",
        "drop",
        "terminate",
        "drain",
        "down",
        "rb",
        "purge",
        "undeploy",
        "kill",
    ]
)
SQL_DESTROYS = re.compile(
    r"\b(drop\s+(table|database|schema|index|view|column)|truncate|delete\s+from)\b", re.IGNORECASE
)


@record(kw_only=True)
class Remote:
    """Known by its words that are no options: any of `asks` first means that nothing is changed."""

    asks: frozenset[str]
    refused: Mapping[str, str] = field(default_factory=dict)
    always: frozenset[ApprovalClass] = PRODUCTION

    def __call__(self, call: Call) -> Use:
        words = tuple(arg.text for arg in call.args if arg.text is not None and not arg.text.startswith("-"))
        subcommand = (call.name, *words[:3])
        why = next((self.refused[word] for word in words[:3] if word in self.refused), None)
        if why is not None:
            return Use(subcommand=subcommand, classes=self.always, refused=f"`{call.name} {words[0]}` {why}")
        if any(arg.text is None and arg.may_be_option() for arg in call.args[:2]):
            return Use(subcommand=subcommand, classes=self.always, unknown="its subcommand is known only at run time")
        if not words or words[0] in self.asks or self._asks_of(words):
            return Use(subcommand=subcommand)
        deletes = DESTRUCTIVE if self._deletes(words) else frozenset()
        return Use(subcommand=subcommand, classes=self.always | deletes)

    def _asks_of(self, words: tuple[str, ...]) -> bool:
        """`docker image ls`, `aws ec2 describe-instances`: the second or third word asks."""
        return any(word in ASKING or word.startswith(("describe-", "list-", "get-")) for word in words[1:3])

    def _deletes(self, words: tuple[str, ...]) -> bool:
        return any(word in DELETING or word.startswith(("delete-", "terminate-", "remove-")) for word in words[:3])


ASKING = frozenset(["ls", "list", "show", "describe", "get", "inspect", "ps", "status", "history", "view"])


def _asks(text: str) -> frozenset[str]:
    return frozenset(text.split())


DOCKER = Remote(
    asks=_asks("ps images version info logs inspect top stats port diff history search events help context ls"),
    refused=dict.fromkeys(
        ("run", "exec", "create", "start", "restart", "cp", "attach", "build", "buildx", "up"), CONTAINER
    )
    | dict.fromkeys(
        ("compose", "swarm", "plugin", "save", "load", "import", "export", "commit", "login", "machine"), CONTAINER
    ),
)
KUBECTL = Remote(
    asks=_asks("get describe logs top explain version cluster-info api-resources api-versions auth diff events"),
    refused=dict.fromkeys(
        ("exec", "run", "cp", "attach", "port-forward", "proxy", "debug", "config", "edit"), CONTAINER
    ),
)


def database(call: Call) -> Use:
    """psql, mysql and the like: statements that delete are destructive; their own commands start shells."""
    texts = [arg.text for arg in call.args if arg.text is not None] + [call.stdin.text or ""]
    destroys = any(SQL_DESTROYS.search(text) for text in texts) or any(arg.text is None for arg in call.args)
    shell = any("\\!" in text or "\\copy" in text.lower() or ".shell" in text or ".system" in text for text in texts)
    classes = PRODUCTION | (DESTRUCTIVE if destroys else frozenset())
    return Use(subcommand=(call.name,), classes=classes, refused="its words start a shell" if shell else None)


def drops(call: Call) -> Use:
    return Use(subcommand=(call.name,), classes=PRODUCTION | DESTRUCTIVE)


def _deployer(asks: str) -> Reader:
    """A host's own tool; called alone it deploys, too (`vercel`)."""
    remote = Remote(asks=_asks(asks))

    def read(call: Call) -> Use:
        use = remote(call)
        shows = {arg.text for arg in call.args} & {"--version", "-v", "--help", "-h"}
        return use if len(use.subcommand) > 1 or shows else replace(use, classes=PRODUCTION)

    return read


PROGRAMS: dict[str, Reader] = {
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah", "finch"), DOCKER),
    **dict.fromkeys(("kubectl", "oc", "k"), KUBECTL),
    "helm": Remote(asks=_asks("list ls get status history show search template lint version env help verify")),
    **dict.fromkeys(
        ("terraform", "tofu", "terragrunt"),
        Remote(
            asks=_asks("validate fmt show output version providers graph plan get help"),
            refused={"console": "runs code", "login": "changes the person's account"},
        ),
    ),
    "pulumi": Remote(asks=_asks("preview about whoami version stack logs help")),
    **dict.fromkeys(
        (
            "aws",
            "gcloud",
            "gsutil",
            "bq",
            "az",
            "doctl",
            "heroku",
            "linode-cli",
            "oci",
            "ibmcloud",
            "s3cmd",
            "mc",
            "hcloud",
        ),
        Remote(
            asks=_asks("help version logs info ls"),
            refused={
                "ssm": "runs commands on another machine",
                "ssh": "runs commands on another machine",
                "run-command": "runs commands on another machine",
                "configure": "changes the person's account",
                "login": "changes the person's account",
                "auth": "shows or changes the person's account",
                "config": "shows or changes the person's account",
            },
        ),
    ),
    **dict.fromkeys(
        (
            "vercel",
            "now",
            "netlify",
            "fly",
            "flyctl",
            "firebase",
            "wrangler",
            "surge",
            "railway",
            "render",
            "eb",
            "cdk",
        ),
        _deployer("help logs status whoami inspect ls list version diff synth"),
    ),
    **dict.fromkeys(
        (
            "serverless",
            "sls",
            "sam",
            "cap",
            "ansible",
            "ansible-playbook",
            "salt",
            "chef-client",
            "puppet",
            "kustomize",
        ),
        _deployer("help info print package validate version"),
    ),
    **dict.fromkeys(
        ("argocd", "flux", "skaffold", "kn", "istioctl", "eksctl", "kops", "nomad", "vault", "consul"), KUBECTL
    ),
    "twine": Remote(asks=_asks("check help")),
    "flit": Remote(asks=_asks("build info help")),
    "goreleaser": Remote(asks=_asks("check build help healthcheck")),
    "semantic-release": drops,
    **dict.fromkeys(
        ("psql", "mysql", "mariadb", "mysqladmin", "mongo", "mongosh", "redis-cli", "cqlsh", "sqlcmd"), database
    ),
    **dict.fromkeys(("sqlite3", "sqlite", "duckdb", "clickhouse-client", "clickhouse"), database),
    **dict.fromkeys(
        ("dropdb", "dropuser", "pg_restore", "createdb", "createuser", "pg_resetwal", "mysqlimport"), drops
    ),
    **refused_programs(
        [
            ("docker-compose podman-compose vagrant multipass minikube kind k3d k3s ctr crictl runc crun", CONTAINER),
            ("qemu-system-x86_64 virsh vboxmanage VBoxManage limactl colima packer docker-machine buildctl", CONTAINER),
        ]
    ),
}
