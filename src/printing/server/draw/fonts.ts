import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Blob, Face, Font, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

// Only the drawing process imports this file, because HarfBuzz and the fonts take about 50 MB.

const resolver = createRequire(import.meta.url);

/** The fonts by preference. For East Asian text, `preferred` may move a later font to the front. */
const families = [
  'jetbrains-mono',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-tamil',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-malayalam',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-emoji',
] as const;
type Family = (typeof families)[number];

interface Design {
  /**
   * `em`: the size of an em in dots. `drop`: the shift of the baseline in dots. With both, the letters fill a cell of
   * 24 dots.
   */
  em: number;
  drop: number;
  /**
   * The weights of regular letters, bold letters, and bold letters wider than a column. Narrow letters with dense
   * strokes get lower weights, because heavy strokes would blur.
   */
  weights: [regular: number, bold: number, large: number];
}
const simple: Design['weights'] = [450, 750, 750];
const joined: Design['weights'] = [450, 600, 750];
const dense: Design['weights'] = [350, 430, 600];
/** The letters are smaller than Latin ones, because vowel signs stand above and below them. */
const indic: Design = { em: 17, drop: 0, weights: [450, 600, 700] };
const designs: Record<Family, Design> = {
  'jetbrains-mono': { em: 20, drop: 0, weights: simple },
  vazirmatn: { em: 20, drop: -1, weights: joined },
  'noto-sans-hebrew': { em: 20, drop: 0, weights: simple },
  'noto-sans-thai': { em: 18, drop: 1, weights: [400, 600, 700] },
  'noto-sans-devanagari': indic,
  'noto-sans-bengali': indic,
  'noto-sans-tamil': indic,
  'noto-sans-gujarati': indic,
  'noto-sans-gurmukhi': indic,
  'noto-sans-malayalam': indic,
  'noto-sans-sc': { em: 22, drop: 1.5, weights: dense },
  'noto-sans-jp': { em: 22, drop: 1.5, weights: dense },
  'noto-sans-kr': { em: 22, drop: 1.5, weights: dense },
  'noto-emoji': { em: 19, drop: 0.5, weights: [350, 450, 600] },
};

interface FontFile {
  family: Family;
  path: string;
  ranges: [from: number, to: number][];
}

export interface LoadedFont {
  characters: ReadonlySet<number>;
  unitsPerDot: number;
  /** The shift of the baseline in dots, downwards from the baseline of Latin letters. */
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
  const files = (await Promise.all(families.map(filesOf))).flat();
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
        // The font file may lack a character in its declared ranges.
        if (font.characters.has(code)) return font;
      }
      return null;
    },
  };
}

/** Sorts font files by preference. Han characters differ in Japanese and Korean, so the neighbouring letters decide. */
function preferred(files: readonly FontFile[], character: string, text: string): FontFile[] {
  const first = firstFamily(character, text);
  return files.toSorted((one, other) => Number(other.family === first) - Number(one.family === first));
}

function firstFamily(character: string, text: string): Family | null {
  // JetBrains Mono's slashed zero looks like an 8 on paper.
  if (character === '0') return 'noto-sans-hebrew';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'noto-sans-jp';
  return /\p{Script=Hangul}/u.test(text) ? 'noto-sans-kr' : null;
}

/**
 * The board's style sheet for the fonts in this repository. The character ranges of these fonts are read from the style
 * sheet.
 */
const ownFonts = new URL('../../../platform/web/fonts/receipt-scripts.css', import.meta.url);
const ownFont = /url\('\.\/(noto-sans-\w+)\.woff2'\)[^;]*;\s*unicode-range:\s*([^;]+);/g;

async function filesOf(name: Family): Promise<FontFile[]> {
  const own = [...(await readFile(ownFonts, 'utf8')).matchAll(ownFont)].find(([, family]) => family === name);
  if (own) {
    const path = fileURLToPath(new URL(`${name}.woff2`, ownFonts));
    return [{ family: name, path, ranges: parseRanges(own[2] ?? '') }];
  }
  const folder = `@fontsource-variable/${name}`;
  // Fontsource generates `unicode.json` from the font's own subsets.
  const subsets = JSON.parse(await readFile(resolver.resolve(`${folder}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >;
  return Object.entries(subsets).map(([subset, ranges]) => ({
    family: name,
    path: resolver.resolve(`${folder}/files/${name}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: parseRanges(ranges),
  }));
}

function parseRanges(ranges: string): FontFile['ranges'] {
  return ranges.split(',').map((range) => {
    const [from = '', to = from] = range.trim().replace('U+', '').split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
}

async function loadFont(file: FontFile): Promise<LoadedFont> {
  const face = new Face(new Blob(await decompress(await readFile(file.path))));
  const { em, drop, weights } = designs[file.family];
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
