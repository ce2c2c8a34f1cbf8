"""Settings of the documentation site; `docs/make_site.py` lays out the pages that Sphinx reads."""

import re
from typing import Any

import howsure.io
from howsure._version import __version__

# autodoc sees no name that is loaded when it is first used
for name in howsure.io.__all__:
    setattr(howsure.io, name, getattr(howsure.io, name))

project = "howsure"
author = "The howsure maintainers"
copyright = author  # noqa: A001 - Sphinx asks for this name
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath"]
# a dollar before a digit or after a space is money or a prompt
myst_dmath_allow_space = myst_dmath_allow_digits = False
html_math_renderer = "mathml"

# what docstrings put in single backticks is code: of one word alone, many nouns may be meant
default_role = "literal"
# kinds of arguments are sentences ("array of shape (n,)"), in which nothing is to be linked
napoleon_use_param = napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]
# names of types as they are written, not what NumPy makes of them
autodoc_type_aliases = {name: name for name in ("ArrayLike", "NDArray", "DTypeLike")}
python_display_short_literal_types = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 88

# two hyphens begin an option, and quotes stay what they are in code
smartquotes = False

myst_heading_anchors = 4

html_theme = "furo"
html_title = "howsure"
html_static_path = ["site_assets"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False

#: A line of a terminal that is a sentence: long, and without the gaps of a table.
SENTENCE = re.compile(r'<span class="go">((?:(?!  )[^<]){40,})</span>')

#: What Sphinx puts between an argument, or an error, and what is said of it; options have two hyphens, too.
HYPHENS = re.compile(r"(</strong>(?:</a>)?(?: \([^\n]*?\))?|<p><em>[^\n]*?</em>) -- ")


def without_made_arguments(
    app: Any, what: str, name: str, thing: object, options: Any, arguments: str, returned: str
) -> tuple[str, str] | None:
    """Of answers, which a verb makes, nobody needs the arguments."""
    first = (getattr(thing, "__doc__", None) or "").partition("\n\n")[0]
    return ("", returned) if what == "class" and "made by" in first else None


def sentences(app: Any, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Sentences that a command prints are broken at the width of the screen; tables keep their lines."""
    if body := context.get("body"):
        body = SENTENCE.sub(r'<span class="go sentence">\1</span>', body)
        context["body"] = HYPHENS.sub("\\1 \N{EN DASH} ", body)


def setup(app: Any) -> None:
    """Formulas as MathML, which browsers draw by themselves: nothing to load, no picture, no script."""
    from docutils.nodes import SkipNode
    from docutils.utils.math import latex2mathml

    def inline(translator: Any, node: Any) -> None:
        translator.body.append(latex2mathml.tex2mathml(node.astext(), as_block=False))
        raise SkipNode

    def block(translator: Any, node: Any) -> None:
        translator.body.append(f'<div class="formula">{latex2mathml.tex2mathml(node.astext(), as_block=True)}</div>')
        raise SkipNode

    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    app.connect("autodoc-process-signature", without_made_arguments)
    app.connect("html-page-context", sentences)
