import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser, BrowserContext, Page, Route } from '@playwright/test';

// The APK's pages in Chromium, as a phone's WebView would show them. Nothing here is the product's code: the bridge is
// written from what the page and Bridge.java have agreed on.

export const origin = 'https://appassets.androidplatform.net';
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

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

interface Options {
  /** The folder with the APK's `www`. */
  www: string;
  app: 'customer' | 'kitchen';
  address: string;
  /** The real server that stands for the address. */
  server: string;
  width: number;
  height: number;
  version: string;
  path?: string;
  userAgent?: string;
  /** The bridge's secrets at the start. */
  secrets?: Record<string, string>;
}

export function unpack(apk: string, folder: string): string {
  execFileSync('unzip', ['-q', '-o', apk, 'assets/*', '-d', folder]);
  return join(folder, 'assets/www');
}

/** Opens the app's page in a new phone. */
export async function openPhone(browser: Browser, options: Options): Promise<Phone> {
  const { address, server, width, height } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    isMobile: width < 600,
    hasTouch: true,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    serviceWorkers: 'block',
    userAgent:
      'Mozilla/5.0 (Linux; Android 16; Pixel 9 Build/BP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36',
  });
  const sent: Sent[] = [];
  const faults: string[] = [];
  await context.exposeFunction('hatchSent', (message: Sent) => void sent.push(message));
  await context.addInitScript(fakeBridge, {
    key: 'key-of-this-page',
    secrets: options.secrets ?? {},
    app: {
      platform: options.app === 'customer' ? 'android' : 'android-kitchen',
      version: options.version,
      package: `app.hatch.${options.app}`,
      shop: options.app === 'customer' ? address : '',
      is_debug: false,
      updates_itself: true,
    },
  });
  await context.route(`${origin}/**`, (route) => answer(route, options));
  await context.route(`${address}/**`, (route) => forward(route, address, server));
  await context.routeWebSocket(
    (url) => url.host === new URL(address).host,
    (socket) => {
      const asked = new URL(socket.url());
      const real = new WebSocket(`${server.replace('http', 'ws')}${asked.pathname}${asked.search}`);
      const waiting: (string | Buffer)[] = [];
      real.addEventListener('open', () => waiting.splice(0).forEach((each) => real.send(each)));
      real.addEventListener('message', ({ data }) => socket.send(String(data)));
      real.addEventListener('close', () => void socket.close());
      socket.onMessage((text) => (real.readyState === WebSocket.OPEN ? real.send(text) : void waiting.push(text)));
      socket.onClose(() => real.close());
    },
  );
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security|refused|did not start/i.test(message.text()))
      faults.push(message.text());
  });
  const tell = (type: string, data: object = {}) =>
    page.evaluate(([name, fields]) => window.hatchNative?.(name, fields), [type, data] as const);
  const setState = (state: object) => page.evaluate((next) => window.hatchState(next), state);
  await page.goto(origin + (options.path ?? '/'));
  return { page, context, sent, faults, tell, setState };
}

/** The page's own, in what is evaluated there. */
declare const window: {
  hatchNative?: (type: string, data: object) => void;
  hatchSent(message: object): void;
  hatchState(state: object): void;
};

/** The app's side of the bridge. Runs in the page before its scripts. */
function fakeBridge({ key, app, secrets }: { key: string; app: object; secrets: Record<string, string> }): void {
  const kept = (): Record<string, string> => ({
    ...secrets,
    ...JSON.parse(localStorage.getItem('fake-vault') ?? '{}'),
  });
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
        if (said['value'] === null) all[String(said['name'])] = '';
        else all[String(said['name'])] = String(said['value']);
        localStorage.setItem('fake-vault', JSON.stringify(all));
        return { ok: true };
      }
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

function answer(route: Route, { www, address, server }: Options): Promise<void> {
  const { pathname } = new URL(route.request().url());
  if (/^\/(pictures|uploads|app-icon)\//.test(pathname)) return forward(route, address, server, pathname);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const file = join(www, last.includes('.') ? pathname : 'index.html');
  if (!existsSync(file)) return route.fulfill({ status: 404 });
  let body = readFileSync(file);
  if (file.endsWith('index.html')) body = Buffer.from(body.toString().replace('{{shell-key}}', 'key-of-this-page'));
  return route.fulfill({ body, contentType: types[extname(file)] ?? 'application/octet-stream' });
}

/** Asks the real server in place of the address, with the page's own headers: what it allows other origins counts. */
async function forward(route: Route, address: string, server: string, path?: string): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  try {
    const response = await fetch(server + (path ?? url.pathname + url.search), {
      method: request.method(),
      headers: { ...(await request.allHeaders()), host: new URL(server).host },
      body: request.postDataBuffer() ? new Uint8Array(request.postDataBuffer() ?? []) : null,
      redirect: 'manual',
    });
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => name !== 'content-encoding' && name !== 'content-length'),
    );
    await route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) });
  } catch {
    await route.abort('connectionfailed').catch(() => undefined);
  }
}
