"""The line that a slider moves stands where the picture has it."""

from __future__ import annotations

import re
from importlib.resources import files

from howsure.text.svg.band_pictures import LEFT, RIGHT, WIDTH


def test_the_script_knows_the_axis_of_the_picture() -> None:
    script = files("howsure.publish").joinpath("slider.js").read_text(encoding="utf-8")
    found = re.search(r"const x = (\d+) \+ \(\((\d+) - (\d+) - (\d+)\) \* at\)", script)
    assert found is not None
    assert [float(number) for number in found.groups()] == [LEFT, WIDTH, RIGHT, LEFT]
