"""Several classifiers from tables that are counted: one table of all answers, or a table each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from howsure.data.confusion import ConfusionMatrix
from howsure.data.missing_answers import Missing
from howsure.data.words import bare_name
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.answers import Contenders, Pair
from howsure.io.contents import is_document_file, table_of
from howsure.io.counting.count import count
from howsure.io.counting.result import Counts
from howsure.io.counting.state import read_state
from howsure.io.counting.tally import names_of, settled
from howsure.io.engines.table_files import begins_a_state
from howsure.io.opening import opened
from howsure.io.reading import Request
from howsure.io.roles import columns_of, settled_columns
from howsure.text.formats import plain


def counted_contenders(
    paths: Sequence[str], request: Request, *, missing: Missing = "error", separate: bool = False
) -> Contenders:
    """Classifiers from tables too large to be kept case by case, or from counts that grow.

    Parameters
    ----------
    paths : sequence of str
        Together one table with the answers of several classifiers; or, with one column of answers, a table each,
        whose cases are paired by their id if all have one.
    request : Request
    missing, separate
        As in `howsure.io.contenders.read_contenders`.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    name = plain(paths[0], 200) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
    labels, positive = request.labels, request.positive
    alone = [_state(path) for path in paths]
    if any(one is not None for one in alone):
        if not all(one is not None for one in alone):
            raise InvalidArgument("counts (JSON) and tables of cases are not read together; count the tables first")
        found = [one for one in alone if one is not None]
    else:
        truth, answers, model, ids, group = _columns(paths, request)
        if len(answers) == 1 and model is None and len(paths) > 1:
            column = next(iter(answers.values()))
            if request.group is not None and group is not None:
                raise InvalidArgument(
                    f"tables this large are not paired by group ({excerpt(group)}); put the answers of all classifiers "
                    "into one table, or leave the column out to take cases as separate"
                )
            if ids is not None and not separate:
                from howsure.io.engines.grouping import tally_side_by_side

                titles = dict(zip(_titles(paths), paths, strict=True))
                ask, tally = tally_side_by_side(titles, truth, column, ids, labels)
                found = [settled(tally, ask, labels)]
            else:
                found = [count(path, y_true=truth, y_pred=column, labels=labels) for path in paths]
        else:
            # without a classifier's column every row is a case, and its id says nothing more
            options = {} if model is None else {"model": model} | ({} if ids is None else {"id": ids})
            if request.group is not None and group is not None:
                options["by"] = group
            found = [count(list(paths), y_true=truth, y_pred=answers, labels=labels, **options)]  # type: ignore[arg-type]  # names of columns
    for counts in found:
        _refuse_gaps(name, counts, missing)
        if counts.by and request.group is not None and any(None in key for key in counts.groups):
            problem = f"the group (column {excerpt(counts.by[0], 40)}) is missing in some cases"
            raise InvalidFile(name, f"{problem}; a case that is alone is a group of its own, with a name of its own")
    return _contenders(name, paths, found, labels, positive, missing, separate)


def counted_pair(found: Contenders, names: Sequence[str | None]) -> Pair:
    """Two of the classifiers, named or the only two.

    Raises
    ------
    InvalidArgument
        One or many classifiers and none chosen, or one chosen that is not there.
    """
    there = found.predictions.names if found.predictions is not None else tuple(found.matrices or ())
    chosen = [name.removeprefix("pred_") if name not in there else name for name in names if name is not None]
    if not chosen and len(there) == 2:
        chosen = list(there)
    odd = [name for name in chosen if name not in there]
    if odd or len(chosen) != 2:
        problem = f"no classifier {excerpt(odd[0])}" if odd else "two classifiers are compared"
        raise InvalidArgument(f"{problem}; there are {listing(there)}. Choose two with --a and --b")
    titles = (chosen[0], chosen[1])
    if found.predictions is not None:
        return Pair(titles, found.predictions, None, found.notes)
    matrices = found.matrices or {}
    return Pair(titles, None, (matrices[titles[0]], matrices[titles[1]]), found.notes)


def _state(path: str) -> Counts | None:
    with opened(path) as file:
        return read_state(path)[0] if is_document_file(file) and begins_a_state(file.head) else None


def _columns(paths: Sequence[str], request: Request) -> tuple[str, dict[str, str], str | None, str | None, str | None]:
    """Columns of truth, answers, classifier, id and group; all tables have those of the first."""
    with opened(paths[0]) as file:
        table = table_of(file)
        names = names_of(table)
        found = columns_of(table, request)
        if found is None:
            raise table.unrecognised()
        found = settled_columns(table, found)
    model, ids, group = (None if at is None else names[at] for at in (found.model, found.id, found.group))
    for path in paths[1:]:
        with opened(path) as file:
            there = names_of(table_of(file))
        if ids is not None and ids not in there:
            if request.id is not None:
                raise InvalidArgument(f"no column {excerpt(ids)} in {plain(path, 200)}, and cases are paired by it")
            ids = None
    answers = {key or bare_name(names[at]): names[at] for key, at in found.pred.items()}
    return names[found.true], answers, model, ids, group


def _titles(paths: Sequence[str]) -> list[str]:
    """Names of tables: of the files, or of the folders where these are alike."""
    names = [Path(path.rstrip("/")).name.split(".")[0] or path for path in paths]
    if len(set(names)) < len(names):
        names = [Path(path).parent.name or path for path in paths]
    if len(set(names)) < len(names):
        raise InvalidArgument("the tables have no names of their own; rename a file, their names name the classifiers")
    return names


def _refuse_gaps(name: str, counts: Counts, missing: Missing) -> None:
    """Rows that are in no count need a word from the user."""
    gaps = [one for one in counts.set_aside if missing == "error" or (missing != "exclude" and _is_lost(one.reason))]
    if gaps:
        others = ", wrong counts missing answers as errors" if missing == "error" else ""
        raise InvalidFile(name, f"{'; '.join(map(str, gaps))}. --missing exclude sets them aside{others}.")


def _is_lost(reason: str) -> bool:
    return not reason.startswith("no answer")


def _contenders(
    name: str,
    paths: Sequence[str],
    found: Sequence[Counts],
    labels: Sequence[str] | None,
    positive: str | None,
    missing: Missing,
    separate: bool,
) -> Contenders:
    try:
        if len(found) == 1 and len(found[0].models) > 1 and found[0].paired and not separate:
            made = found[0].predictions(missing=missing, positive=positive, clusters=bool(found[0].by))
            return Contenders(predictions=made, notes=made.notes)
        titled = (
            {m: (found[0], m) for m in found[0].models}
            if len(found) == 1
            else {t: (c, c.models[0]) for t, c in zip(_titles(paths), found, strict=True)}
        )
        several = next((c for c in found if len(found) > 1 and len(c.models) > 1), None)
        if several is not None or len(titled) < 2:
            there = listing((several or found[0]).models)
            raise InvalidFile(
                name, f"it holds the answers of {there}; give one table of all, or one classifier a table"
            )
        matrices: dict[str, ConfusionMatrix] = {
            title: counts.confusion(model=model, labels=labels, positive=positive)
            for title, (counts, model) in titled.items()
        }
    except InvalidFile:
        raise
    except HowsureError as error:
        raise InvalidFile(name, plain(str(error), 800)) from None
    notes = [note for counts in found for note in counts.notes]
    notes += [f"Set aside: {one}." for counts in found for one in counts.set_aside]
    notes.append(
        "Treated as separate test sets, as chosen."
        if separate
        else "Nothing says which cases are the same, so these are separate test sets; an id column (--id) pairs them."
    )
    return Contenders(matrices=matrices, notes=tuple(dict.fromkeys(notes)))
