"""Several classifiers from tables that are counted: one table of all answers, or a table each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from howsure.confusion import ConfusionMatrix
from howsure.counting.count import checked, count
from howsure.counting.result import Counts
from howsure.counting.settling import settled
from howsure.counting.state import begins_a_state, read_state
from howsure.counting.words import guessed_id, named_columns
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt, listing
from howsure.files.contenders import Contenders
from howsure.files.pairs import Pair
from howsure.formats import plain
from howsure.missing import Missing

__all__ = ["counted_contenders", "counted_pair"]


def counted_contenders(
    paths: Sequence[str],
    *,
    true: str | None = None,
    pred: Sequence[str] | None = None,
    case: str | None = None,
    labels: Sequence[str] | None = None,
    positive: str | None = None,
    missing: Missing = "error",
    separate: bool = False,
) -> Contenders:
    """Classifiers from Parquet, folders, patterns, large or packed text, or counts that grow.

    Parameters
    ----------
    paths : sequence of str
        Together one table with the answers of several classifiers; or, with one column of answers, a table each,
        whose cases are paired by their id if all have one.
    true, pred : optional
        Columns of the truth and of the answers; by their telling names if left out.
    case : str, optional
        Column of the case's name.
    labels, positive, missing, separate
        As in `howsure.files.contenders.read_contenders`.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    name = plain(paths[0], 200) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
    alone = [_state(path) for path in paths]
    if any(one is not None for one in alone):
        if not all(one is not None for one in alone):
            raise InvalidArgument("counts (JSON) and tables of cases are not read together; count the tables first")
        found = [one for one in alone if one is not None]
    else:
        truth, answers, model, ids = _columns(paths, true, pred, case)
        if len(answers) == 1 and model is None and len(paths) > 1:
            column = next(iter(answers.values()))
            if ids is not None and not separate:
                from howsure.counting.side_by_side import tally_side_by_side

                titles = dict(zip(_titles(paths), paths, strict=True))
                ask, tally = tally_side_by_side(titles, truth, column, ids)
                found = [checked(settled(tally, ask, labels), labels)]
            else:
                found = [count(path, y_true=truth, y_pred=column, labels=labels) for path in paths]
        else:
            # without a classifier's column every row is a case, and its id says nothing more
            options = {} if model is None else {"model": model} | ({} if ids is None else {"id": ids})
            found = [count(list(paths), y_true=truth, y_pred=answers, labels=labels, **options)]  # type: ignore[arg-type]  # names of columns
    for counts in found:
        _refuse_gaps(name, counts, missing)
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
    if path.lower().endswith(".json") and Path(path).is_file() and begins_a_state(path):
        return read_state(path)[0]
    return None


def _columns(
    paths: Sequence[str], true: str | None, pred: Sequence[str] | None, case: str | None
) -> tuple[str, dict[str, str], str | None, str | None]:
    """Columns of truth, answers, classifier and id; all tables have those of the first."""
    from howsure.counting.duck import columns_of

    truth, answers, model = named_columns(paths[0], true, pred)
    there = [columns_of(path)[1] for path in paths]
    ids = case or guessed_id(there[0])
    absent = next((path for path, columns in zip(paths, there, strict=True) if ids not in columns), None)
    if case is not None and absent is not None:
        raise InvalidArgument(f"no column {excerpt(case)} in {plain(absent, 200)}, and cases are paired by it")
    return truth, answers, model, None if absent is not None else ids


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
            made = found[0].predictions(missing=missing, positive=positive)
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
