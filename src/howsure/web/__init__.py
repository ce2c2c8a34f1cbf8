"""The page: the same answers as the command line, over HTTP on one's own machine.

`handle` is a pure function from a request to an answer and knows no web framework; `howsure.web.app` serves it, with
the page itself, and needs the extra ``howsure[web]``.
"""

from howsure.web.answering import handle

__all__ = ["handle"]
