"""Write the logs of Inspect in this folder, with Inspect's own code (pip install inspect_ai); no model is asked."""

from __future__ import annotations

from pathlib import Path

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.log import write_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import match
from inspect_ai.solver import solver

ANSWERS = {("two", 1): "4", ("two", 2): "5", ("three", 1): "5", ("three", 2): "5", ("four", 1): "6", ("four", 2): "7"}


@solver
def prepared():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("none", ANSWERS[state.sample_id, state.epoch])
        return state

    return solve


if __name__ == "__main__":
    samples = [
        Sample(id=i, input=q, target=t)
        for i, q, t in (("two", "2+2?", "4"), ("three", "2+3?", "5"), ("four", "3+3?", "6"))
    ]
    task = inspect_ai.Task(dataset=samples, solver=[prepared()], scorer=match())
    (log,) = inspect_ai.eval(task, model="mockllm/model", epochs=2, log_dir="logs", display="none")
    assert log.status == "success"
    write_eval_log(log, str(Path("inspect.eval")))
    write_eval_log(log, str(Path("inspect.json")))
