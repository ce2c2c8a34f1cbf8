"""One HTML file that needs nothing else: no network, no script but its own, opened from anywhere."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from howsure.errors import visible


def document(title: str, body: str, *, data: str = "", script: str = "") -> str:
    """A page under a policy that allows its own style and script, by their hashes, and nothing else."""
    style, code = asset("style.css"), asset(script) if script else ""
    runs = _hash(code) if code else "'none'"
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {runs}; "
        "img-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    known = f'<script type="application/json" id="predictive">{data}</script>' if data else ""
    tail = f"{known}<script>{code}</script>" if code else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(visible(title[:200]))}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n{tail}\n</body>\n</html>\n"
    )


def embedded(data: Any) -> str:
    r"""JSON that no HTML parser takes for markup.

    Examples
    --------
    >>> print(embedded("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(data, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def heading(text: str) -> str:
    """A section's title."""
    return f"<h2>{escape(visible(text))}</h2>"


def paragraph(text: str, name: str = "") -> str:
    """A paragraph of text from anywhere."""
    return f"<p{f' class={chr(34)}{name}{chr(34)}' if name else ''}>{escape(visible(text))}</p>"


def figure(svg: str, caption: str) -> str:
    """A picture with text from anywhere below it."""
    return f"<figure>{svg}<figcaption>{escape(visible(caption))}</figcaption></figure>"


@cache
def asset(name: str) -> str:
    """A style sheet or script of this package, with the line ends that its hash is of."""
    return files("howsure.publish").joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def top(title: str, comment: str) -> str:
    """Title, and what somebody has to say about it; lines stay lines."""
    said = "\n".join(visible(line) for line in comment.splitlines())
    return f"<h1>{escape(visible(title))}</h1>" + (f'<p class="comment">{escape(said)}</p>' if said else "")
