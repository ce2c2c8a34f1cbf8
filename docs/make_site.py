"""Lays out the pages of the documentation site in one folder, and lets Sphinx make HTML of them.

Run: python docs/make_site.py   (or: make docs)

The pages stay where a code host shows them: docs/, and some at the top. Links between them are moved with the
pages; the menu is read from the lists of docs/index.md, one part for each of its headings. The reference is made from
signatures and docstrings: a page for each noun and verb, and for each further module.
"""

import argparse
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import howsure

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

#: Pages of the site that do not stand in docs/.
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md", "examples/README.md")

LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<target>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")
ITEM = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)\s#]+\.md)\)", re.MULTILINE)


#: Modules beside the top one, as its docstring promises them; the nouns and verbs of the top have pages of their own.
MODULES = tuple(name for name in re.findall(r"^``howsure\.([a-z_.]+)``", howsure.__doc__ or "", re.MULTILINE))

TITLES = {
    "nouns": "Nouns: what is known, and what is answered",
    "verbs": "Verbs: what is asked",
    "modules": "Modules: what stands next to them",
}


def place(path: Path) -> Path:
    """Where a file of the repository stands in the site: what is in docs/ moves to the top."""
    inside = path.relative_to(ROOT)
    return Path(*inside.parts[1:]) if inside.parts[0] == "docs" else inside


def moved(text: str, page: Path) -> str:
    """The text of a page with its links moved with the pages, and titles in place of file names."""

    def target(match: re.Match[str]) -> str:
        meant = (page.parent / match["target"]).resolve()
        if not meant.is_relative_to(ROOT) or not meant.exists():
            return match[0]  # Sphinx says that it leads nowhere
        text = "" if match["text"].endswith(".md") and match["text"].endswith(meant.name) else match["text"]
        return f"[{text}]({os.path.relpath(place(meant), place(page).parent)}{match['anchor'] or ''})"

    return LINK.sub(target, text)


def menu(index: str) -> str:
    """The parts of the menu, as Sphinx has them: every list of the index, under its heading."""
    parts = []
    for part in re.split(r"^(?=## )", index, flags=re.MULTILINE):
        heading = re.match(r"## (.*)", part)
        pages = ITEM.findall(part)
        if pages:
            caption = f":caption: {heading[1]}\n" if heading else ""
            parts.append(
                f"```{{toctree}}\n:hidden:\n{caption}\n"
                + "\n".join(f"{title} <{page}>" for title, page in pages)
                + "\n```\n"
            )
    return "\n".join(parts)


def front(index: str) -> str:
    """The front page with the picture of the page in the colours of the reader, light and dark."""

    def both(match: re.Match[str]) -> str:
        return "\n\n".join(
            f"```{{image}} figures/{name}.jpg\n:alt: {match['alt']}\n:class: {shown}\n:target: page.html\n```"
            for name, shown in (("page", "only-light"), ("page_dark", "only-dark"))
        )

    return re.sub(r"^\[!\[(?P<alt>[^]]+)\]\(figures/page\.jpg\)\]\(page\.md\)$", both, index, flags=re.MULTILINE)


def first_sentence(thing: object) -> str:
    """What a docstring begins with, on one line; roles and literals of reStructuredText become code."""
    text = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    return re.sub(r"``([^`]+)``", r"`\1`", " ".join(text.split()))


def noun_or_verb(name: str) -> str:
    """The page of one public name."""
    thing = getattr(howsure, name)
    if inspect.isclass(thing) and issubclass(thing, Exception):
        directive = f".. autoexception:: {name}\n   :show-inheritance:\n"
    elif inspect.isclass(thing):
        members = "   :members:\n   :inherited-members: object\n   :member-order: groupwise\n"
        directive = f".. autoclass:: {name}\n{members}"
    else:
        directive = f".. autofunction:: {name}\n"
    return f"# {name}\n\n```{{eval-rst}}\n.. currentmodule:: howsure\n\n{directive}```\n"


def module(name: str) -> str:
    """The page of one module: what it is for, and its public names but those that have a page."""
    whole = f"howsure.{name}"
    loaded = importlib.import_module(whole)
    everything = getattr(loaded, "__all__", None) or [
        name for name, thing in vars(loaded).items() if getattr(thing, "__module__", None) == whole
    ]
    elsewhere = [name for name in everything if getattr(howsure, name, None) is getattr(loaded, name)]
    here = [name for name in everything if name not in elsewhere]
    lines = [f"# {whole}", "", "```{eval-rst}", f".. automodule:: {whole}"]
    lines += [f"   :members: {', '.join(here)}", "   :member-order: groupwise", "```", ""]
    if elsewhere:
        lines += ["Next to these, with pages of their own:", ""]
        lines += [f"- [`{name}`](../{kind_of(getattr(loaded, name))}/{name}.md)" for name in elsewhere]
    return "\n".join([*lines, ""])


def kind_of(thing: object) -> str:
    """Which list a public thing of the top stands in."""
    return "nouns" if inspect.isclass(thing) else "verbs"


def listed(kind: str, said: dict[str, str]) -> str:
    """The page that lists one kind, with its part of the menu."""
    rows = [f"- [`{name}`]({kind}/{name}.md): {text}" for name, text in said.items()]
    menu = ["```{toctree}", ":hidden:", "", *(f"{kind}/{name}.md" for name in said), "```"]
    return "\n".join([f"# {TITLES[kind]}", "", *rows, "", *menu, ""])


def reference() -> dict[str, str]:
    """Every page of signatures and docstrings, by its place in the site."""
    public = {name: getattr(howsure, name) for name in howsure.__all__}
    nouns = {name: first_sentence(thing) for name, thing in public.items() if inspect.isclass(thing)}
    verbs = {name: first_sentence(thing) for name, thing in public.items() if inspect.isfunction(thing)}
    modules = {name: first_sentence(importlib.import_module(f"howsure.{name}")) for name in MODULES}
    made = {
        f"reference/{kind}.md": listed(kind, said) for kind, said in zip(TITLES, (nouns, verbs, modules), strict=True)
    }
    made |= {f"reference/nouns/{name}.md": noun_or_verb(name) for name in nouns}
    made |= {f"reference/verbs/{name}.md": noun_or_verb(name) for name in verbs}
    made |= {f"reference/modules/{name}.md": module(name) for name in modules}
    links = "\n".join(f"- [{title}](reference/{kind}.md)" for kind, title in TITLES.items())
    links += "\n- {ref}`genindex`, {ref}`modindex`"
    menu = "\n".join(["```{toctree}", ":hidden:", "", *(f"reference/{kind}.md" for kind in TITLES), "```"])
    made["reference-made.md"] = f"\n## From signatures and docstrings\n\n{links}\n\n{menu}\n"
    return made


def lay_out(source: Path) -> None:
    """Write the pages of the site, and what they show, to a new folder."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    made = reference()
    pages = [*sorted(DOCS.glob("*.md")), *(ROOT / name for name in BESIDE)]
    for page in pages:
        text = moved(page.read_text(encoding="utf-8"), page)
        if page.name == "index.md":
            text = front(text) + "\n" + menu(text)
        if page.name == "reference.md":
            text += made.pop("reference-made.md")
        there = source / place(page)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text, encoding="utf-8")
    for name, text in made.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    for folder in (DOCS / "figures", DOCS / "benchmarks", DOCS / "validity", DOCS / "site_assets", ROOT / "examples"):
        shutil.copytree(folder, source / place(folder), ignore=shutil.ignore_patterns("*.md"), dirs_exist_ok=True)


def build(to: Path) -> int:
    """Make the site; a warning of Sphinx is an error. Gives the exit status of Sphinx."""
    source = to / "source"
    lay_out(source)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(DOCS)]
    return subprocess.run([*command, "-d", str(to / "doctrees"), str(source), str(to / "html")], check=False).returncode


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--to", type=Path, default=ROOT / "build/site", help="the folder of the site")
    chosen = options.parse_args()
    status = build(chosen.to)
    if status == 0:
        print(f"the site begins at {chosen.to / 'html/index.html'}")
    sys.exit(status)
