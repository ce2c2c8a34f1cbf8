"""Numbers, tables and small pictures as text: for terminals, Markdown, HTML, CSV and SVG."""
