import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { FastifyInstance } from 'fastify';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import { createUser } from '#accounts/server/users.ts';
import { createOrderSqlParts } from '#app-services.ts';
import { type Config, readConfig } from '#config.ts';
import { indexMenus } from '#menu/menu-index.ts';
import { aGroup, aMenu, anItem, anOption, aStore } from '#ordering/testing/samples.ts';
import { demoPictureUrl } from '#demo/server/pictures.ts';
import type { Shop, ShopCache } from '#shop/server/shop-cache.ts';
import { keysOf } from '#platform/keys-of.ts';
import { createFastPath } from '#platform/server/fast-path.ts';
import { openFileFolder } from '#platform/server/files/open-file-store.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { clientFolder } from '#storefront/server/built-assets.ts';
import { servePages } from '#storefront/server/pages.ts';
import { shopPages } from '#storefront/server/shop-page.ts';
import { staffOnlyFields } from '#store/contract.ts';

const html = { accept: 'text/html' };
const bread = aGroup(
  'Bread',
  [
    anOption('White', { allergens: { contains: ['gluten', 'milk'], may_contain: [] } }),
    anOption('Rye', { price: 75, allergens: { contains: ['gluten'], may_contain: [] } }),
  ],
  { min_select: 1, max_select: 1 },
);
const soupPicture = demoPictureUrl('curry-night');
const menus = [
  aMenu([
    anItem('soup', {
      name: '</script><b>Soup & "bread"',
      description: 'Hot.',
      price: 450,
      option_groups: [bread],
      image: soupPicture,
    }),
    anItem('tea', { image: 'https://pictures.example/tea.jpg' }),
  ]),
];
let now = new Date('2026-11-21T19:00:00Z');
let shop: Shop | null;
let app: FastifyInstance;
let database: TestDatabase;
let tellChange: () => void;
let clockReadings = 0;

function aShop(version: number): Shop {
  const store = aStore({ name: 'The Oven', phone: '01788 555 010', version });
  // Menus from the tests' own factory have everything in them.
  return {
    store,
    offers: [],
    isDemo: false,
    menus: menus as Shop['menus'],
    index: indexMenus(menus),
    version,
    built: new Map(),
  };
}

function readClock(): Date {
  clockReadings += 1;
  return now;
}

function services(config: Config) {
  const onChange = (listener: () => void) => void (tellChange = listener);
  const cache = {
    forPages: async () => shop,
    isCurrent: (one) => one === shop,
    onChange,
  } as Partial<ShopCache> as ShopCache;
  return {
    config,
    db: database.db,
    drawPicture: () => null,
    files: openFileFolder(config.dataDir),
    menus: cache,
    now: readClock,
    orderParts: createOrderSqlParts(() => null),
    printers: { all: () => [] },
    restored: { epoch: null },
    signInProviders: { choices: () => signIn },
  };
}

let signIn: SignInChoice[] = [];

beforeAll(async () => {
  shop = aShop(1);
  database = await createTestDatabase();
  app = bareHttpApp();
  const config = readConfig({ APP_URL: 'https://oven.example' });
  await servePages(app, services(config), 'key', createFastPath());
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** An application over HTTP with its fast path; each page that the framework answers is noted in `asked`. */
async function startShop() {
  const asked: string[] = [];
  const traces: string[] = [];
  const fastPath = createFastPath();
  const http = bareHttpApp({ fastPath: fastPath.answer });
  http.addHook('onRequest', async (request) => void asked.push(request.url));
  await servePages(http, services(readConfig({ APP_URL: 'https://oven.example' })), 'key', fastPath);
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  const ask = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      get({ port, host: '127.0.0.1', path, headers: { ...html, ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          // Every answer has its own time and trace, and what is below holds for the framework's answers only.
          const { date: _date, 'x-request-id': _id, traceparent, ...rest } = response.headers;
          traces.push(String(traceparent));
          resolve({ status: response.statusCode, headers: rest, text: Buffer.concat(parts).toString('base64') });
        });
      }).on('error', reject);
    });
  return { asked, ask, traces, close: () => http.close() };
}

describe('a page that was just asked for', () => {
  test.each<[string, Record<string, string>]>([
    ['as a phone asks', { 'accept-encoding': 'gzip, deflate, br' }],
    ['without compression', {}],
    ['in Polish', { 'accept-language': 'pl', 'accept-encoding': 'gzip' }],
    ['in the language chosen before', { cookie: 'a=b; language=pl' }],
    ['at another host', { host: 'oven.example:8080' }],
  ])('is sent without the framework with the same bytes and headers: %s', async (_name, headers) => {
    const { ask, asked, traces, close } = await startShop();
    const first = await ask('/menu', headers);
    const second = await ask('/menu', headers);
    expect(asked).toEqual(['/menu']);
    expect(new Set(traces).size).toBe(2);
    expect(first.status).toBe(200);
    expect(first.headers['content-security-policy']).toContain(`ws://${headers['host'] ?? '127.0.0.1'}`);
    expect(second).toEqual(first);
    const unchanged = await ask('/menu', { ...headers, 'if-none-match': String(first.headers['etag']) });
    expect(asked).toEqual(['/menu']);
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers).toMatchObject({
      etag: first.headers['etag'],
      vary: 'accept-encoding, accept-language, cookie',
      'content-security-policy': first.headers['content-security-policy'],
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    });
    await close();
  });

  test('is not sent to a caller of another language or host, nor one whose host a proxy tells', async () => {
    const { ask, asked, close } = await startShop();
    const first = await ask('/menu');
    const polish = await ask('/menu', { 'accept-language': 'pl' });
    const elsewhere = await ask('/menu', { host: 'oven.example' });
    const proxied = await ask('/menu', { 'x-forwarded-host': 'proxy.example' });
    expect(asked).toHaveLength(4);
    expect(polish.text).not.toBe(first.text);
    expect(elsewhere.headers['content-security-policy']).toContain('ws://oven.example ');
    expect(proxied.headers['content-security-policy']).toContain('ws://proxy.example ');
    await close();
  });

  test('goes through the framework again once a second, and as soon as the shop has another version', async () => {
    const { ask, asked, close } = await startShop();
    const first = await ask('/menu');
    now = new Date(now.getTime() + 1000);
    expect(await ask('/menu')).toEqual(first);
    expect(asked).toHaveLength(2);
    shop = aShop(2);
    const next = await ask('/menu');
    expect(asked).toHaveLength(3);
    expect(next.headers['etag']).not.toBe(first.headers['etag']);
    shop = aShop(1);
    now = new Date('2026-11-21T19:00:00Z');
    await close();
  });
});

describe('the public pages', () => {
  test('carry the policies of documents, which their files do not repeat', async () => {
    const { headers } = await app.inject({ url: '/manifest.webmanifest' });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('permissions-policy');
    expect(headers).not.toHaveProperty('cross-origin-opener-policy');
    for (const url of ['/shop/a/b', '/service-worker.jsx']) {
      const missing = await app.inject({ url, headers: html });
      expect(missing.headers['content-type']).toContain('text/html');
      expect(missing.headers).toHaveProperty('permissions-policy');
    }
  });

  test('show what can be ordered without any script, and escape what the shop wrote', async () => {
    const { statusCode, body, headers } = await app.inject({ url: '/menu', headers: html });
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const allowed = String(headers['permissions-policy']).split(', ');
    expect(allowed).toContain('screen-wake-lock=(self)');
    expect(allowed).toContain('publickey-credentials-get=(self)');
    expect(allowed).toContain('microphone=()');
    // What is not named is allowed to the shop's own pages: printers in its network are asked for.
    expect(headers['permissions-policy']).not.toContain('local-network');
    expect(body).toContain('&lt;/script&gt;&lt;b&gt;Soup &amp; &quot;bread&quot;');
    expect(body).not.toContain('<b>Soup');
    expect(body).toContain('£4.50');
    expect(body).toMatch(/<title>[^<]*The Oven/);
    expect(body).toContain('<link rel="canonical" href="https://oven.example/menu">');
  });

  test('answer addresses that are no more than slashes, which no parser of addresses takes for a path', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const heard = (response: IncomingMessage) => resolve(response.resume().statusCode);
        get({ port, host: '127.0.0.1', path, headers: html }, heard).on('error', reject);
      });
    expect(await Promise.all(['//', '///', '//menu'].map(statusOf))).toEqual([200, 200, 404]);
  });

  test('describe the restaurant and its menu to machines', async () => {
    const structured = async (url: string) => {
      const { body } = await app.inject({ url, headers: html });
      return JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as Record<string, unknown>;
    };
    expect(await structured('/')).toMatchObject({
      '@type': 'Restaurant',
      name: 'The Oven',
      hasMenu: 'https://oven.example/menu',
    });
    expect(await structured('/menu')).toMatchObject({
      '@type': 'Menu',
      hasMenuSection: [{ hasMenuItem: [{ offers: { price: '4.50', priceCurrency: 'GBP' } }, { name: 'tea' }] }],
    });
  });

  test('are sent as they were recompressed when only a minute has passed, and again once a dish is sold out', async () => {
    const get = (headers = {}) => app.inject({ url: '/menu', headers: { ...html, ...headers } });
    const { etag } = (await get()).headers;
    now = new Date(now.getTime() + 60_000);
    expect((await get({ 'if-none-match': String(etag) })).statusCode).toBe(304);
    const [menu] = menus;
    shop = aShop(1);
    shop.menus = [
      {
        ...menu,
        categories: menu?.categories?.map((part) => ({ ...part, items: [anItem('stew', { is_available: false })] })),
      },
    ] as Shop['menus'];
    const { statusCode, body } = await get({ 'if-none-match': String(etag) });
    expect(statusCode).toBe(200);
    expect(body).toContain('Sold out');
    expect(body).toContain('"availability":"https://schema.org/SoldOut"');
    shop = aShop(1);
    now = new Date('2026-11-21T19:00:00Z');
  });

  test('that are asked for are written after a change before somebody comes, once for changes that come together', async () => {
    await app.inject({ url: '/menu', headers: html });
    shop = aShop(1);
    const before = clockReadings;
    for (const change of [tellChange, tellChange, tellChange]) change();
    await expect.poll(() => clockReadings).toBeGreaterThan(before);
    await app.inject({ url: '/allergens', headers: html });
    // Nobody asked for the menu in another language. A request reads the clock once more: its page is kept for a
    // second.
    const [menu, allergens] = [1, 2];
    expect(clockReadings - before).toBe(menu + allergens);
  });

  test('know at once where else customers can sign in, whatever was kept before', async () => {
    const said = async (url: string) => (await app.inject({ url, headers: html })).body.includes('"name":"Example ID"');
    expect([await said('/menu'), await said('/login')]).toEqual([false, false]);
    signIn = [{ id: 'environment', kind: 'other', name: 'Example ID' }];
    expect([await said('/menu'), await said('/login')]).toEqual([true, true]);
    signIn = [];
    expect([await said('/menu'), await said('/login')]).toEqual([false, false]);
  });

  test('are the menu under the name of the dish that a link leads to, with its picture', async () => {
    const named = async (url: string) => {
      const { body } = await app.inject({ url, headers: html });
      const [head = ''] = body.split('</head>', 1);
      const tags = [...head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)];
      return {
        ...Object.fromEntries(tags.map(([, name, content]) => [name, content])),
        title: /<title>([^<]*)</.exec(head)?.[1],
        canonical: /rel="canonical" href="([^"]+)"/.exec(head)?.[1],
      } as Record<string, string | undefined>;
    };
    const menu = await named('/menu');
    const soup = '&lt;/script&gt;&lt;b&gt;Soup &amp; &quot;bread&quot; · The Oven';
    expect(await named('/menu?item=soup&lang=en')).toMatchObject({
      title: soup,
      'og:title': soup,
      description: 'Hot.',
      'og:description': 'Hot.',
      'og:url': 'https://oven.example/menu?item=soup&amp;lang=en',
      'og:image': 'https://oven.example/share/soup.jpg?v=1',
      canonical: 'https://oven.example/menu?lang=en',
    });
    expect(await named('/menu?item=gone')).toEqual(menu);
    expect(await named('/menu?item=tea')).toMatchObject({
      'og:description': menu['og:description'],
      'og:image': menu['og:image'],
    });
    const picture = await sharp((await app.inject('/share/soup.jpg')).rawPayload).metadata();
    expect(picture).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    expect((await app.inject('/share/gone.jpg')).statusCode).toBe(404);
  });

  test('have the address that is told as the default where none is configured, whatever host is asked for', async () => {
    const other = bareHttpApp();
    await servePages(other, services(readConfig({ PORT: '3100' })), 'key', createFastPath());
    const headers = { ...html, host: 'elsewhere.example' };
    for (const url of ['/menu', '/robots.txt', '/sitemap.xml']) {
      const { body } = await other.inject({ url, headers });
      expect(body).toContain('http://localhost:3100/');
      expect(body).not.toContain('elsewhere');
    }
    await other.close();
  });

  test('name the map service of the shop, with its credit, and allow its pictures', async () => {
    const other = bareHttpApp();
    const config = readConfig({ MAP_TILES_URL: 'http://tiles.example/{z}/{x}/{y}.png' });
    await servePages(other, services(config), 'key', createFastPath());
    const { body, headers } = await other.inject({ url: '/', headers: html });
    expect(body).toContain('"map":{"url":"http://tiles.example/{z}/{x}/{y}.png","attribution":"© ');
    expect(headers['content-security-policy']).toMatch(/img-src [^;]*http:\/\/tiles\.example;/);
    await other.close();
    expect((await app.inject({ url: '/', headers: html })).body).toContain('"map":null');
  });

  test.each(['/', '/menu', '/allergens', '/privacy', '/terms'])(
    '%s tells a search engine and a shared link what it is',
    async (url) => {
      const { body } = await app.inject({ url, headers: html });
      const title = /<title>([^<]+)<\/title>/.exec(body)?.[1] ?? '';
      const [, description = ''] = /<meta name="description" content="([^"]+)">/.exec(body) ?? [];
      expect(title).toContain('The Oven');
      expect(description).not.toBe('');
      expect(body).toContain(`<meta property="og:title" content="${title}">`);
      expect(body).toContain(`<meta property="og:description" content="${description}">`);
      expect(body).toContain(`<link rel="canonical" href="https://oven.example${url}">`);
      expect(body).toContain('<meta property="og:image" content="https://oven.example/share.jpg?v=');
      expect(body).not.toContain('noindex');
    },
  );

  test('no two have the same title or description', async () => {
    const bodies = await Promise.all(
      Object.keys(shopPages).map(async (url) => (await app.inject({ url, headers: html })).body),
    );
    for (const tag of [/<title>[^<]+/, /name="description" content="[^"]+/]) {
      expect(new Set(bodies.map((body) => tag.exec(body)?.[0])).size).toBe(bodies.length);
    }
  });

  test('say whether the shop is open, by the minute', async () => {
    const pageAt = async (time: string) => {
      now = new Date(time);
      return (await app.inject({ url: '/', headers: html })).body;
    };
    expect(await pageAt('2026-11-21T19:00:00Z')).toContain('Open until 23:00');
    expect(await pageAt('2026-11-21T23:30:00Z')).toContain('Opens tomorrow at 17:00');
    now = new Date('2026-11-21T19:00:00Z');
  });

  test.for(keysOf(shopPages))('bring their styles with them: %s', async (url) => {
    const { body } = await app.inject({ url, headers: html });
    const linked = body.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
    // A browser neither fetches nor awaits what is disabled; each has been written into the page.
    expect(linked.filter((link) => !link.endsWith(' disabled>'))).toEqual([]);
    for (const [, file = ''] of linked.join('').matchAll(/href="\/static\/([^"]+)"/g)) {
      expect(body).toContain(await readFile(new URL(file, clientFolder), 'utf8'));
    }
  });

  test('are the same bytes for everyone, and answered with 304 while they are', async () => {
    const first = await app.inject({ url: '/menu', headers: { ...html, 'accept-encoding': 'br' } });
    expect(first.headers['content-encoding']).toBe('br');
    const again = await app.inject({ url: '/menu', headers: { ...html, 'if-none-match': String(first.headers.etag) } });
    expect(again.statusCode).toBe(304);
  });

  test('come in the language that was chosen, else in the one the browser asks for', async () => {
    const pageFor = async (headers: Record<string, string>, url = '/menu') =>
      app.inject({ url, headers: { ...html, ...headers } });
    const polish = await pageFor({ 'accept-language': 'pl-PL,pl;q=0.9,en;q=0.5' });
    expect(polish.body).toContain('<html lang="pl">');
    expect(polish.body).toContain('4,50\u00a0£');
    expect(polish.headers['vary']).toContain('accept-language');
    expect((await pageFor({ 'accept-language': 'pl', cookie: 'a=b; language=en' })).body).toContain('<html lang="en">');
    expect((await pageFor({ 'accept-language': 'de' })).body).toContain('<html lang="en">');
    const chosen = await pageFor({ cookie: 'language=en' }, '/menu?lang=pl');
    expect(chosen.body).toContain('<html lang="pl">');
    expect(chosen.body).toContain('<link rel="canonical" href="https://oven.example/menu?lang=pl">');
    expect(chosen.body).toContain('<link rel="alternate" hreflang="en" href="https://oven.example/menu?lang=en">');
    expect((await pageFor({}, '/login?lang=pl')).body).toContain('<html lang="pl">');
    expect((await pageFor({}, '/menu?lang=xx')).headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['a proxy on this machine that says https', '127.0.0.1', 'https', '; Secure'],
    ['a proxy on this machine that says http', '127.0.0.1', 'http', ''],
    ['a stranger who says https', '192.0.2.50', 'https', ''],
    ['nobody', '127.0.0.1', undefined, ''],
  ])('keep the chosen language in a cookie of this site only; %s', async (_name, remoteAddress, proto, secure) => {
    const headers = { ...html, ...(proto && { 'x-forwarded-proto': proto }) };
    for (const url of ['/menu?lang=pl', '/login?lang=pl']) {
      const answer = await app.inject({ url, remoteAddress, headers });
      expect(answer.headers['set-cookie']).toBe(`language=pl; Path=/; Max-Age=31536000; SameSite=Lax${secure}`);
    }
  });

  test('set no cookie where no language was chosen', async () => {
    for (const url of [...Object.keys(shopPages), '/checkout', '/login', '/admin/staff', '/nowhere']) {
      const { headers } = await app.inject({ url, headers: { ...html, 'accept-language': 'pl', cookie: 'a=b' } });
      expect([url, headers['set-cookie']]).toEqual([url, undefined]);
    }
  });

  test("wear the owner's colour from the first byte on", async () => {
    shop = aShop(7);
    shop.store.accent_color = '#0b6e4f';
    for (const url of ['/menu', '/login']) {
      const { body } = await app.inject({ url, headers: html });
      expect(body).toContain('<style>:root{--accent:#0b6e4f;');
    }
    shop = aShop(1);
    expect((await app.inject({ url: '/menu', headers: html })).body).not.toContain('<style>:root{--accent');
  });

  test('say what is in every dish, what is agreed on, and what is kept of whom', async () => {
    for (const url of ['/allergens', '/terms', '/privacy']) {
      const { statusCode, body } = await app.inject({ url, headers: html });
      expect(statusCode).toBe(200);
      expect(body).toContain(`<link rel="canonical" href="https://oven.example${url}">`);
      expect(body).toMatch(/<h1[^>]*>/);
    }
    expect((await app.inject({ url: '/allergens', headers: html })).body).toContain('Soup &amp;');
  });

  test('are there for machines too: robots, a sitemap of every language, and what a phone installs', async () => {
    expect((await app.inject('/robots.txt')).body).toContain('Sitemap: https://oven.example/sitemap.xml');
    const { body: sitemap } = await app.inject('/sitemap.xml');
    expect(sitemap).toContain('<loc>https://oven.example/menu?lang=pl</loc>');
    const manifest = (await app.inject({ url: '/manifest.webmanifest', headers: { 'accept-language': 'pl' } })).json<{
      lang: string;
      icons: { src: string; sizes: string }[];
    }>();
    expect(manifest).toMatchObject({ name: 'The Oven', lang: 'pl', start_url: '/menu', display: 'standalone' });
    for (const { src, sizes } of manifest.icons) {
      const { rawPayload } = await app.inject(src);
      const { width, height, format } = await sharp(rawPayload).metadata();
      expect(`${format} ${width}x${height}`).toBe(`png ${sizes}`);
    }
    const share = await sharp((await app.inject('/share.jpg')).rawPayload).metadata();
    expect(share).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  });

  test('tell in words, with status 404, when there is nothing', async () => {
    const { statusCode, body } = await app.inject({ url: '/nothing-here', headers: html });
    expect(statusCode).toBe(404);
    expect(body).toContain('Page not found</h1>');
    expect(body).toMatch(/<title>[^<]+ · The Oven<\/title>/);
    expect(body).toContain('<meta name="robots" content="noindex">');
  });

  test('show the dish that a link names to a browser without scripts', async () => {
    const shown = (body: string) => /<noscript>.*<\/noscript>/s.exec(body)?.[0] ?? '';
    const linked = await app.inject({ url: '/menu?item=soup', headers: { ...html, 'accept-language': 'pl' } });
    expect(shown(linked.body)).toContain('Soup &amp; &quot;bread&quot;</h2>');
    expect(shown(linked.body)).toContain('4,50\u00a0£');
    const { body } = await app.inject({ url: '/menu?item=soup', headers: html });
    expect(shown(body)).toContain('Contains gluten. Depends on your choice: milk.');
    expect(shown(body)).toMatch(/Bread<\/h3>.*White.*Contains gluten, milk\..*Rye.*\+£0\.75/s);
    expect(shown((await app.inject({ url: '/menu?item=gone', headers: html })).body)).toBe('');
    expect(shown((await app.inject({ url: '/menu', headers: html })).body)).toBe('');
  });

  test('say of each dish what it contains, also by its choices, in the table of allergens', async () => {
    const { body } = await app.inject({ url: '/allergens', headers: html });
    const [row = ''] = /<tr>(?:(?!<\/tr>).)*Soup &amp;.*?<\/tr>/s.exec(body) ?? [];
    const cells = [...row.matchAll(/<td.*?<\/td>/gs)].map(([cell]) => cell.replace(/<[^>]+>/g, ''));
    expect(cells.filter((words) => words.startsWith('contains'))).toHaveLength(1);
    expect(cells.filter((words) => words.includes('depends on your choice'))).toHaveLength(1);
  });

  test('say about allergens what the owner has added, line by line', async () => {
    const added = aShop(9);
    shop = { ...added, store: { ...added.store, allergens_text: 'We fry fish apart.\nAsk for <Ada>.' } };
    const { body } = await app.inject({ url: '/allergens', headers: html });
    expect(body).toContain('<bdi>We fry fish apart.</bdi><br/><bdi>Ask for &lt;Ada&gt;.</bdi>');
    shop = aShop(1);
    expect((await app.inject({ url: '/allergens', headers: html })).body).not.toContain('fish apart');
  });

  test("show a category's picture beside its name, once it has one", async () => {
    const pictures = async () => {
      const { body } = await app.inject({ url: '/menu', headers: html });
      return [...body.matchAll(/<img[^>]*src="\/uploads\/[^>]*>/g)].map(([tag]) => tag);
    };
    expect(await pictures()).toEqual([]);
    const [menu] = menus;
    const image = `/uploads/${'a'.repeat(64)}-800.webp`;
    shop = aShop(8);
    shop.menus = [
      { ...menu, categories: menu?.categories?.map((category) => ({ ...category, image })) },
    ] as Shop['menus'];
    const [picture, ...others] = await pictures();
    expect(others).toEqual([]);
    expect(picture).toContain(' alt=""');
    expect(picture).toContain(' loading="lazy"');
    shop = aShop(1);
  });

  test('lead to the other language without a script, and stay in it', async () => {
    const polish = { ...html, 'accept-language': 'pl' };
    const home = await app.inject({ url: '/', headers: polish });
    expect(home.body).toContain('<html lang="pl">');
    expect(home.body).toMatch(/<a [^>]*>(?:(?!<\/a>).)*Zamów teraz/);
    const [, link = ''] = /<a [^>]*href="([^"]*)"[^>]*>English<\/a>/.exec(home.body) ?? [];
    const english = await app.inject({ url: link.replaceAll('&amp;', '&'), headers: polish });
    expect(english.body).toContain('<html lang="en">');
    const [cookie = ''] = String(english.headers['set-cookie']).split(';');
    expect((await app.inject({ url: '/menu', headers: { ...polish, cookie } })).body).toContain('<html lang="en">');
  });

  test('name the form for complaints where they say what is kept', async () => {
    const { body } = await app.inject({ url: '/privacy', headers: html });
    expect(body).toMatch(/<a href="\/complaint"[^>]*>Make a complaint<\/a>/);
  });

  test('bring what the clocks of the shop’s zone show these weeks', async () => {
    const { body } = await app.inject({ url: '/menu', headers: html });
    expect(JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(body)?.[1] ?? '{}')).toMatchObject({
      offset: {
        zone: 'Europe/London',
        offset: 0,
        from: Date.parse('2026-11-17T00:00:00Z'),
        until: Date.parse('2026-12-13T00:00:00Z'),
      },
    });
  });

  test('name the shop that they were rendered with, which is there as long as it is the newest', async () => {
    const { body } = await app.inject({ url: '/menu', headers: html });
    const { shopUrl } = JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(body)?.[1] ?? '{}') as { shopUrl: string };
    const packed = await app.inject(shopUrl);
    expect(packed.headers['cache-control']).toContain('immutable');
    expect(packed.json()).toMatchObject({ store: { name: 'The Oven' } });
    const { store } = packed.json<{ store: object }>();
    expect(Object.keys(store).filter((field) => field in staffOnlyFields)).toEqual([]);
    shop = aShop(2);
    expect((await app.inject(shopUrl)).statusCode).toBe(404);
  });
});

describe('every other address', () => {
  test.each([
    ['/checkout', 200],
    ['/orders/0192aaaa-0000-7000-8000-000000000000', 404],
    ['/orders/no-id-at-all', 404],
    ['/store/orders', 200],
    ['/nowhere', 404],
    ['/%25E0%25A4%25A', 404],
  ])('%s answers a page with %i', async (url, status) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: html });
    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    expect(body).toContain('<meta name="robots" content="noindex">');
  });

  test.each(['/orders', '/orders/', '/orders?lang=pl'])('%s leads to the orders of who is signed in', async (url) => {
    const { statusCode, headers } = await app.inject({ url, headers: html });
    expect([statusCode, headers['location']]).toEqual([302, '/customer/orders']);
  });

  test('of reviews leads to the page that the owner has set, and is one of the shop without it', async () => {
    const review = () => app.inject({ url: '/google-review', headers: html });
    expect((await review()).statusCode).toBe(200);
    shop = aShop(4);
    shop.store.google_review_url = 'https://g.page/r/oven/review';
    const { statusCode, headers } = await review();
    expect([statusCode, headers['location']]).toEqual([302, 'https://g.page/r/oven/review']);
    shop = aShop(1);
  });

  test('that needs a script says so in the look of the shop, with the ways on', async () => {
    const { body } = await app.inject({ url: '/checkout', headers: { ...html, 'accept-language': 'pl' } });
    const shown = /<noscript>.*<\/noscript>/s.exec(body)?.[0] ?? '';
    expect(shown).toContain('Ta strona wymaga JavaScriptu</h1>');
    expect(shown).toContain('The Oven');
    expect(shown).toContain('href="/menu"');
    expect(shown).toContain('href="tel:01788555010"');
  });

  test('of an icon that is asked for without being named is a picture', async () => {
    expect((await app.inject('/favicon.ico')).headers['content-type']).toBe('image/png');
  });

  test('that no browser asks for a page at is not answered with one', async () => {
    expect((await app.inject({ url: '/v1/nothing', headers: html })).headers['content-type']).toContain('json');
    expect(
      (await app.inject({ url: '/nowhere', headers: { accept: 'application/json' } })).headers['content-type'],
    ).toContain('json');
  });

  test('of a built file may be kept for ever; what is beside them is not served', async () => {
    const { body } = await app.inject({ url: '/menu', headers: html });
    const script = /<script type="module" src="([^"]+)"/.exec(body)?.[1] ?? '';
    const file = await app.inject({ url: script, headers: { 'accept-encoding': 'br' } });
    expect(file.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    expect((await app.inject('/static/.vite/storefront.json')).statusCode).toBe(404);
    expect((await app.inject('/static/../server/index.js')).statusCode).toBe(404);
  });

  test.each(['/static', '/static/', '/static/assets', '/static/assets/', '/static/./', '/assets/', '/.git/', '/data/'])(
    'of a folder shows nothing that is in it: %s',
    async (url) => {
      const page = await app.inject({ url, headers: html });
      expect([403, 404]).toContain(page.statusCode);
      const { statusCode, headers, body } = await app.inject({ url, headers: { accept: 'application/json' } });
      expect([403, 404]).toContain(statusCode);
      expect(headers['location']).toBeUndefined();
      expect(Object.keys(JSON.parse(body) as object).toSorted()).toEqual(['code', 'message']);
    },
  );

  test('leads to setting up while there is no shop, and to signing in once it has an owner', async () => {
    shop = null;
    for (const url of ['/', '/menu', '/checkout', '/orders/x']) {
      const { statusCode, headers } = await app.inject({ url, headers: html });
      expect([url, statusCode, headers['location']]).toEqual([url, 302, '/setup']);
    }
    expect((await app.inject({ url: '/setup', headers: html })).statusCode).toBe(200);
    const owner = { name: 'Nonna', email: 'nonna@example.com', role: 'admin', createdAt: now } as const;
    const admin = await createUser(database.db, { ...owner, password: 'a secret of mine' });
    const { headers } = await app.inject({ url: '/', headers: html });
    expect(headers['location']).toBe('/login?for=set-up');
    await database.db
      .deleteFrom('users')
      .where('id', '=', admin?.id ?? '')
      .execute();
    shop = aShop(3);
  });
});

test('no page of the shop needs a connection to the database', async () => {
  const { pool } = database;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    for (const url of [...keysOf(shopPages), '/menu?item=soup', '/login', '/store/orders']) {
      expect([url, (await app.inject({ url, headers: html })).statusCode]).toEqual([url, 200]);
    }
  } finally {
    for (const client of taken) client.release();
  }
});
