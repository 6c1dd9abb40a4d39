/** The shades derived from the owner's one colour, as CSS variables of `platform/web/tokens.css`. */
export interface AccentColors {
  accent: string;
  'accent-strong': string;
  'accent-ink': string;
  /** The border of a filled element: `accent` if it contrasts with the background, otherwise `accent-text`. */
  'accent-edge': string;
  'accent-text': string;
  'accent-soft': string;
  hero: string;
  'hero-ink': string;
}

/** The backgrounds on which text and icons have the accent colour, as in `platform/web/tokens.css`. */
export const accentBackgrounds = {
  light: ['#fbf5ea', '#fffdf8', '#f3e9da'],
  dark: ['#16100d', '#211916', '#100b09'],
} as const;

const lightInk = '#fff8ee';
const darkInk = '#1c0d06';
/** The minimum contrast ratios of WCAG 2.2 for text (1.4.3) and controls (1.4.11), each with a margin for rounding. */
const text = 4.55;
const part = 3.05;

/**
 * Returns the shades of an owner's colour (`#rrggbb`) for light and dark pages. On light pages the fill is the colour
 * itself if text on it is readable, or else a darker shade. On dark pages the fill is the colour itself if it is bright
 * and saturated, or else a shade of at least 0.72 lightness. The lightness of text and edges changes until they
 * are readable.
 */
export function accentColors(color: string): { light: AccentColors; dark: AccentColors } {
  return { light: lightColors(color), dark: darkColors(color) };
}

/** WCAG's contrast of two colours (`#rrggbb`), from 1 to 21. */
export function contrastRatio(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function lightColors(color: string): AccentColors {
  const { l, c, h } = toOklch(color);
  const accent = inkOn(color) ? color : shade(l, -1, c, h, (it) => inkOn(it) !== null);
  const soft = shade(0.93, 1, Math.min(c, 0.04), h, () => true);
  const words = shade(l, -1, c, h, (it) => stands(it, [...accentBackgrounds.light, soft], text));
  return {
    ...filled(accent, words, accentBackgrounds.light),
    'accent-text': words,
    'accent-soft': soft,
    ...heroOf(accent),
  };
}

function darkColors(color: string): AccentColors {
  const { l, c, h } = toOklch(color);
  const readsDark = (it: string) => contrastRatio(it, darkInk) >= text;
  // A bright colour is kept for the fill and the hero, because yellow and orange turn olive and brown when they are
  // darkened.
  const isBright = l >= 0.72 && c >= 0.1 && readsDark(color);
  const accent = isBright ? color : shade(Math.max(l, 0.72), 1, Math.min(c, 0.16), h, readsDark);
  const soft = shade(0.3, -1, Math.min(c, 0.06), h, () => true);
  const words = shade(Math.max(l, 0.74), 1, Math.min(c, 0.14), h, (it) =>
    stands(it, [...accentBackgrounds.dark, soft], text),
  );
  const hero = isBright ? color : shade(Math.min(l, 0.38), -1, c * 0.8, h, (it) => contrastRatio(it, lightInk) >= text);
  return {
    ...filled(accent, words, accentBackgrounds.dark),
    'accent-text': words,
    'accent-soft': soft,
    ...heroOf(hero),
  };
}

function filled(accent: string, words: string, on: readonly string[]) {
  const { l, c, h } = toOklch(accent);
  const ink = inkOn(accent) ?? darkInk;
  return {
    accent,
    'accent-strong': shade(
      l + (ink === lightInk ? -0.07 : 0.06),
      ink === lightInk ? -1 : 1,
      c,
      h,
      (it) => contrastRatio(it, ink) >= text,
    ),
    'accent-ink': ink,
    'accent-edge': stands(accent, on, part) ? accent : words,
  };
}

function heroOf(hero: string) {
  return { hero, 'hero-ink': inkOn(hero) ?? lightInk };
}

function inkOn(color: string): string | null {
  return [lightInk, darkInk].find((ink) => contrastRatio(color, ink) >= text) ?? null;
}

function stands(color: string, on: readonly string[], least: number): boolean {
  return on.every((ground) => contrastRatio(color, ground) >= least);
}

/**
 * Tries shades from the lightness `start` on: darker ones if `way` is -1, lighter ones if it is 1. Returns the first
 * shade that `willDo` accepts, or black or white if it accepts none.
 */
function shade(start: number, way: 1 | -1, c: number, h: number, willDo: (color: string) => boolean): string {
  for (let l = start; l > 0 && l < 1; l += way * 0.005) {
    const color = fromOklch(l, c, h);
    if (willDo(color)) return color;
  }
  return way === 1 ? '#ffffff' : '#000000';
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = linear(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function linear(color: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/**
 * Converts to OKLCH, the polar form of Björn Ottosson's OKLab, in which equal steps of lightness look equal and do not
 * change the hue.
 */
function toOklch(color: string): { l: number; c: number; h: number } {
  const [r = 0, g = 0, b = 0] = linear(color);
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const y = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  return { l, c: Math.hypot(x, y), h: Math.atan2(y, x) };
}

/** Converts to `#rrggbb`; reduces the chroma until the colour is displayable. */
function fromOklch(l: number, c: number, h: number): string {
  for (let chroma = c; chroma > 0; chroma -= 0.004) {
    const rgb = toLinear(l, chroma, h);
    if (rgb.every((value) => value >= -0.0005 && value <= 1.0005)) return hex(rgb);
  }
  return hex(toLinear(l, 0, h));
}

function toLinear(l: number, c: number, h: number): number[] {
  const x = c * Math.cos(h);
  const y = c * Math.sin(h);
  const long = (l + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const medium = (l - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const short = (l - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function hex(rgb: readonly number[]): string {
  const bytes = rgb.map((value) => {
    const bounded = Math.min(1, Math.max(0, value));
    return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
