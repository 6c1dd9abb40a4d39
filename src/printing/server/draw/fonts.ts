import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Blob, Face, Font, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

// Only the drawing process imports this file, because HarfBuzz and the fonts take about 50 MB.

const resolver = createRequire(import.meta.url);

/** The font packages by preference; East Asian text may prefer a later package. */
const packages = [
  'jetbrains-mono',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-emoji',
] as const;
type Package = (typeof packages)[number];

interface Design {
  /** The size of an em and the shift of the baseline in dots, by which letters fill a cell of 24 dots. */
  em: number;
  drop: number;
  /**
   * The weights of regular letters, bold letters, and bold letters wider than a column. Narrow letters with
   * dense strokes are lighter, because they would blur.
   */
  weights: [regular: number, bold: number, large: number];
}
const simple: Design['weights'] = [450, 750, 750];
const joined: Design['weights'] = [450, 600, 750];
const dense: Design['weights'] = [350, 430, 600];
const designs: Record<Package, Design> = {
  'jetbrains-mono': { em: 20, drop: 0, weights: simple },
  vazirmatn: { em: 20, drop: -1, weights: joined },
  'noto-sans-hebrew': { em: 20, drop: 0, weights: simple },
  'noto-sans-thai': { em: 18, drop: 1, weights: [400, 600, 700] },
  'noto-sans-sc': { em: 22, drop: 1.5, weights: dense },
  'noto-sans-jp': { em: 22, drop: 1.5, weights: dense },
  'noto-sans-kr': { em: 22, drop: 1.5, weights: dense },
  'noto-emoji': { em: 19, drop: 0.5, weights: [350, 450, 600] },
};

interface FontFile {
  package: Package;
  path: string;
  ranges: [from: number, to: number][];
}

export interface LoadedFont {
  characters: ReadonlySet<number>;
  /** The number of font units per dot. */
  unitsPerDot: number;
  /** The shift of the baseline below that of Latin letters, in dots. */
  drop: number;
  regular: Font;
  bold: Font;
  /** The font of bold letters that are wider than a column. */
  large: Font;
}

export interface Fonts {
  /** Finds the font for a character in a text; null if no font has it. */
  of(character: string, text: string): Promise<LoadedFont | null>;
}

/** The maximum number of cached fonts, each a few hundred kB. */
const kept = 48;

export async function openFonts(): Promise<Fonts> {
  const files = (await Promise.all(packages.map(filesOf))).flat();
  const loaded = new LRUCache<string, LoadedFont>({ max: kept });
  const load = async (file: FontFile) => {
    const known = loaded.get(file.path);
    if (known) return known;
    const font = await loadFont(file);
    loaded.set(file.path, font);
    return font;
  };
  const having = new Map<number, readonly FontFile[]>();
  const filesWith = (code: number) => {
    const known = having.get(code);
    if (known) return known;
    const found = files.filter(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to));
    having.set(code, found);
    return found;
  };
  return {
    async of(character, text) {
      const code = character.codePointAt(0) ?? 0;
      for (const file of preferred(filesWith(code), character, text)) {
        const font = await load(file);
        // The file's declared ranges may include characters that the file lacks.
        if (font.characters.has(code)) return font;
      }
      return null;
    },
  };
}

/** Sorts font files by preference. Han characters differ in Japanese and Korean, so the neighbouring letters decide. */
function preferred(files: readonly FontFile[], character: string, text: string): FontFile[] {
  const first = firstPackage(character, text);
  return files.toSorted((one, other) => Number(other.package === first) - Number(one.package === first));
}

function firstPackage(character: string, text: string): Package | null {
  // The first font's zero is slashed and looks like an 8 on paper.
  if (character === '0') return 'noto-sans-hebrew';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'noto-sans-jp';
  return /\p{Script=Hangul}/u.test(text) ? 'noto-sans-kr' : null;
}

async function filesOf(name: Package): Promise<FontFile[]> {
  const folder = `@fontsource-variable/${name}`;
  // Fontsource generates `unicode.json` from the font's own subsets.
  const subsets = JSON.parse(await readFile(resolver.resolve(`${folder}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >;
  return Object.entries(subsets).map(([subset, ranges]) => ({
    package: name,
    path: resolver.resolve(`${folder}/files/${name}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: ranges.split(',').map((range) => {
      const [from = '', to = from] = range.trim().replace('U+', '').split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    }),
  }));
}

async function loadFont(file: FontFile): Promise<LoadedFont> {
  const face = new Face(new Blob(await decompress(await readFile(file.path))));
  const { em, drop, weights } = designs[file.package];
  const { min = 400, max = 700 } = face.getAxisInfos()['wght'] ?? {};
  const weighted = (weight: number) => {
    const font = new Font(face);
    font.setVariations([new Variation('wght', Math.min(max, Math.max(min, weight)))]);
    return font;
  };
  return {
    characters: new Set(face.collectUnicodes()),
    unitsPerDot: face.upem / em,
    drop,
    regular: weighted(weights[0]),
    bold: weighted(weights[1]),
    large: weighted(weights[2]),
  };
}
