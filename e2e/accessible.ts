import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect } from './shop.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * During a transition a colour is not final. A tapped element opens one frame later, so this waits for that too. The
 * browser may never end a transition of what it does not draw, so this waits no longer than ten times the slowest.
 */
const untilStill = `(async () => {
  const frame = () => new Promise((draw) => requestAnimationFrame(draw));
  const end = performance.now() + 5_000;
  const moving = () => document.getAnimations().filter((each) => each.playState === 'running' && each.effect?.getTiming().iterations !== Infinity);
  for (let still = 0; still < 2 && performance.now() < end; still += 1) {
    await frame();
    if (moving().length === 0) continue;
    const ended = Promise.all(moving().map((each) => each.finished.catch(() => {})));
    await Promise.race([ended, new Promise((late) => setTimeout(late, Math.max(0, end - performance.now())))]);
    still = -1;
  }
})()`;

/** The rules of axe that another width or colour scheme can break for elements that keep every other one. */
export const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'] as const;

/**
 * What axe finds in the page in its current state, with dialogs and errors, and whether anything is wider than it; one
 * line per fault, empty if all is well. `besides` selects a part to leave out because another check covers it.
 */
export async function findFaults(page: Page, besides?: string, part: Part = {}): Promise<string[]> {
  await page.evaluate(untilStill);
  // Loaded once per document: reloaded and run cold, axe takes twice as long.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const violations = await page.evaluate(
    // Changes that other code renders in a frame do not concern this check.
    async ([context, options]) => {
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
      return (await inPage.run(context, { resultTypes: ['violations'], ...options })).violations;
    },
    [
      { ...(part.within && { include: [part.within] }), exclude: ['iframe', ...(besides ? [besides] : [])] },
      part.rules ? { runOnly: [...part.rules] } : {},
    ] as const,
  );
  const beyond = await widthBeyond(page);
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    ...(beyond > 0 ? [`reaches ${beyond} px beyond the side`] : []),
  ];
}

/** By how many pixels anything is wider than the page. */
export function widthBeyond(page: Page): Promise<number> {
  // An office page scrolls an inner element, so content that is too wide does not widen the document.
  return page.evaluate<number>(
    "Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('[data-page]')].map((each) => each.scrollWidth - each.clientWidth))",
  );
}

/** Changes an office page to this colour scheme, and waits until it is drawn. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  // Rendered by the second frame.
  await page.evaluate('new Promise((draw) => requestAnimationFrame(() => requestAnimationFrame(() => draw())))');
}

/** The faults of an office page in both colour schemes, which differ in colours only; its own one is restored afterwards. */
export async function findFaultsInBoth(page: Page, opened: 'light' | 'dark'): Promise<string[]> {
  const found: string[] = [];
  const other = opened === 'light' ? 'dark' : 'light';
  for (const colorScheme of [other, opened] as const) {
    await showIn(page, colorScheme);
    const faults = await findFaults(page, undefined, colorScheme === other ? { rules: rulesOfLooks } : {});
    found.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}

/** Expects that axe finds no fault in the page in its current state. */
export async function expectAccessible(
  page: Page,
  state = page.url(),
  besides?: string,
  within?: string,
): Promise<void> {
  expect(await findFaults(page, besides, { within }), state).toEqual([]);
}

/** Expects no fault of colour or scrolling in elements that were checked before at another width or scheme. */
export async function expectStillAccessible(page: Page, state: string, within?: string): Promise<void> {
  expect(await findFaults(page, undefined, { within, rules: rulesOfLooks }), state).toEqual([]);
}

/** Calls `expectAccessible` in light and in dark; the scheme changes colours only. */
export async function expectAccessibleInBoth(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${state}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectStillAccessible(page, `${state}, dark`);
  await page.emulateMedia({ colorScheme: null });
}

/** The part of a page that is still to be checked: the elements that this selects, and only these rules of axe. */
interface Part {
  within?: string | undefined;
  rules?: readonly string[];
}
