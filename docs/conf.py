"""Settings of the documentation site; `docs/make_site.py` lays out the pages that Sphinx reads."""

from howsure._version import __version__

project = "howsure"
author = "The howsure maintainers"
copyright = author  # noqa: A001 - Sphinx asks for this name
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

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
