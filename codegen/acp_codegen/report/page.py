"""The report as one HTML page that needs nothing beside itself: its style and its script are inside, nothing is loaded."""

from __future__ import annotations

import base64
import hashlib

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..drift.model import Report
from ..resources import templates
from .page_view import page_view

_PAGE, _STYLE, _SCRIPT = "report/page.html.j2", "report/page.css", "report/page.js"


def render(report: Report) -> str:
    environment = Environment(
        loader=FileSystemLoader(templates()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
    return environment.get_template(_PAGE).render(
        page=page_view(report),
        style_hash=_hash(environment.get_template(_STYLE).render()),
        script_hash=_hash(environment.get_template(_SCRIPT).render()),
    )


def _hash(text: str) -> str:
    """How a Content-Security-Policy names a style or script: the browser runs this text and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
