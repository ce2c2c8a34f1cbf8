"""Names that would do harm in a writer that trusts them; one corpus for all writers."""

from __future__ import annotations

LABELS = (
    "</script><script>window.hacked=1</script>",
    '<img src=x onerror="window.hacked=1">',
    '" onload="window.hacked=1" x="',
    "=cmd|' /C calc'!A0",
    r"\input{/etc/passwd} \write18{ls} $\frac{1}{2}$ % # & _ ^ ~ { }",
    "](javascript:window.hacked=1) [x](http://example.org/)",
    "right\u202eto left",
    "nul\0nul",
    "long " * 2000,
    "emoji 😀 and עברית and 日本語",
    "  blanks  ",
    "line\nbreak\r\ttab",
    "-1+1",
    "| `code` | ::error::",
    "\u2028separator\u2029",
)
