"""Cuts the storefront's display fonts out of Fontsource's files, to keep the first view small.

Run it when the font has a new version, with fonttools and brotli installed, and commit the files that it writes:
    python3 scripts/cut-fonts.py

It keeps the two weights of headings and the letters of our languages; a page with other letters loads them from
Fontsource's own files. The kerning is always that of the middle weight: variable kerning is larger than the letters.
"""

from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

here = Path(__file__).resolve().parent.parent
source = here / "node_modules/@fontsource-variable/bricolage-grotesque/files"
target = here / "src/platform/web/fonts"

latin = [*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2010, 0x2028), *range(0x2030, 0x2050)]
latin += [0x131, 0x152, 0x153, 0x2BB, 0x2BC, 0x2C6, 0x2DA, 0x2DC, 0x20AC, 0x2122, 0x2212]
polish = [ord(letter) for letter in "ĄĆĘŁŃŚŹŻąćęłńśźż"]


def cut(file: Path, letters: list[int], weight) -> TTFont:
    font = instancer.instantiateVariableFont(TTFont(file), {"wght": weight})
    options = subset.Options(
        layout_features=["kern", "mark", "mkmk", "ccmp", "locl", "tnum"],
        hinting=False,
        notdef_outline=True,
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 25],
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    return font


def write(part: str, letters: list[int], name: str) -> None:
    file = source / f"bricolage-grotesque-{part}-wght-normal.woff2"
    font = cut(file, letters, (700, 800, 800))
    middle = cut(file, letters, 750)
    font["GPOS"], font["GDEF"] = middle["GPOS"], middle["GDEF"]
    font.flavor = "woff2"
    font.save(target / name)
    print(f"{name}: {(target / name).stat().st_size} bytes")


write("latin", latin, "display-latin.woff2")
write("latin-ext", polish, "display-pl.woff2")
