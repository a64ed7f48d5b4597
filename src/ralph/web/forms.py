"""What a browser sends: a small form that carries the secret of this dashboard, or nothing that counts."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

from ralph.errors import UsageError
from ralph.web.guard import LARGEST_BODY
from ralph.web.secret import Secret

FIELD = "form"
_MOST_FIELDS = 12


class ForeignForm(UsageError):
    """The form was not made by this dashboard."""


async def read(request: Request, secret: Secret) -> Mapping[str, str]:
    """The fields of a form. Raises ForeignForm and UsageError."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise UsageError(f"A form may have {LARGEST_BODY} bytes.")
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict", encoding="utf-8"
        )
    except ValueError:
        raise UsageError("The form cannot be read.") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise UsageError("The form has a field twice.")
    if not hmac.compare_digest(fields.pop(FIELD, "").encode(), secret.form.encode()):
        raise ForeignForm("The form was not made by this dashboard: reload the page, and send it again.")
    return fields
