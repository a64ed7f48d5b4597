"""Keys of further services, known by a prefix of their own: see `formats` for how they are read."""

from __future__ import annotations

from typing import NamedTuple


class Service(NamedTuple):
    name: str
    words: str
    """One of them, apart by blanks, stands in every key: what the text is looked through for first."""
    expression: str


SERVICES = (
    Service("Alibaba Cloud key", "LTAI", r"LTAI[A-Za-z0-9]{20}"),
    Service("Artifactory key", "AKCp cmVmdGtu", r"(?:AKCp[A-Za-z0-9]{66,70}|cmVmdGtu[A-Za-z0-9]{56})"),
    Service("Buildkite token", "bkua_", r"bkua_[a-f0-9]{40}"),
    Service("CircleCI token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    Service("Clojars token", "CLOJARS_", r"CLOJARS_[a-z0-9]{60}"),
    Service("Cloudflare origin key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    Service("Contentful token", "CFPAT-", r"CFPAT-[\w-]{43}"),
    Service("Duffel token", "duffel_", r"duffel_live_[\w-]{43}"),
    Service("Dynatrace token", "dt0c01.", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    Service("EasyPost key", "EZAK", r"EZAK[A-Za-z0-9]{54}"),
    Service("Facebook token", "EAAC EAAM", r"EAA[MC][A-Za-z0-9]{80,}"),
    Service("Firebase server key", "APA91b", r"AAAA[\w-]{7}:APA91b[\w-]{134}"),
    Service("Flutterwave key", "FLWSECK-", r"FLWSECK-[a-f0-9]{32}-X"),
    Service("Frame.io token", "fio-u-", r"fio-u-[\w-]{64}"),
    Service("Infracost key", "ico-", r"ico-[A-Za-z0-9]{32}"),
    Service("Netlify token", "nfp_", r"nfp_[A-Za-z0-9]{36,40}"),
    Service("Notion token", "secret_", r"secret_[A-Za-z0-9]{43}"),
    Service("NuGet key", "oy2", r"oy2[a-z0-9]{43}"),
    Service("OpenShift token", "sha256~", r"sha256~[\w-]{43}"),
    Service("Prefect key", "pnu_", r"pnu_[a-z0-9]{36}"),
    Service("ReadMe key", "rdme_", r"rdme_[a-z0-9]{70}"),
    Service("Scalingo token", "tk-us-", r"tk-us-[\w-]{48}"),
    Service("Brevo key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    Service("Shippo token", "shippo_live_", r"shippo_live_[a-f0-9]{40}"),
    Service("Sourcegraph token", "sgp_", r"sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}"),
    Service("Square token", "EAAA", r"EAAA[\w-]{60}"),
    Service("Tailscale key", "tskey-", r"tskey-[a-z]+-[\w-]{20,}"),
    Service("Typeform token", "tfp_", r"tfp_[\w.=-]{59}"),
)
