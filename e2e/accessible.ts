import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './shop.ts';

/**
 * What axe finds in the page as it stands, dialogs and errors included, and whether anything reaches beyond its side;
 * a line each, nothing when all is well. `besides` selects what is left out: a part that was looked at elsewhere.
 */
export async function findFaults(page: Page, besides?: string): Promise<string[]> {
  // Half faded in, a colour is not what it will be.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((each) => each.effect?.getTiming().iterations !== Infinity).map((each) => each.finished.catch(() => {})))',
  );
  // No page here has a frame of another origin, so axe may stay in the page: a quarter of the time of a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  // What others draw in a frame is theirs.
  const { violations } = await (besides ? axe.exclude(besides) : axe).exclude('iframe').analyze();
  // An office page scrolls within itself, where what is too wide does not widen the document.
  const beyond = await page.evaluate<number>(
    "Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll('[data-page]')].map((each) => each.scrollWidth - each.clientWidth))",
  );
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    ...(beyond > 0 ? [`reaches ${beyond} px beyond the side`] : []),
  ];
}

/** Nothing that axe knows of keeps anybody out of the page in the state that it is in. */
export async function expectAccessible(page: Page, state = page.url(), besides?: string): Promise<void> {
  expect(await findFaults(page, besides), state).toEqual([]);
}
