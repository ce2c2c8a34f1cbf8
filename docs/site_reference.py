"""Pages of the reference that are made from signatures and docstrings: one a noun and verb, one a further module."""

import importlib
import inspect
import re

import howsure

#: Modules beside the top one, as its docstring promises them; the nouns and verbs of the top have pages of their own.
MODULES = tuple(name for name in re.findall(r"^``howsure\.([a-z_.]+)``", howsure.__doc__ or "", re.MULTILINE))

TITLES = {
    "nouns": "Nouns: what is known, and what is answered",
    "verbs": "Verbs: what is asked",
    "modules": "Modules: what stands beside them",
}


def first_sentence(thing: object) -> str:
    """What a docstring begins with, on one line; roles and literals of reStructuredText become code."""
    text = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    return re.sub(r"``([^`]+)``", r"`\1`", " ".join(text.split()))


def noun_or_verb(name: str) -> str:
    """The page of one public name."""
    thing = getattr(howsure, name)
    if inspect.isclass(thing):
        members = "   :members:\n   :inherited-members: Exception, object\n   :member-order: groupwise\n"
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
        lines += ["Beside these, with pages of their own:", ""]
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


def pages() -> dict[str, str]:
    """Every page by its place in the site."""
    public = {name: getattr(howsure, name) for name in howsure.__all__}
    nouns = {name: first_sentence(thing) for name, thing in public.items() if inspect.isclass(thing)}
    verbs = {name: first_sentence(thing) for name, thing in public.items() if inspect.isfunction(thing)}
    modules = {name: first_sentence(importlib.import_module(f"howsure.{name}")) for name in MODULES}
    made = {f"reference/{kind}.md": listed(kind, said) for kind, said in zip(TITLES, (nouns, verbs, modules), strict=True)}
    made |= {f"reference/nouns/{name}.md": noun_or_verb(name) for name in nouns}
    made |= {f"reference/verbs/{name}.md": noun_or_verb(name) for name in verbs}
    made |= {f"reference/modules/{name}.md": module(name) for name in modules}
    links = "\n".join(f"- [{title}](reference/{kind}.md)" for kind, title in TITLES.items())
    menu = "\n".join(["```{toctree}", ":hidden:", "", *(f"reference/{kind}.md" for kind in TITLES), "```"])
    made["reference-made.md"] = f"\n## From signatures and docstrings\n\n{links}\n\n{menu}\n"
    return made
