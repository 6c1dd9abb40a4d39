import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { orderStatusTable } from '#ordering/order-status.ts';
import { accentBackgrounds, contrastRatio } from '#store/accent.ts';

const states = [...Object.keys(orderStatusTable), 'ready'].toSorted();
const inkOfMost = '#fff8ee';

const sheet = await readFile(new URL('web/order/order-headline.css', import.meta.url), 'utf8');
const [light = '', dark = ''] = sheet.split('@media (prefers-color-scheme: dark)');

/** The background and the text colour of each state in a part of the style sheet. */
function colorsIn(css: string): Record<string, { state: string; ink: string }> {
  const rules = css.matchAll(/\[data-state='(\w+)'\] \{\s+--state: (#\w+);(?:\s+--state-ink: (#\w+);)?/g);
  return Object.fromEntries([...rules].map(([, name = '', state = '', ink = inkOfMost]) => [name, { state, ink }]));
}

test('the text of most states has one colour', () => {
  expect(sheet).toContain(`--state-ink: ${inkOfMost};`);
});

// On a dark page, even the state that stands out least is seen as a coloured box.
test.each([
  ['light', colorsIn(light), 1.5],
  ['dark', { ...colorsIn(light), ...colorsIn(dark) }, 2],
] as const)(
  'each state of an order has a colour of its own on a %s page, under readable text',
  (scheme, colors, least) => {
    expect(Object.keys(colors).toSorted()).toEqual(states);
    expect(new Set(Object.values(colors).map(({ state }) => state)).size).toBe(states.length);
    for (const { state, ink } of Object.values(colors)) {
      expect(contrastRatio(state, ink)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(state, accentBackgrounds[scheme][0])).toBeGreaterThan(least);
    }
  },
);
