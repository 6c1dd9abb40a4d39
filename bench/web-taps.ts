import { chromium, type Locator, type Page } from '@playwright/test';
import { calmRounds } from './calm-rounds.ts';
import type { Item, Menu, OptionGroup } from '#menu/menu-shapes.ts';

/** One kind of tap, and the ms that the screen took to respond: the median of its rounds. */
export interface Tap {
  name: string;
  ms: number;
}

const rounds = 5;
/** How long a finger touches the screen, in ms: a quick tap. Letters come twice as fast, which is fast on a phone. */
const touchMs = 80;

/**
 * Taps through a shop's menu on a phone's screen, from the dish's card to the basket, with the processor this many times
 * slower. The time of a tap is the browser's own (Event Timing): from the touch to the first frame that responds to it.
 */
export async function measureTaps(
  shopUrl: string,
  chromiumPath: string,
  slowdown = 4,
): Promise<{ taps: Tap[]; words: string }> {
  const dishId = await dishWithChoices(shopUrl);
  const { counted, words } = await onPhone(shopUrl, chromiumPath, async (page) => {
    await page.addInitScript(recordInteractions);
    return tapThrough(page, dishId, slowdown);
  });
  const times = Map.groupBy(counted.flat(), ({ name }) => name);
  return { taps: [...times].map(([name, all]) => ({ name, ms: median(all.map(({ ms }) => ms)) })), words };
}

/**
 * Scrolls a shop's menu by 19,200 px at 2,400 px/s on a phone's screen. Returns the longest task of the main thread in ms,
 * the median of its rounds, with the processor this many times slower; 0 if no task took 50 ms or more.
 */
export async function measureScroll(
  shopUrl: string,
  chromiumPath: string,
  slowdown: number,
): Promise<{ ms: number; words: string }> {
  const { counted, words } = await onPhone(shopUrl, chromiumPath, async (page) => {
    const session = await page.context().newCDPSession(page);
    await page.goto('/menu');
    // The service worker stores its files on another thread, for which a phone has cores and this machine has not.
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await idle(page);
    await page.evaluate(recordLongTasks);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    for (let gesture = 0; gesture < 8; gesture += 1) {
      await session.send('Input.synthesizeScrollGesture', { x: 200, y: 500, yDistance: -2400, speed: 2400 });
    }
    await idle(page);
    const [at, longest] = (await page.evaluate('[scrollY, Math.max(0, ...longTasks)]')) as [number, number];
    if (at < 19_000) throw new Error(`The menu scrolled to ${at} px only.`);
    return longest;
  });
  return { ms: median(counted), words };
}

/** Takes rounds on a phone's screen, each in a new context, and keeps the calmest. */
async function onPhone<T>(shopUrl: string, chromiumPath: string, round: (page: Page) => Promise<T>) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    return await calmRounds(rounds, async () => {
      const context = await browser.newContext({
        baseURL: shopUrl,
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        locale: 'en-GB',
        timezoneId: 'Europe/London',
      });
      const result = await round(await context.newPage());
      await context.close();
      return result;
    });
  } finally {
    await browser.close();
  }
}

async function tapThrough(page: Page, dishId: string, slowdown: number): Promise<Tap[]> {
  const taps: Tap[] = [];
  const measure = async (name: string, act: () => Promise<void>) => {
    // Work that is left of the previous step must not count for this one.
    await idle(page);
    await page.evaluate('interactions.length = 0');
    await act();
    await idle(page);
    const longest: unknown = await page.evaluate('Math.max(0, ...interactions)');
    taps.push({ name, ms: Number(longest) });
  };
  const tap = async (name: string, target: Locator) => {
    // A person sees the target before tapping, so scrolling to it, and pictures that load meanwhile, do not count.
    await target.scrollIntoViewIfNeeded();
    await idle(page);
    const finger = await target.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const middle = { x: x + width / 2, y: y + height / 2 };
      return element.contains(element.ownerDocument.elementFromPoint(middle.x, middle.y)) ? middle : null;
    });
    if (!finger) throw new Error(`Another element covers what is tapped to ${name}.`);
    await measure(name, async () => {
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] });
      await page.waitForTimeout(touchMs);
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    });
  };
  const type = async (name: string, word: string) =>
    measure(name, async () => {
      for (const letter of word) {
        await page.keyboard.press(letter, { delay: touchMs });
        await page.waitForTimeout(touchMs);
      }
    });

  const session = await page.context().newCDPSession(page);
  await page.goto('/menu');
  await idle(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const dialog = page.getByRole('dialog');

  await tap('open a dish', page.locator(`a[href="/menu?item=${dishId}"]`).first());
  await dialog.waitFor();
  await tap('choose an option', dialog.locator('label:has(input[type=radio]:not(:checked):enabled)').first());
  await tap('add to the basket', dialog.locator('button.btn-primary'));
  await dialog.waitFor({ state: 'hidden' });
  await tap('open the basket', page.getByRole('button', { name: /basket/i }).last());
  await tap('change a quantity', dialog.getByRole('group').getByRole('button').last());
  await tap('close the basket', dialog.getByRole('button').first());
  await dialog.waitFor({ state: 'hidden' });
  await tap('go to a category', page.locator('nav a[href^="#category-"]').nth(1));
  await tap('go to the last category', page.locator('nav a[href^="#category-"]').last());
  const search = page.getByRole('searchbox');
  await tap('go to the search', search);
  await type('type in the search', 'chiken');
  await measure('clear the search', () => search.press('Escape'));
  await tap('open the filter', page.getByRole('search').getByRole('button').last());
  await dialog.waitFor();
  await tap('filter by a diet', dialog.getByRole('checkbox').first());
  return taps;
}

/** The dish with the most options that can be added with its defaults: its sheet costs the most. */
async function dishWithChoices(shopUrl: string): Promise<string> {
  const response = await fetch(`${shopUrl}/v1/menus?include=categories.items.option_groups.options&per_page=200`);
  const { data } = (await response.json()) as { data: Menu[] };
  const items = data.flatMap(({ categories = [] }) => categories.flatMap((category) => category.items ?? []));
  const ready = items.filter(
    ({ is_available: isThere, option_groups: groups = [] }) =>
      isThere &&
      groups.some(isRadio) &&
      groups.every(({ min_select: min, options = [] }) => min <= options.filter((each) => each.is_default).length),
  );
  const [most] = ready.sort((a, b) => countOptions(b) - countOptions(a));
  if (!most) throw new Error('The menu has no dish with choices that can be added as it opens.');
  return most.id;
}

function isRadio({ min_select: min, max_select: max, options = [] }: OptionGroup): boolean {
  return min === 1 && max === 1 && options.length > 1;
}

function countOptions({ option_groups: groups = [] }: Item): number {
  return groups.reduce((sum, { options = [] }) => sum + options.length, 0);
}

/** Waits until nothing has happened for a while: a frame was rendered, and the main thread was idle. */
async function idle(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestIdleCallback(done, { timeout: 3000 })), 500))',
  );
}

/** In the page: records the duration of every interaction, in ms, in steps of 8. */
const recordInteractions = `
  globalThis.interactions = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) interactions.push(entry.duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 });
`;

/** In the page: records the duration of every task of at least 50 ms. */
const recordLongTasks = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
`;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
