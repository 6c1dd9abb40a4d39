import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect } from './shop.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Half faded in, a colour is not what it will be. What is tapped opens a frame later, so that is waited for as well. */
const untilStill = `(async () => {
  const frame = () => new Promise((draw) => requestAnimationFrame(draw));
  const moving = () => document.getAnimations().filter((each) => each.playState === 'running' && each.effect?.getTiming().iterations !== Infinity);
  for (let still = 0; still < 2; still += 1) {
    await frame();
    if (moving().length === 0) continue;
    await Promise.all(moving().map((each) => each.finished.catch(() => {})));
    still = -1;
  }
})()`;

/**
 * What axe finds in the page as it stands, dialogs and errors included, and whether anything reaches beyond its side;
 * a line each, nothing when all is well. `besides` selects what is left out: a part that was looked at elsewhere.
 */
export async function findFaults(page: Page, besides?: string): Promise<string[]> {
  await page.evaluate(untilStill);
  // Once for each document: read again and run cold, axe takes twice the time.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const violations = await page.evaluate(
    // What others draw in a frame is theirs.
    async ({ exclude }) => {
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
      return (await inPage.run({ exclude }, { resultTypes: ['violations'] })).violations;
    },
    { exclude: ['iframe', ...(besides ? [besides] : [])] },
  );
  // An office page scrolls within itself, where what is too wide does not widen the document.
  const beyond = await page.evaluate<number>(
    "Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('[data-page]')].map((each) => each.scrollWidth - each.clientWidth))",
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    ...(beyond > 0 ? [`reaches ${beyond} px beyond the side`] : []),
  ];
}

/** The same of an office page in the scheme that it was opened in, and in the other one; then it is as it was opened. */
export async function findFaultsInBoth(page: Page, opened: 'light' | 'dark'): Promise<string[]> {
  const found: string[] = [];
  const other = opened === 'light' ? 'dark' : 'light';
  for (const colorScheme of [other, opened] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // Drawn by the second frame.
    await page.evaluate('new Promise((draw) => requestAnimationFrame(() => requestAnimationFrame(() => draw())))');
    found.push(...(await findFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}

/** Nothing that axe knows of keeps anybody out of the page in the state that it is in. */
export async function expectAccessible(page: Page, state = page.url(), besides?: string): Promise<void> {
  expect(await findFaults(page, besides), state).toEqual([]);
}
