"""Keys that nobody issued, made when they are needed: no file of the project holds anything of the form of a secret."""

from __future__ import annotations

import base64
import json
import random
import string

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"


def chance(length: int, alphabet: str = ALNUM, seed: int = 7) -> str:
    return "".join(random.Random(f"{seed} {length} {alphabet}").choices(alphabet, k=length))


def token() -> str:
    return f"{encoded({'alg': 'HS256', 'typ': 'JWT'})}.{encoded({'sub': chance(12), 'role': 'admin'})}.{chance(43)}"


def encoded(data: dict[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


def private_key(kind: str = "RSA ", end: str = "\n") -> str:
    body = end.join(chance(64, f"{ALNUM}+/", number) for number in range(6))
    dashes = "-" * 5
    return f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}{end}{body}{end}{dashes}END {kind}PRIVATE KEY{dashes}"


KEYS = {
    "AWS access key": "AK" + "IA" + chance(16, UPPER),
    "Google API key": "AI" + "za" + chance(35),
    "GitHub token": "gh" + "p_" + chance(36),
    "GitHub fine-grained token": "github" + "_pat_" + chance(22) + "_" + chance(59),
    "GitLab token": "gl" + "pat-" + chance(20),
    "Slack token": "xo" + "xb-" + chance(12, string.digits) + "-" + chance(12, string.digits) + "-" + chance(24),
    "Stripe key": "sk" + "_live_" + chance(24),
    "npm token": "np" + "m_" + chance(36),
    "PyPI token": "py" + "pi-AgEIcHlwaS5vcmc" + chance(70),
    "OpenAI key": "sk" + "-proj-" + chance(48),
    "Anthropic key": "sk" + "-ant-api03-" + chance(95),
    "Hugging Face token": "h" + "f_" + chance(34, string.ascii_letters),
    "SendGrid key": "S" + "G." + chance(22) + "." + chance(43),
    "DigitalOcean token": "do" + "p_v1_" + chance(64, HEX),
    "Vault token": "hv" + "s." + chance(28),
    "Shopify token": "sh" + "pat_" + chance(32, HEX),
    "Telegram token": chance(9, string.digits[1:]) + ":" + "AA" + chance(33),
    "age key": "AGE-SECRET" + "-KEY-1" + chance(58, string.ascii_uppercase + string.digits),
    "Buildkite token": "bk" + "ua_" + chance(40, HEX),
    "CircleCI token": "CCI" + "PAT_" + chance(22) + "_" + chance(40, HEX),
    "Clojars token": "CLO" + "JARS_" + chance(60, string.ascii_lowercase + string.digits),
    "Contentful token": "CFP" + "AT-" + chance(43),
    "Dynatrace token": "dt0" + "c01." + chance(24, UPPER) + "." + chance(64, UPPER),
    "Netlify token": "nf" + "p_" + chance(36),
    "NuGet key": "oy" + "2" + chance(43, string.ascii_lowercase + string.digits),
    "OpenShift token": "sha" + "256~" + chance(43),
    "Brevo key": "xkey" + "sib-" + chance(64, HEX) + "-" + chance(16),
    "Tailscale key": "ts" + "key-auth-" + chance(24),
    "JSON web token": token(),
}
"""By the names of the formats."""

SECRET = chance(40)
