import type { Browser, Page } from '@playwright/test';
import { beOffline, isKept } from './in-page.ts';
import { type Network, origin } from './network.ts';
import { menuOf } from './pages.ts';
import { openPhone, withTimeout, type PhoneOptions, phoneSize, until } from './phone.ts';
import type { Tally } from './tally.ts';

/** A quarter of this machine's speed. */
const slowDown = 4;
const rounds = 7;
/** A page without a script of ours, of as many lines as a menu has dishes: what any page costs here. */
const barePage = '/bare.html';

/**
 * Measures how soon the menu last seen stands after the app's page was opened, without a network, on a slow phone. It is a
 * measurement for the reader: other work on the machine would make a limit fail by chance.
 */
export async function measureStart(
  tally: Tally,
  browser: Browser,
  network: Network,
  options: Omit<PhoneOptions, 'width' | 'height'>,
): Promise<void> {
  const { page, context } = await openPhone(browser, { ...options, ...phoneSize });
  await menuOf(page).waitFor(withTimeout);
  await until(() => page.evaluate(isKept));
  network.setReachable(false);
  await context.addInitScript(beOffline);
  await context.addInitScript(noteMenu);
  await context.route(origin + barePage, (route) => route.fulfill({ contentType: 'text/html', body: bare }));
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const [menu, plain]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    menu?.push(await timeOf(page, '/menu'));
    plain?.push(await timeOf(page, barePage));
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  network.setReachable(true);
  await context.close();
  const [opened, bareTime] = [middle(menu ?? []), middle(plain ?? [])];
  tally.check('the menu last seen stands without a network', opened > 0 && bareTime > 0);
  console.log(
    `          the menu last seen, without a network, at 1/${slowDown} of the speed: ${Math.round(opened)} ms ` +
      `(${menu?.map(Math.round).join(', ')}), ${(opened / bareTime).toFixed(1)} times a bare page of 60 lines (${Math.round(bareTime)} ms)`,
  );
}

const bare = `<!doctype html><meta charset="utf-8"><main></main><script>
document.querySelector('main').innerHTML = '<h2>Dish</h2><p>Words about it</p><p>£8.50</p>'.repeat(60);
</script>`;

async function timeOf(page: Page, path: string): Promise<number> {
  await page.goto(origin + path, { waitUntil: 'commit' });
  await page.waitForFunction(menuNoted, undefined, withTimeout);
  return (await page.evaluate(menuNoted)) ?? 0;
}

declare const document: { querySelector(selector: string): { textContent: string | null } | null };
declare class MutationObserver {
  constructor(heard: () => void);
  observe(target: unknown, options: object): void;
  disconnect(): void;
}
declare function requestAnimationFrame(run: () => void): void;

/** In the page: the time of the first frame after a price stands on it. */
function noteMenu(): void {
  const look = () => {
    if (!document.querySelector('main')?.textContent?.includes('£')) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      // After this frame is drawn.
      setTimeout(() => Object.assign(globalThis, { menuAt: performance.now() }));
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}

function menuNoted(): number | undefined {
  return (globalThis as { menuAt?: number }).menuAt;
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
