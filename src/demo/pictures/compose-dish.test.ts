import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { composeDish } from '#demo/pictures/compose-dish.ts';
import { composeHero } from '#demo/pictures/compose-hero.ts';
import { composeLogo } from '#demo/pictures/compose-logo.ts';
import { recipes } from '#demo/pictures/recipes.ts';

const pictures = [...recipes.values()].map((recipe) => ({ recipe, svg: composeDish(recipe) }));
const gzipped = (svg: string) => gzipSync(svg).length;

describe('dish pictures', () => {
  it('are the same every time, byte for byte', () => {
    for (const { recipe, svg } of pictures) expect(composeDish(recipe)).toBe(svg);
  });

  it('differ in their content, not only by random numbers', () => {
    const scenes = pictures.map(({ recipe: { key: _key, ...scene } }) => JSON.stringify(scene));
    expect(new Set(scenes).size).toBe(scenes.length);
  });

  it('are valid documents of 400 by 300 units', () => {
    const broken = pictures.filter(
      ({ svg }) => !/^<svg [^>]*viewBox="0 0 400 300"/.test(svg) || findFaults(svg).length > 0,
    );
    expect(broken.map(({ recipe, svg }) => [recipe.key, findFaults(svg)])).toEqual([]);
  });

  it("use nothing that is slow on a phone or that a page's security policy would block", () => {
    for (const { svg } of pictures)
      expect(svg).not.toMatch(
        /<(filter|mask|image|style|script|text|foreignObject)|https?:(?!\/\/www\.w3\.org\/2000\/svg)/,
      );
  });

  it('are small: 2.5 KB compressed on average, 6 KB for a whole table', () => {
    const sizes = pictures.map(({ svg }) => gzipped(svg));
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(2500);
    expect(Math.max(...sizes)).toBeLessThan(6000);
  });
});

describe('the hero', () => {
  it('is a valid document of at most 20 KB compressed', () => {
    const svg = composeHero();
    expect(findFaults(svg)).toEqual([]);
    expect(gzipped(svg)).toBeLessThan(20_000);
  });
});

describe('the mark', () => {
  it('is drawn in the one requested colour', () => {
    expect(composeLogo('#123456').match(/fill="[^"]+"/g)).toEqual(['fill="#123456"']);
  });
});

/** Faults that a browser would not accept: broken nesting, references to missing ids, invalid numbers. */
function findFaults(svg: string): string[] {
  const odd = svg.match(/NaN|undefined|null|Infinity|\de-\d/);
  return [...findUnbalanced(svg), ...findDangling(svg), ...(odd ?? [])];
}

/** Elements that are closed in the wrong order, or never closed. */
function findUnbalanced(svg: string): string[] {
  const open: string[] = [];
  for (const [, closing, name, , selfClosing] of svg.matchAll(
    /<(\/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
  )) {
    if (name === undefined || selfClosing === '/') continue;
    if (closing === '') open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  const leftOver = svg.replaceAll(/<\/?[A-Za-z]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');
  return leftOver === '' ? open : [leftOver];
}

/** Ids that are used and not defined, or defined twice. */
function findDangling(svg: string): string[] {
  const defined = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '');
  const known = new Set(defined);
  const used = [...svg.matchAll(/(?:href="#|url\(#)([^")]+)/g)].map(([, id]) => id ?? '');
  const twice = defined.filter((id, index) => defined.indexOf(id) !== index);
  return [...used.filter((id) => !known.has(id)), ...twice];
}
