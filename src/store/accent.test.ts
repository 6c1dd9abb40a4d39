import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentColors, contrastRatio, accentBackgrounds } from '#store/accent.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('whatever colour the owner chooses', () => {
  test('text on it, and it as text on every ground, is readable in light and in dark', () => {
    fc.assert(
      fc.property(color, (chosen) => {
        const both = accentColors(chosen);
        for (const scheme of ['light', 'dark'] as const) {
          const shades = both[scheme];
          expect(contrastRatio(shades.accent, shades['accent-ink'])).toBeGreaterThanOrEqual(4.5);
          expect(contrastRatio(shades['accent-strong'], shades['accent-ink'])).toBeGreaterThanOrEqual(4.5);
          expect(contrastRatio(shades.hero, shades['hero-ink'])).toBeGreaterThanOrEqual(4.5);
          for (const ground of [...accentBackgrounds[scheme], shades['accent-soft']]) {
            expect(contrastRatio(shades['accent-text'], ground)).toBeGreaterThanOrEqual(4.5);
          }
          for (const ground of accentBackgrounds[scheme]) {
            expect(contrastRatio(shades['accent-edge'], ground)).toBeGreaterThanOrEqual(3);
          }
        }
      }),
    );
  });
});

test('what is filled is the very colour wherever an ink is readable on it', () => {
  fc.assert(
    fc.property(color, (chosen) => {
      fc.pre(['#fff8ee', '#1c0d06'].some((ink) => contrastRatio(chosen, ink) >= 4.6));
      const { light } = accentColors(chosen);
      expect([light.accent, light.hero]).toEqual([chosen, chosen]);
    }),
  );
  for (const bright of ['#ffee00', '#ff8800', '#ff69b4']) {
    const { dark } = accentColors(bright);
    expect([dark.accent, dark.hero]).toEqual([bright, bright]);
  }
});

test('a colour that is told from its ground needs no other edge', () => {
  expect(accentColors('#b92f16').light['accent-edge']).toBe('#b92f16');
  expect(accentColors('#ffee00').dark['accent-edge']).toBe('#ffee00');
});

test('a colour that is readable already stays what it is', () => {
  expect(accentColors('#b92f16').light.accent).toBe('#b92f16');
  expect(accentColors('#0b6e4f').light.accent).toBe('#0b6e4f');
});

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#b92f16', '#b92f16', 1],
])('the contrast of %s and %s is %d', (a, b, expected) => {
  expect(contrastRatio(a, b)).toBeCloseTo(expected, 1);
});

test('the grounds are those of the stylesheet', () => {
  const css = readFileSync('src/platform/web/tokens.css', 'utf8');
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const groundsIn = (part: string) =>
    ['paper', 'surface', 'sunken'].map((name) => new RegExp(`--${name}: (#\\w{6});`).exec(part)?.[1]);
  expect(groundsIn(light)).toEqual(accentBackgrounds.light);
  expect(groundsIn(dark)).toEqual(accentBackgrounds.dark);
});
