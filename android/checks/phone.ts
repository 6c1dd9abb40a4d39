import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { browserArgs } from '../../playwright.config.ts';
import { findChromium } from '../../scripts/find-chromium.ts';
import { type Network, origin, pageKey } from './network.ts';

// The APK's pages in Chromium, as a phone's WebView would show them. Nothing here is the product's code: the bridge is
// written from what the page and Bridge.java have agreed on.

export const phoneSize = { width: 390, height: 844 };
export const tabletSize = { width: 1280, height: 800 };
export const uprightTablet = { width: 800, height: 1280 };
export const withTimeout = { timeout: 60_000 };

export interface Sent {
  type: string;
  [field: string]: unknown;
}

export interface Phone {
  page: Page;
  context: BrowserContext;
  /** What the page has sent to the app, oldest first. */
  sent: Sent[];
  /** Errors and messages of the page's console that nobody wants there. */
  faults: string[];
  tell(type: string, data?: object): Promise<void>;
  setState(state: object): Promise<void>;
}

export interface PhoneOptions {
  app: 'customer' | 'kitchen';
  address: string;
  width: number;
  height: number;
  version: string;
  path?: string;
}

export function unpack(apk: string, folder: string): string {
  execFileSync('unzip', ['-q', '-o', apk, 'assets/*', '-d', folder]);
  return join(folder, 'assets/www');
}

export async function openBrowser(network: Network): Promise<Browser> {
  const executablePath = findChromium(console.log, { isWhole: false });
  return chromium.launch({ executablePath, args: [...browserArgs, ...network.args] });
}

export const contextOptions = {
  ignoreHTTPSErrors: true,
  hasTouch: true,
  locale: 'en-GB',
  timezoneId: 'Europe/London',
  serviceWorkers: 'block',
} as const;

/** Opens the app's page in a new phone. */
export async function openPhone(browser: Browser, options: PhoneOptions): Promise<Phone> {
  const { address, width, height } = options;
  const context = await browser.newContext({
    ...contextOptions,
    viewport: { width, height },
    isMobile: width < 600,
    userAgent:
      'Mozilla/5.0 (Linux; Android 16; Pixel 9 Build/BP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36',
  });
  const sent: Sent[] = [];
  const faults: string[] = [];
  await context.exposeFunction('hatchSent', (message: Sent) => void sent.push(message));
  await context.addInitScript(fakeBridge, {
    key: pageKey,
    app: {
      platform: options.app === 'customer' ? 'android' : 'android-kitchen',
      version: options.version,
      package: `app.hatch.${options.app}`,
      shop: options.app === 'customer' ? address : '',
      is_debug: false,
      updates_itself: true,
    },
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security|refused|did not start/i.test(message.text()))
      faults.push(message.text());
  });
  const tell = (type: string, data: object = {}) =>
    page.evaluate(([name, fields]) => window.hatchNative?.(name, fields), [type, data] as const);
  const setState = (state: object) => page.evaluate((next) => window.hatchState(next), state);
  await page.goto(origin + (options.path ?? (options.app === 'customer' ? '/menu' : '/kitchen')), withTimeout);
  return { page, context, sent, faults, tell, setState };
}

/** Waits half a minute at most; the check that follows says whether it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let count = 0; count < 300 && !(await isSo()); count += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** The page's own, in what is evaluated there. */
declare const window: {
  hatchNative?: (type: string, data: object) => void;
  hatchSent(message: object): void;
  hatchState(state: object): void;
};

/** The app's side of the bridge. Runs in the page before its scripts. */
function fakeBridge({ key, app }: { key: string; app: object }): void {
  const kept = () => JSON.parse(localStorage.getItem('fake-vault') ?? '{}') as Record<string, string | null>;
  let state: object = {
    battery: 80,
    is_charging: true,
    is_online: true,
    wifi: 3,
    notifications: 'unasked',
    ignores_battery: false,
    is_owner: false,
    is_locked: false,
    update: { phase: 'none', percent: 0, problem: '', needs_permission: false },
  };
  window.hatchState = (next) => {
    state = { ...state, ...next };
  };
  const answer = (said: Record<string, unknown>): object => {
    if (said['key'] !== key) return { refused: 'no key' };
    switch (said['type']) {
      case 'app':
        return app;
      case 'state':
        return state;
      case 'read':
        return { value: kept()[String(said['name'])] ?? null };
      case 'write': {
        const all = kept();
        all[String(said['name'])] = said['value'] === null ? null : String(said['value']);
        localStorage.setItem('fake-vault', JSON.stringify(all));
        return { ok: true };
      }
      case 'sign_out':
        return { ok: said['pin'] === '' || said['pin'] === '2468' };
      case 'alarm':
      case 'board_on':
        return { ok: true };
      default:
        return {};
    }
  };
  Object.defineProperty(window, 'HatchBridge', {
    value: {
      send(text: string) {
        const said = JSON.parse(text) as Record<string, unknown>;
        if (said['type'] !== 'state' && said['type'] !== 'read') window.hatchSent(said);
        return JSON.stringify(answer(said));
      },
    },
  });
}
