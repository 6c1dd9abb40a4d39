import { chromium, type Page } from '@playwright/test';
import {
  type CustomerKind,
  effortLimits,
  effortSeconds,
  type OrderEffort,
  orderAsNewGuest,
} from '../e2e/order-effort.ts';
import { openShop } from '#testing/running-shop.ts';
import { findChromium } from '../scripts/find-chromium.ts';
import { calmRounds } from './calm-rounds.ts';
import { endWithGoals, tell } from './goals.ts';

/**
 * Seconds from the home page to a placed order, for each kind of customer, with a phone at a quarter of this machine's
 * speed on slow 4G: `npm run bench -- order-effort`, some five minutes. A new guest's cache is empty.
 */
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const slowdown = 4;
const rounds = 5;

const kinds: Partial<Record<CustomerKind, (page: Page) => Promise<OrderEffort>>> = {
  'new guest': (page) => orderAsNewGuest(page, 'BBQ onion ring stack'),
};

const shop = await openShop();
const browser = await chromium.launch({
  executablePath: findChromium(console.log, { isWhole: false }),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const [kind, order] of Object.entries(kinds)) await measure(kind as CustomerKind, order);
} finally {
  await browser.close();
  await shop.stop();
}
endWithGoals();

async function measure(kind: CustomerKind, order: (page: Page) => Promise<OrderEffort>): Promise<void> {
  const { counted, words } = await calmRounds(rounds, async () => {
    const context = await browser.newContext({
      baseURL: shop.url,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      // The network of a service worker is not slowed down.
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', line);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const effort = await order(page);
    await context.close();
    return effort;
  });
  const [, , middle] = counted.toSorted((a, b) => effortSeconds(a) - effortSeconds(b));
  if (!middle) throw new Error('Too few rounds were counted.');
  const { taps, typed, seconds } = effortLimits[kind];
  console.log(`\n${kind}, median of ${words}; ${(middle.waited / 1000).toFixed(1)} s of waiting`);
  for (const { element, ms } of middle.waits) console.log(`    ${Math.round(ms)} ms: ${element}`);
  tell(`taps: ${middle.taps}`, middle.taps <= taps, `at most ${taps}`);
  tell(`typed fields: ${middle.typed}`, middle.typed <= typed, `at most ${typed}`);
  tell(`seconds: ${effortSeconds(middle).toFixed(1)}`, effortSeconds(middle) <= seconds, `at most ${seconds}`);
}
