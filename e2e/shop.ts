import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { noteProcessorTime, spentByTree } from '#testing/processor-time.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import './quick-stacks.ts';

export { expect } from '@playwright/test';

interface OfTest {
  measured: void;
  shop: Shop;
  window: (options?: Parameters<Browser['newContext']>[0]) => Promise<Page>;
}

/** A shop, reset for each file of journeys. A console error or a page error in any window fails the test. */
export const test = base.extend<
  OfTest,
  {
    /** Where the shop looks for Stripe; it is away unless a journey answers there. */
    stripeServer: Server;
    shopOf: (file: string) => Promise<Shop>;
    measure: (file: string) => void;
  }
>({
  stripeServer: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
    async ({}, use) => {
      const server = createServer((_request, response) => {
        if (server.listenerCount('request') === 1) response.writeHead(503).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use(server);
      server.close();
      server.closeAllConnections();
    },
    { scope: 'worker' },
  ],
  shopOf: [
    async ({ stripeServer }, use) => {
      // The server listens on a port.
      const { port } = stripeServer.address() as AddressInfo;
      // It may connect to simulated printers of its own machine.
      const settings = { STRIPE_API_BASE: `http://127.0.0.1:${port}`, PRINTER_SIMULATOR: '1' };
      let open: { file: string; shop: Shop } | null = null;
      await use(async (file) => {
        // A file's changes to its shop do not affect other files, whichever of them this worker runs.
        if (open && open.file !== file) await open.shop.reset();
        open = { file, shop: open?.shop ?? (await openShop(settings)) };
        return open.shop;
      });
      await (open as { shop: Shop } | null)?.shop.stop();
    },
    { scope: 'worker' },
  ],
  // It ends before the browser and the shop, on which it depends: what has ended is not counted any more.
  measure: [
    // oxlint-disable-next-line no-unused-vars -- named so that Playwright ends them later
    async ({ browser: _browser, shopOf: _shopOf }, use) => {
      let from = 0;
      let measured = '';
      const change = (file: string) => {
        if (file === measured) return;
        const now = spentByTree(process.pid);
        if (measured) noteProcessorTime(measured, now - from);
        from = measured ? now : 0;
        measured = file;
      };
      await use(change);
      change('');
    },
    { scope: 'worker' },
  ],
  measured: [
    async ({ measure }, use, { file }) => {
      measure(file);
      await use();
    },
    { auto: true },
  ],
  shop: [
    async ({ shopOf }, use, { file }) => {
      await use(await shopOf(file));
    },
    { timeout: 60_000 },
  ],
  window: async ({ browser, shop }, use) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: shop.url,
        locale: 'en-GB',
        timezoneId: 'Europe/London',
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message.text())) complaints.push(message.text());
      });
      return page;
    });
    for (const context of contexts) await context.close();
    expect(complaints, 'errors in the browser console').toEqual([]);
  },
});

/**
 * Some journeys contain a refused or dropped request, which the browser reports as an error, and the page too if it lasts.
 * A server that closes a socket may meet a message of pusher-js on its way.
 */
function isExpected(text: string): boolean {
  return /Failed to load resource|Failed to fetch store after multiple attempts|dynamically imported module|Unable to preload CSS|WebSocket (connection|is already)|net::ERR_/.test(
    text,
  );
}
