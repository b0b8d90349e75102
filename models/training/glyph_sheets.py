"""Draws the glyph sheets of the project from the fonts of this machine; run once, the sheets are kept.

    python -m models.training.glyph_sheets /usr/share/fonts /path/to/unpacked/fontsource/packages

Each font gives one grey PNG, one row of cells; index.json names the signs in it, the style, the licence and whether
the font may be trained on. Some fonts of each style are for testing only.
"""

import io
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from fontTools.ttLib import TTFont
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from models.glyphs import CELL_PX, SHEETS
from models.labels import SIGNS

EXTRA_SIGNS = "楚河漢汉界"
"""Not on pieces, but written on the river of most boards."""
SIGNS_DRAWN = "".join(SIGNS.values()) + EXTRA_SIGNS
MARGIN_PX = 2
GREYS = 17
"""Levels kept: enough for smooth edges, and the files shrink to half."""


@dataclass(frozen=True)
class FontSource:
    """One face of one font file."""

    name: str
    path: str
    """Below one of the folders given; a folder for fonts that come in slices."""
    style: str
    licence: str
    split: str = "train"
    face: int = 0


OFL, APL, PD = "OFL-1.1", "Arphic Public License", "public domain"
NOTO = "opentype/noto/Noto"
FONTS = [
    FontSource("ukai-cn", "truetype/arphic/ukai.ttc", "kai", APL),
    FontSource("ukai-tw", "truetype/arphic/ukai.ttc", "kai", APL, face=2),
    FontSource("tw-kai", "truetype/cns11643/TW-Kai-98_1.ttf", "kai", "OGDL-TW-1.0", "test"),
    FontSource("bkai", "truetype/arphic-bkai00mp/bkai00mp.ttf", "kai", APL),
    FontSource("gkai", "truetype/arphic-gkai00mp/gkai00mp.ttf", "kai", APL),
    FontSource("wenkai-light", "truetype/lxgw-wenkai/LXGWWenKai-Light.ttf", "kai", OFL),
    FontSource("wenkai-bold", "truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", "kai", OFL),
    FontSource("klee", "truetype/klee/KleeOne-SemiBold.ttf", "kai", OFL),
    FontSource("uming-cn", "truetype/arphic/uming.ttc", "song", APL),
    FontSource("tw-sung", "truetype/cns11643/TW-Sung-98_1.ttf", "song", "OGDL-TW-1.0"),
    FontSource("bsmi", "truetype/arphic-bsmi00lp/bsmi00lp.ttf", "song", APL),
    FontSource("gbsn", "truetype/arphic-gbsn00lp/gbsn00lp.ttf", "song", APL),
    FontSource("babelstone", "truetype/babelstone/BabelStoneHan.ttf", "song", APL, "test"),
    FontSource("hanazono", "truetype/hanazono/HanaMinA.ttf", "song", OFL),
    FontSource("ipaex", "opentype/ipaexfont-mincho/ipaexm.ttf", "song", "IPA Font License 1.0"),
    FontSource("noto-serif-black-jp", NOTO + "SerifCJK-Black.ttc", "song", OFL, face=0),
    FontSource("noto-serif-black-sc", NOTO + "SerifCJK-Black.ttc", "song", OFL, face=2),
    FontSource("noto-serif-medium-tc", NOTO + "SerifCJK-Medium.ttc", "song", OFL, face=3),
    FontSource("noto-sans-light-sc", NOTO + "SansCJK-Light.ttc", "hei", OFL, face=2),
    FontSource("noto-sans-bold-tc", NOTO + "SansCJK-Bold.ttc", "hei", OFL, face=3),
    FontSource("noto-sans-black-jp", NOTO + "SansCJK-Black.ttc", "hei", OFL, face=0),
    FontSource("wqy-microhei", "truetype/wqy/wqy-microhei.ttc", "hei", "Apache-2.0"),
    FontSource("droid", "truetype/droid/DroidSansFallbackFull.ttf", "hei", "Apache-2.0", "test"),
    FontSource("smiley", "truetype/smiley-sans/SmileySans-Oblique.ttf", "hei", OFL),
    FontSource("seto", "truetype/seto/setofont.ttf", "hand", OFL, "test"),
    FontSource("kiloji", "truetype/kiloji/kiloji_b.ttf", "hand", "BSD-3-Clause"),
    FontSource("yusei", "truetype/yusei-magic/YuseiMagic-Regular.ttf", "hand", OFL),
    FontSource("kouzan-kai", "truetype/kouzan-mouhitsu/kouzan-mouhitsu.ttf", "brush", PD),
    FontSource("kouzan-running", "truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf", "brush", PD),
    FontSource("kouzan-cursive", "truetype/kouzan-mouhitsu/KouzanBrushFontSousyo.ttf", "cursive", PD),
    FontSource("aoyagi-kouzan", "truetype/aoyagi-kouzan-t/AoyagiKouzanT.ttf", "brush", PD),
    FontSource("aoyagi-soseki", "truetype/aoyagi-soseki/aoyagi-soseki.ttf", "brush", PD, "test"),
    FontSource("ma-shan-zheng", "ma-shan-zheng", "brush", OFL),
    FontSource("zhi-mang-xing", "zhi-mang-xing", "running", OFL),
    FontSource("liu-jian-mao-cao", "liu-jian-mao-cao", "cursive", OFL),
    FontSource("long-cang", "long-cang", "running", OFL, "test"),
    FontSource("yuji-boku", "yuji-boku", "brush", OFL),
    FontSource("yuji-mai", "yuji-mai", "li", OFL),
    FontSource("yuji-syuku", "yuji-syuku", "kai", OFL),
    FontSource("potta", "potta-one", "brush", OFL),
    FontSource("reggae", "reggae-one", "hei", OFL),
    FontSource("zcool-xiaowei", "zcool-xiaowei", "song", OFL),
    FontSource("zcool-kuaile", "zcool-kuaile", "hand", OFL),
    FontSource("zcool-huangyou", "zcool-qingke-huangyou", "hei", OFL),
    FontSource("dela-gothic", "dela-gothic-one", "hei", OFL),
    FontSource("zen-kurenaido", "zen-kurenaido", "hand", OFL),
    FontSource("yomogi", "yomogi", "hand", OFL),
    FontSource("zen-old-mincho", "zen-old-mincho", "song", OFL),
    FontSource("kaisei-opti", "kaisei-opti", "song", OFL),
    FontSource("shippori", "shippori-mincho", "song", OFL),
]


def open_faces(path: Path, face: int) -> Iterator[tuple[set[int], ImageFont.FreeTypeFont]]:
    """Every file of a font with the code points it has."""
    size_px = 3 * CELL_PX
    files = [path] if path.is_file() else sorted((path / "files").glob("*-400-normal.woff2"))
    for file in files:
        table = TTFont(file, fontNumber=face, lazy=True)
        covered = set(table.getBestCmap())
        if path.is_file():
            yield covered, ImageFont.truetype(str(file), size_px, index=face)
        elif covered & {ord(sign) for sign in SIGNS_DRAWN}:
            table.flavor = None
            plain = io.BytesIO()
            table.save(plain)
            plain.seek(0)
            yield covered, ImageFont.truetype(plain, size_px)


def draw_sign(font: ImageFont.FreeTypeFont, sign: str) -> NDArray[np.uint8] | None:
    """(CELL_PX, CELL_PX) grey, ink 255, scaled so that its longer side fills the cell; None where the font has only
    an empty shape."""
    canvas = Image.new("L", (5 * CELL_PX, 5 * CELL_PX), 0)
    ImageDraw.Draw(canvas).text((CELL_PX, CELL_PX), sign, font=font, fill=255)
    box = canvas.getbbox()
    if box is None:
        return None
    tight = np.asarray(canvas.crop(box))
    scale = (CELL_PX - 2 * MARGIN_PX) / max(tight.shape)
    small = cv2.resize(tight, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cell = np.zeros((CELL_PX, CELL_PX), np.uint8)
    y, x = (CELL_PX - small.shape[0]) // 2, (CELL_PX - small.shape[1]) // 2
    cell[y : y + small.shape[0], x : x + small.shape[1]] = small
    step = 255.0 / (GREYS - 1)
    return (np.round(np.round(cell / step) * step)).astype(np.uint8)


def main(folders: list[Path]) -> None:
    index = []
    for source in FONTS:
        path = next((folder / source.path for folder in folders if (folder / source.path).exists()), None)
        if path is None:
            print(f"missing: {source.path}")
            continue
        cells: dict[str, NDArray[np.uint8]] = {}
        for covered, font in open_faces(path, source.face):
            for sign in SIGNS_DRAWN:
                if ord(sign) in covered and sign not in cells:
                    cell = draw_sign(font, sign)
                    if cell is not None:
                        cells[sign] = cell
        signs = "".join(sign for sign in SIGNS_DRAWN if sign in cells)
        cv2.imwrite(
            str(SHEETS / f"{source.name}.png"),
            np.hstack([cells[sign] for sign in signs]),
            [cv2.IMWRITE_PNG_COMPRESSION, 9],
        )
        entry = asdict(source)
        index.append({key: entry[key] for key in ("name", "style", "licence", "split")} | {"signs": signs})
        print(f"{source.name}: {signs}")
    text = json.dumps(index, ensure_ascii=False, indent=1)
    (SHEETS / "index.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
