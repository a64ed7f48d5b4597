"""What keys and tokens look like: one row for each format that is told by its own form.

A row has the words without which it cannot occur, the expression, and the entropy in bits per character
that its secret part, group 1 if there is one, must have. Formats are public: they are documented by who issues them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from ralph.guardrails.secrets.services import SERVICES
from ralph.record import record

Sort = Literal["key", "private-key", "password", "possible"]


@record
class Format:
    name: str
    words: tuple[bytes, ...]
    written: str
    entropy: float = 3.0
    sort: Sort = "key"

    @property
    def expression(self) -> re.Pattern[bytes]:
        """Compiled when it is first needed: there are many, and most are never."""
        return _compiled(self.written)

    @property
    def caseless(self) -> bool:
        return "(?i" in self.written


@cache
def _compiled(written: str) -> re.Pattern[bytes]:
    return re.compile(written.encode())


def _format(name: str, words: str, expression: str, entropy: float = 3.0, sort: Sort = "key") -> Format:
    return Format(name, tuple(word.encode() for word in words.split()), expression, entropy, sort)


_B = r"(?<![A-Za-z0-9_/])(?<![^\n][+-])"
"""Nothing of the same alphabet before it: a token is no piece of something longer. A diff marks lines with + and -."""

_E = r"(?![A-Za-z0-9_-])"

FORMATS: tuple[Format, ...] = (
    _format("AWS access key", "AKIA ASIA ABIA ACCA", rf"{_B}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{{16}}{_E}"),
    _format(
        "AWS secret key",
        "aws",
        r"(?i:aws[\w.-]{0,24}(?:secret|sk)[\w.-]{0,24}|secret_?access_?key)[\"']?\s{0,3}(?:=>|:="
        r"|[:=])\s{0,3}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        4.0,
    ),
    _format("Azure storage key", "accountkey=", r"(?i:AccountKey)=([A-Za-z0-9+/]{86}==)", 4.0),
    _format("Azure client secret", "8Q~", rf"{_B}[\w.~-]{{3}}8Q~[\w.~-]{{31,34}}{_E}", 3.5),
    _format("Google API key", "AIza", rf"{_B}AIza[\w-]{{35}}{_E}", 3.5),
    _format("Google OAuth token", "ya29. GOCSPX-", rf"{_B}(?:ya29\.[\w-]{{30,}}|GOCSPX-[\w-]{{28}}){_E}", 3.5),
    _format("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_B}gh[pousr]_[A-Za-z0-9]{{36,251}}{_E}", 3.5),
    _format(
        "GitHub fine-grained token", "github_pat_", rf"{_B}github_pat_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}{_E}", 3.5
    ),
    _format(
        "GitLab token",
        "glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glagent- gloas- glimt- glffct-",
        rf"{_B}gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|oas|imt|ffct)-[\w-]{{20,}}{_E}",
        3.2,
    ),
    _format("Bitbucket token", "ATBB ATCTT3", rf"{_B}(?:ATBB[A-Za-z0-9]{{32}}|ATCTT3[\w=-]{{60,}}){_E}", 3.5),
    _format("Atlassian token", "ATATT3", rf"{_B}ATATT3[\w=-]{{100,}}{_E}", 3.5),
    _format(
        "Slack token",
        "xoxb- xoxp- xoxa- xoxe- xoxo- xoxr- xoxs- xapp-",
        rf"{_B}(?:xox[abeoprs]-(?:\d+-)?[\w.-]{{20,}}|xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{{20,}}){_E}",
    ),
    _format(
        "Slack webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/([A-Z0-9]{8,}/[A-Z0-9]{8,}/[A-Za-z0-9]{20,})",
        3.5,
    ),
    _format("Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{17,20}/([\w-]{60,})", 3.5),
    _format("Telegram token", ":AA", rf"{_B}\d{{8,10}}:AA[\w-]{{33}}{_E}", 3.5),
    _format(
        "Stripe key",
        "sk_live_ rk_live_ sk_prod_ whsec_",
        rf"{_B}(?:[sr]k_(?:live|prod)_[A-Za-z0-9]{{20,}}|whsec_[A-Za-z0-9+/]{{32,}}){_E}",
    ),
    _format("Square token", "sq0atp- sq0csp-", rf"{_B}sq0(?:atp|csp)-[\w-]{{22,}}{_E}"),
    _format("Shopify token", "shpat_ shpca_ shppa_ shpss_", rf"{_B}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{32}}{_E}"),
    _format("npm token", "npm_", rf"{_B}npm_[A-Za-z0-9]{{36}}{_E}", 3.5),
    _format("PyPI token", "pypi-AgEIcHlwaS5vcmc", rf"{_B}pypi-AgEIcHlwaS5vcmc[\w-]{{50,}}{_E}", 3.5),
    _format("RubyGems token", "rubygems_", rf"{_B}rubygems_[a-f0-9]{{48}}{_E}"),
    _format("Docker token", "dckr_pat_ dckr_oat_", rf"{_B}dckr_[po]at_[\w-]{{27,}}{_E}", 3.5),
    _format(
        "OpenAI key",
        "T3BlbkFJ sk-proj- sk-svcacct- sk-admin-",
        rf"{_B}sk-(?:[\w-]{{16,}}T3BlbkFJ[\w-]{{16,}}|(?:proj|svcacct|admin)-[\w-]{{40,}}){_E}",
        3.5,
    ),
    _format("Anthropic key", "sk-ant-", rf"{_B}sk-ant-[a-z]+\d\d-[\w-]{{80,}}{_E}", 3.5),
    _format("Hugging Face token", "hf_ api_org_", rf"{_B}(?:hf|api_org)_[A-Za-z]{{34}}{_E}", 3.5),
    _format(
        "model service key",
        "gsk_ xai- pplx- r8_ fw_",
        rf"{_B}(?:gsk_[A-Za-z0-9]{{48,}}|xai-[A-Za-z0-9]{{70,}}|pplx-[A-Za-z0-9]{{46,}}|r8_[A-Za-z0-9]{{37}}){_E}",
        3.5,
    ),
    _format("SendGrid key", "SG.", rf"{_B}SG\.[\w-]{{22}}\.[\w-]{{43}}{_E}", 3.5),
    _format("Mailgun key", "key- mailgun", rf"(?i:mailgun)[^\n]{{0,60}}(key-[a-f0-9]{{32}}){_E}"),
    _format("Mailchimp key", "-us", rf"{_B}[a-f0-9]{{32}}-us\d{{1,2}}{_E}"),
    _format("Twilio key", "twilio", rf"(?i:twilio)[^\n]{{0,60}}[^a-zA-Z0-9](SK[a-f0-9]{{32}}|[a-f0-9]{{32}}){_E}"),
    _format("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", rf"{_B}do[opr]_v1_[a-f0-9]{{64}}{_E}"),
    _format("Heroku key", "HRKU-", rf"{_B}HRKU-[\w-]{{36,}}{_E}", 3.2),
    _format("Databricks token", "dapi", rf"{_B}dapi[a-f0-9]{{32}}(?:-\d)?{_E}"),
    _format("Vault token", "hvs. hvb. hvr.", rf"{_B}hv[sbr]\.[\w-]{{24,}}{_E}", 3.5),
    _format("Terraform token", ".atlasv1.", r"(?<![\w])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}", 3.5),
    _format(
        "Grafana token",
        "glc_ glsa_",
        rf"{_B}(?:glc_[A-Za-z0-9+/=]{{32,}}|glsa_[A-Za-z0-9]{{32}}_[a-f0-9]{{8}}){_E}",
        3.5,
    ),
    _format("Sentry token", "sntrys_ sntryu_", rf"{_B}sntry[su]_[\w+/=-]{{60,}}", 3.5),
    _format("New Relic key", "NRAK- NRAA-", rf"{_B}NRA[AK]-[A-Z0-9]{{27}}{_E}"),
    _format("Linear key", "lin_api_ lin_oauth_", rf"{_B}lin_(?:api|oauth)_[A-Za-z0-9]{{40,}}{_E}", 3.5),
    _format("Notion token", "ntn_", rf"{_B}ntn_[A-Za-z0-9]{{43,}}{_E}", 3.5),
    _format("Figma token", "figd_ figu_", rf"{_B}fig[du]_[\w-]{{40,}}{_E}", 3.5),
    _format("Postman key", "PMAK-", rf"{_B}PMAK-[a-f0-9]{{24}}-[a-f0-9]{{34}}{_E}"),
    _format("Doppler token", "dp.pt. dp.st. dp.ct.", rf"{_B}dp\.(?:pt|st|ct)\.[\w.-]{{40,}}{_E}", 3.5),
    _format("Pulumi token", "pul-", rf"{_B}pul-[a-f0-9]{{40}}{_E}"),
    _format("PlanetScale token", "pscale_", rf"{_B}pscale_(?:tkn|pw|oauth)_[\w.=-]{{32,}}{_E}", 3.5),
    _format("Supabase token", "sbp_ sb_secret_", rf"{_B}(?:sbp_[a-f0-9]{{40}}|sb_secret_[\w-]{{30,}}){_E}"),
    _format("Fly token", "fm2_ fo1_", rf"{_B}(?:fo1_[\w-]{{43}}|fm2_[A-Za-z0-9+/=]{{100,}})", 3.5),
    _format("1Password token", "ops_ey", rf"{_B}ops_eyJ[A-Za-z0-9+/=]{{200,}}", 3.5),
    _format("age key", "AGE-SECRET-KEY-1", rf"{_B}AGE-SECRET-KEY-1[A-Z0-9]{{58}}{_E}"),
    *(_format(each.name, each.words, rf"{_B}{each.expression}{_E}", 3.2) for each in SERVICES),
    _format(
        "private key",
        "PRIVATE",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s\"'+,>|#*;])*(?:[\w-]+: [^\n]*\n\s*)*"
        r"([A-Za-z0-9+/=]{32}(?:[A-Za-z0-9+/=\s]|\\[nr]|[\"',>|#*;])*)"
        r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?",
        3.5,
        "private-key",
    ),
    _format(
        "PuTTY key",
        "PuTTY-User-Key-File",
        r"PuTTY-User-Key-File-\d: [\s\S]{0,4000}?Private-Lines: \d+\s+([A-Za-z0-9+/=\s]{32,})",
        3.5,
        "private-key",
    ),
    _format("JSON web token", "eyJ", rf"{_B}(eyJ[\w-]{{12,}}\.eyJ[\w-]{{12,}}\.[\w-]{{20,}})", 3.5),
    _format(
        "password in an address",
        "://",
        r"://(?<=[A-Za-z0-9]://)[^\s:/@\"'`<>{}$%()\[\]]{0,60}:([^\s/@\"'`<>{}()\[\]]{4,120})@(?=[A-Za-z0-9\[])"
        r"(?!localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[A-Za-z0-9_-]+(?:[:/\s\"']|$)"
        r"|[\w.-]*example\.|[\w.-]*\.(?:test|local|invalid|example|localhost)\b)",
        1.5,
        "password",
    ),
)
