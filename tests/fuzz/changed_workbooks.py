"""Workbooks that are changed inside: parts of their zip, and tags, numbers and texts of a part.

Bytes of a zip that are mutated as they are give a damaged zip; what lies behind its checks is reached by parts.
"""

from __future__ import annotations

import io
import lzma
import random
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable

__all__ = ["workbook_changed"]

#: An input is a choice and a workbook; a zip of 64 kB may hold 64 MB.
LONGEST_WORKBOOK = 2**16
#: What a part may become, of which a bomb makes the most.
MOST_TEXT = 40 * 2**20

_NUMBER = re.compile(r"(?<=[\"'>A-Za-z])-?\d{1,9}(?=[\"'<:])")
_ELEMENT = re.compile(r"<([\w:]{1,20})\b[^<>]{0,300}(?:/>|>[^<>]{0,300}</\1>)")
_VALUES = (
    "0", "-1", "1", "2", "50", "16384", "16385", "18278", "1048576", "1048577", "999999999", "1e308", "1e999", "nan",
    "0.5", "45658", "", "a", "A1", "XFD1048576", "ZZZ1", "AAAA1", "A0", "A1:B2", "A1:XFD1048576", "B2:A1", "n", "s",
    "str", "b", "e", "d", "inlineStr", "true\\pred", "y_true", "&#0;", "&#10;", "&amp;", "&a;", "#REF!",
    "2026-05-01T00:00:00Z", "yyyy-mm-dd", "[hh]:mm", "veryHidden", "rId1", "../../a.xml",
)  # fmt: skip
_XML = (
    "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<?xml version='1.0' encoding='utf-7'?>", "<![CDATA[a]]>", "<!--",
    "<dimension ref='A1:XFD1048576'/>", "<mergeCells count='1'><mergeCell ref='A1:B9'/></mergeCells>",
    "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>", "<row/>", "<c/>",
    "<c t='inlineStr'><is><r><t>a</t></r></is></c>", "<c t='s'><v>0</v></c>", "<c t='d'><v>2026-05-01</v></c>",
    "<f>1/0</f>", "<sheetData>", "<f t='shared' si='0' ref='A1:B9'>A1</f>", "<f t='array' ref='A1:B9'>A1</f>",
    "<sheetData/>", "<si><t>a</t></si>", "<x:row xmlns:x='x'/>", "<numFmt numFmtId='200' formatCode='yy'/>",
    "<cellXfs><xf numFmtId='14'/></cellXfs>", "<workbookPr date1904='1'/>", "<sheetPr/>", "\0",
    "<dataValidations><dataValidation sqref='A1'/></dataValidations>", "<sheet name='B' sheetId='2' r:id='rId1'/>",
    "<cols><col/></cols>",
)  # fmt: skip
_PARTS = (
    "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/styles.xml",
    "xl/workbook.xml", "xl/workbook.bin", "[Content_Types].xml", "xl/_rels/workbook.xml.rels",
    "xl/worksheets/_rels/sheet1.xml.rels", "docProps/core.xml", "docProps/custom.xml", "xl/theme/theme1.xml",
    "xl/chartsheets/sheet1.xml", "xl/embeddings/a.xlsx", "../a.xml", "/xl/a.xml", "",
)  # fmt: skip


def workbook_changed(data: bytes, most: int, seed: int, mutated: Callable[[bytes, int], bytes]) -> bytes:
    """A workbook with something changed in one of its parts, its parts changed, or its bytes mutated.

    Parameters
    ----------
    data : bytes
        One byte that chooses, and a zip.
    most : int
        No more bytes than these.
    seed : int
        The same one gives the same change.
    mutated : callable
        Mutates bytes, up to a length.
    """
    chance = random.Random(seed)
    parts = _parts(data[1:])
    if not parts or chance.random() < 0.1:
        return mutated(data, most)
    choice = data[:1] if chance.random() < 0.9 else bytes([chance.randrange(256)])
    for _ in range(chance.choice((1, 1, 2, 4))):
        if chance.random() < 0.1:
            _zip_changed(parts, chance)
        if not parts:
            break
        place = chance.randrange(len(parts))
        name, content = parts[place]
        parts[place] = (name, _part_changed(content, chance, mutated))
    made = choice + _zipped(parts, chance)
    return made if len(made) <= most else data


def _parts(data: bytes) -> list[tuple[str, bytes]]:
    """Names and contents of what a zip holds; none of one that is damaged, or that has grown beyond what is changed."""
    parts, left = [], MOST_TEXT
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for it in archive.infolist():
                with archive.open(it) as part:
                    parts.append((it.filename, part.read(left + 1)))
                left -= len(parts[-1][1])
                if left < 0:
                    return []
    except (
        zipfile.BadZipFile,
        ValueError,
        EOFError,
        RuntimeError,
        NotImplementedError,
        zlib.error,
        lzma.LZMAError,
        OSError,
    ):
        return []
    return parts


def _zip_changed(parts: list[tuple[str, bytes]], chance: random.Random) -> None:
    """A part more or less, under another name, twice, or the workbook in itself."""
    place, how = chance.randrange(len(parts)), chance.randrange(5)
    name, content = parts[place]
    if how == 0:
        del parts[place]
    elif how == 1:
        parts[place] = (chance.choice(_PARTS), content)
    elif how == 2:
        parts.append((chance.choice(_PARTS), content))
    elif how == 3:
        parts.append((name, content))
    else:
        parts.append((chance.choice(("xl/worksheets/sheet1.xml", "xl/embeddings/a.xlsx")), _zipped(parts, chance)))


def _part_changed(content: bytes, chance: random.Random, mutated: Callable[[bytes, int], bytes]) -> bytes:
    """A part with a number, a tag or an attribute changed, once or a million times; or its bytes mutated."""
    if len(content) > 2**20 or chance.random() < 0.15:
        short = content[:4096]
        return mutated(short or b"x", len(short) + 64) + content[4096:]
    text = content.decode("utf-8", "surrogateescape")
    how = chance.random()
    numbers, elements = list(_NUMBER.finditer(text)), list(_ELEMENT.finditer(text))
    if how < 0.35 and numbers:
        it = chance.choice(numbers)
        text = text[: it.start()] + chance.choice(_VALUES) + text[it.end() :]
    elif how < 0.5 and elements:
        it = chance.choice(elements)
        often = chance.choice((0, 0, 2, 3, 50)) if chance.random() < 0.9 else 10 ** chance.randrange(3, 7)
        text = text[: it.start()] + it[0] * min(often, MOST_TEXT // len(it[0])) + text[it.end() :]
    elif how < 0.6 and elements:
        one, other = chance.choice(elements), chance.choice(elements)
        text = text[: one.start()] + other[0] + text[one.end() :]
    elif how < 0.7 and '="' in text:
        before, value, after = _attribute(text, chance)
        often = chance.choice((1, 1, 1, 10**5, 10**7))
        text = before + chance.choice((*_VALUES, value)) * min(often, MOST_TEXT // 30) + after
    elif how < 0.9 and "<" in text:
        place = chance.choice([it.start() for it in re.finditer("<", text)])
        text = text[:place] + chance.choice(_XML) + text[place:]
    else:
        first, last = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        text = text[:first] + text[last:]
    return text.encode("utf-8", "surrogateescape")[:MOST_TEXT]


def _attribute(text: str, chance: random.Random) -> tuple[str, str, str]:
    place = chance.choice([it.end() for it in re.finditer('="', text)])
    value, quote, after = text[place:].partition('"')
    return text[:place], value, quote + after


def _zipped(parts: list[tuple[str, bytes]], chance: random.Random) -> bytes:
    """A zip of these, in which a name may come twice; the same parts give the same bytes."""
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w") as archive:
        warnings.simplefilter("ignore")  # of a name that comes twice: that is meant
        for name, content in parts:
            how = (
                zipfile.ZIP_DEFLATED
                if chance.random() < 0.995
                else chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_LZMA))
            )
            it = zipfile.ZipInfo(name or "x")
            it.compress_type = how
            archive.writestr(it, content)
    return made.getvalue()
