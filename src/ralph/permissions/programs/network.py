"""Programs that talk to other machines: known, never harmless, and refused where they carry a shell or a way in.

Rules: whether there is a network at all is the sandbox's matter; here a name lookup counts as talking, because it
carries data out. Files that are written or sent are named. Spec: policy engine; research A.1 (CVE-2025-55284).
"""

from __future__ import annotations

from ralph.permissions.programs.answers import refused_programs
from ralph.permissions.programs.arguments import sort_words, table
from ralph.permissions.programs.model import Arg, Call, Reader, Use
from ralph.record import replace

REMOTE_SHELL = "runs commands on another machine or copies files there"
RAW = "opens connections of any kind, also for a shell"
LOOKUP = "sends what it is given to name servers"
MAIL = "sends mail"

CURL = table(
    flags="-s --silent -S --show-error -f --fail --fail-with-body -L --location -k --insecure -v --verbose -i --include"
    " -I --head -G --get -N --no-buffer -n --netrc -g --globoff -0 -1 -2 -3 -4 -6 --http1.1 --http2 --http3"
    " --compressed -#"
    " --progress-bar -V --version -h --help --ipv4 --ipv6 --tlsv1.2 --tlsv1.3 --ssl-reqd --raw -q --disable"
    " -j -l -a -B -p"
    " -Z --parallel --create-dirs --no-progress-meter --anyauth --basic --digest --path-as-is --location-trusted",
    values="-X --request -H --header -d --data --data-ascii --data-binary --data-raw --data-urlencode --json"
    " -F --form -A"
    " --user-agent -e --referer -u --user -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -w"
    " --write-out -b --cookie -r --range -x --proxy -y -Y -z -C -P -Q -t -U --url --url-query --resolve --max-redirs"
    " --limit-rate --proto --proto-redir --interface --noproxy --form-string -K --config --engine --unix-socket"
    " --abstract-unix-socket --proxy-header --variable --aws-sigv4 --oauth2-bearer",
    reads="-T --upload-file -E --cert --key --cacert --netrc-file",
    writes="-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts"
    " --alt-svc --output-dir",
    refused={
        "-K --config": "reads further options from a file",
        "--engine": "loads code",
        "--unix-socket --abstract-unix-socket": "talks to a service of the machine",
        "-O --remote-name --remote-name-all -J --remote-header-name": "writes a file that the other side may name",
    },
)
WGET = table(
    flags="-q --quiet -v --verbose -nv --no-verbose -c --continue -N --timestamping -S --server-response -4"
    " -6 -r --recursive"
    " -np --no-parent -nc --no-clobber -nd -k -p -m -x -b -d -h --help -V --version --spider --no-check-certificate"
    " --show-progress --https-only -E -H -K -L -F",
    values="-t --tries -T --timeout -w --wait -l --level -A --accept -R --reject -D --domains -U --user-agent --header"
    " --post-data --method --body-data --user --password --referer -Q --quota -B --base -e --execute"
    " --config --cut-dirs",
    reads="-i --input-file --post-file --body-file --load-cookies --certificate --private-key --ca-certificate",
    writes="-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --warc-file"
    " --hsts-file --rejected-log",
    refused={
        "-e --execute": "gives a setting that may run programs",
        "--config": "reads further options from a file",
        "--use-askpass": "runs a program",
    },
)
CARRY_FILES = (
    "-d --data --data-ascii --data-binary --data-urlencode --json -F --form -H --header --url-query -b --variable"
)


def curl(call: Call) -> Use:
    """`curl`: nothing is written without an option; what is sent may come out of files (`-d @file`)."""
    words = sort_words(call.args, CURL)
    sent = [
        each.behind(each.text.index("@") + 1)
        for each in words.values(*CARRY_FILES.split())
        if each.text and "@" in each.text
    ]
    local = [arg.behind(len("file://")) for arg in words.operands if arg.starts("file://")]
    written = tuple(arg for arg in words.writes if arg.text != "-")
    return replace(words.use(), subcommand=("curl",), reads=(*words.reads, *sent, *local), writes=written)


def wget(call: Call) -> Use:
    """`wget`: writes into the working folder unless told otherwise."""
    words = sort_words(call.args, WGET)
    written = tuple(arg for arg in words.writes if arg.text != "-")
    if not words.has("-O", "--output-document", "-P", "--directory-prefix") and words.operands:
        written = (*written, Arg(".", words.operands[0].span))
    return replace(words.use(), subcommand=("wget",), writes=written)


PROGRAMS: dict[str, Reader] = {
    "curl": curl,
    "wget": wget,
    "wget2": wget,
    **refused_programs(
        [
            (
                "ssh scp sftp rsh rcp rlogin rexec mosh autossh sshpass ssh-add ssh-agent ssh-copy-id sshfs",
                REMOTE_SHELL,
            ),
            (
                "ftp lftp ncftp tftp telnet rclone croc magic-wormhole wormhole ngrok cloudflared localtunnel",
                REMOTE_SHELL,
            ),
            ("nc ncat netcat nc.openbsd nc.traditional socat cryptcat nmap masscan hping3 tcpdump tshark", RAW),
            ("ping ping6 dig nslookup host drill delv resolvectl getent whois traceroute tracepath mtr arping", LOOKUP),
            ("mail mailx mutt sendmail msmtp swaks", MAIL),
            (
                "aria2c axel httpie http https xh lynx links w3m elinks websocat wscat grpcurl",
                "fetches from the network",
            ),
        ]
    ),
}
