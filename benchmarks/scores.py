"""How the price of a ROC curve grows with the cases: times of howsure and of its peers, as a picture.

python benchmarks/scores.py [--envs .bench-envs] [--redraw]

Prints the section of docs/other-tools.md, and writes the picture and the numbers behind it to docs/benchmarks/. Half of
the cases are of each class, with normal scores (area .76); every call has cases of its own. CPU time, in one thread
where a peer lets itself be told.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import peers

if "--work" not in sys.argv:  # a peer's environment draws nothing
    from growth import BLUE, FOLDER, GREEN, GREY, ORANGE, PURPLE, Picture, Who, draw, exponent, round_size

SIZES = tuple(10**k for k in range(2, 7))
#: What stands above the picture.
INPUT = (
    "Half of the cases of each class, area 0.76; CPU time. Ours are 20,000 random areas and 5,000 random curves "
    "whatever the number of cases; rocci's band rests on 2,000 resamples."
)
#: What pip installs for a job; ours needs nothing.
PACKAGES = {
    "band_rocci": ("rocci==0.3.1", "numpy"),
    "auc_bootstrap": ("scikit-learn", "numpy"),
    "auc_delong": ("confidenceinterval==1.0.5",),
}
PACKAGES["auc_point"] = PACKAGES["auc_bootstrap"]


def picture() -> Picture:
    """Who is measured, at which numbers of cases."""
    return Picture(
        "scores",
        "ROC curve with a simultaneous 95% band, and its area with an interval",
        "cases",
        (
            Who("howsure, curve, both bands, area", "band_ours", BLUE, SIZES),
            Who("howsure, area alone", "auc_ours", BLUE, SIZES, dashed=True),
            Who("rocci, curve and band", "band_rocci", PURPLE, SIZES, "D"),
            Who("confidenceinterval, DeLong area", "auc_delong", GREEN, SIZES, "^"),
            Who(f"scikit-learn, area, {peers.RESAMPLES:,} resamples", "auc_bootstrap", GREY, SIZES[:4], "v"),
            Who("scikit-learn, area, no interval", "auc_point", ORANGE, SIZES, "s"),
        ),
        classes=2,
    )


def prepare(job: str, _: int, repeat: int, cases: int):
    """Import the peer and make its input, untimed; return the call that is timed."""
    import numpy as np

    rng = np.random.default_rng([cases, repeat])
    truth = np.arange(cases) % 2
    score = rng.normal(truth, 1.0)
    if job.endswith("ours"):
        import howsure as hs
        from howsure.curves import roc_curve

        def run() -> list[float]:
            scores = hs.Scores(truth, score, positive=1)
            if job == "band_ours":
                roc_curve(scores)
            return list(hs.infer(scores).of("roc_auc").interval())

        return run
    if job == "band_rocci":
        from rocci import roc_band

        return lambda: [float(x) for x in roc_band(truth, score, n_threads=1, random_state=repeat).auc_ci]
    if job == "auc_delong":
        from confidenceinterval import roc_auc_score

        return lambda: [float(x) for x in roc_auc_score(truth, score, confidence_level=0.95)[1]]
    from sklearn.metrics import roc_auc_score as area

    if job == "auc_point":
        return lambda: [float(area(truth, score))]

    def resampled() -> list[float]:
        found = []
        for _ in range(peers.RESAMPLES):
            chosen = rng.integers(0, cases, cases)
            found.append(area(truth[chosen], score[chosen]))
        return np.percentile(found, [2.5, 97.5]).tolist()

    return resampled


def times(shown: Picture, envs: Path) -> dict[str, list[list[float]]]:
    """Cases and milliseconds of every line; a failure ends its line."""
    found: dict[str, list[list[float]]] = {}
    for who in shown.lines:
        found[who.job] = []
        for size in who.sizes:
            got = peers.measure(who.job, 2, envs, PACKAGES.get(who.job, ()), size, script=__file__)
            if "failed" in got:
                print(f"{who.job}, {size} cases: {got['failed']}", file=sys.stderr)
                break
            found[who.job].append([size, round(1e3 * got["time"], 4)])
    return found


def section(shown: Picture, found: dict[str, list[list[float]]]) -> str:
    """Give the picture and the times as Markdown."""
    text = ["## Scores", "", INPUT, "", f"![{shown.title}: time by cases](benchmarks/growth_scores.svg)", ""]
    text += [f"| {shown.title} | " + " | ".join(map(round_size, SIZES)) + " | exponent |"]
    text += ["| --- |" + " ---: |" * (len(SIZES) + 1)]
    for who in shown.lines:
        points = found[who.job]
        cells = [f"{time:,.3g}" if time < 1000 else f"{time:,.0f}" for _, time in points]
        cells += [""] * (len(SIZES) - len(cells))
        name = f"**{who.label}**" if who.color == BLUE else who.label
        text.append(f"| {name}, ms | " + " | ".join(cells) + f" | {exponent(points):.2f} |")
    return "\n".join(text) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=Path, default=Path(".bench-envs"), help="folder of the peers' environments")
    parser.add_argument("--redraw", action="store_true", help="measure nothing, draw the numbers that are there")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        peers.work(options.work[0], *map(int, options.work[1:]), prepare=prepare)
        return
    shown = picture()
    numbers = FOLDER / "growth_scores.json"
    found = json.loads(numbers.read_text()) if options.redraw else times(shown, options.envs.absolute())
    if not options.redraw:
        numbers.write_text(json.dumps(found, indent=1).replace("\n  ", " ").replace("\n ]", " ]") + "\n")
    draw(shown, found, FOLDER / "growth_scores.svg")
    print(section(shown, found))


if __name__ == "__main__":
    main()
