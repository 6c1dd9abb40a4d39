import { listPictureUrl } from '#menu/drawn-pictures.ts';

/** The time within which a page must answer a message of the worker (ms). */
const timeout = 200;
/** The time (ms) that a navigation waits for the network, which may hang, before the cached page is shown. */
const pageTimeout = 6000;

function showNotifications(): void {
  // The data is the server's `PushMessage`. A notification is always shown, because a browser ends the subscription of
  // a worker that shows none.
  worker.addEventListener('push', (event) => {
    const message = event.data?.json() ?? { title: '', url: '/', tag: '/' };
    const { title, url, ...shown } = message as Record<'title' | 'url', string>;
    const options = { ...shown, data: url, renotify: true, icon: '/app-icon/192.png' };
    event.waitUntil(worker.registration.showNotification(title, options));
  });

  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openNotified(new URL(event.notification.data, location.origin).href));
  });
}

/** Opens a notification's page in the tab that already shows it, or else in a new tab. */
async function openNotified(href: string): Promise<void> {
  const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const places = await Promise.all(open.map(placeOf));
  const shown = open[places.indexOf(new URL(href).pathname)];
  await (shown ? shown.focus() : worker.clients.openWindow(href));
}

/** Asks a page for its current path. The pages of the office do not answer; their first URL is used. */
function placeOf(page: Page): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(String(data)));
    port1.start();
    setTimeout(() => resolve(new URL(page.url).pathname), timeout);
    page.postMessage({ type: 'where' }, [port2]);
  });
}

// The worker types are declared here, because TypeScript cannot load the types of pages and workers together.
export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends ExtendableEvent {
  data: { json(): unknown } | null;
}
interface NotificationEvent extends ExtendableEvent {
  notification: Notification;
}
interface Page {
  /** The page's first URL; the page may have navigated since. */
  url: string;
  postMessage(message: unknown, ports: MessagePort[]): void;
  focus(): Promise<unknown>;
}
interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Worker {
  addEventListener(type: 'message', listener: (event: ExtendableEvent & { data: unknown }) => void): void;
  addEventListener(type: 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  registration: ServiceWorkerRegistration;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
}
// This file runs as a service worker, although the compiler assumes a page.
const worker = self as unknown as Worker;

/** The names of the caches: visited pages, their files and menus, and pictures. */
const pages = 'pages';
const files = 'files';
const pictures = 'pictures';
const maxPictures = 150;
const maxFiles = 120;
/** Only these pages are cached. The data of orders, accounts and payments always comes from the network. */
const cachedPages = new Set(['/', '/menu', '/allergens', '/privacy', '/terms']);
const menu = '/menu';
/** The age (ms) from which a cached page is prefetched again. */
const day = 86_400_000;
/** The placeholder of a picture, with the plate of `dish-picture.tsx` in the same colours. */
const plate = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" fill="none">
<style>rect{fill:#f3e9da}g{stroke:#8f7766}@media (prefers-color-scheme:dark){rect{fill:#100b09}g{stroke:#967f70}}</style>
<rect width="400" height="300"/><g stroke-width="3.75"><circle cx="200" cy="150" r="32.5"/><circle cx="200" cy="150" r="21.25"/></g>
</svg>`;
const rendered = /<div id="root">.*<\/div>(?=<script type="application\/json" id="page-data">)/s;

worker.addEventListener('message', (event) => {
  const told = event.data as { type?: string; urls?: string[]; language?: string };
  if (told.type === 'take over') void worker.skipWaiting();
  if (told.type === 'keep') event.waitUntil(keep(told.urls ?? []).then(dropOldMenus));
  if (told.type === 'fetch ahead') event.waitUntil(fetchAhead(told.language ?? ''));
});

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

showNotifications();

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (isOurs(url.pathname)) event.respondWith(openPage(event, url.pathname));
  } else if (isFile(url.pathname)) event.respondWith(fromCache(event, files, maxFiles));
  else if (isPicture(url.pathname)) event.respondWith(openPicture(event, url.pathname));
});

/**
 * Whether the worker handles navigations to this path. The pages of staff, payments and the set-up always use the
 * network, because they need current data.
 */
function isOurs(path: string): boolean {
  return !/^\/(store|admin|kitchen|v1|payment|setup)(\/|$)/.test(path) && !/\.\w+$/.test(path);
}

/** Whether the content of a URL never changes: build files, shop versions and icons. */
function isFile(path: string): boolean {
  return path.startsWith('/static/assets/') || path.startsWith('/shop/') || path.startsWith('/app-icon/');
}

function isPicture(path: string): boolean {
  return /^\/(pictures|uploads)\//.test(path);
}

/**
 * Answers with a page from the network. If the network fails or exceeds `pageTimeout`, answers with the cached copy,
 * marked as stale. A late response is not cached, because no page has loaded its files.
 */
async function openPage(event: FetchEvent, path: string): Promise<Response> {
  const answered = fetch(event.request);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, pageTimeout))).then(() => lastSeen(path));
  try {
    const found = await Promise.race([answered.then(() => null), late]);
    if (found) return found;
    const response = await answered;
    if (response.status === 200 && cachedPages.has(path)) event.waitUntil(put(pages, path, response.clone()));
    return response;
  } catch (error) {
    const found = await lastSeen(path);
    if (!found) throw error;
    return found;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the cached page; null: no page can be shown. For a path without a copy it returns the cached menu's HTML with
 * an empty body, which the browser fills.
 */
async function lastSeen(path: string): Promise<Response | null> {
  const cache = await caches.open(pages);
  const own = cachedPages.has(path) ? await cache.match(path, { ignoreVary: true }) : undefined;
  const found = own ?? (await cache.match(menu, { ignoreVary: true }));
  if (!found) return null;
  const seenAt = new Date(found.headers.get('date') ?? Date.now()).toISOString();
  const html = (await found.text()).replace('<html ', `<html data-seen-at="${seenAt}" `);
  const headers = new Headers(found.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(own ? html : html.replace(rendered, '<div id="root"></div>'), { headers });
}

async function fromCache(event: FetchEvent, name: string, most: number): Promise<Response> {
  const cache = await caches.open(name);
  const found = await cache.match(event.request, { ignoreVary: true });
  if (found) return found;
  const response = await fetch(event.request);
  if (response.status === 200) event.waitUntil(put(name, event.request, response.clone(), most));
  return response;
}

/**
 * Answers with a picture. Without a connection, answers with another cached size of the picture, or else with the
 * placeholder.
 */
async function openPicture(event: FetchEvent, path: string): Promise<Response> {
  try {
    return await fromCache(event, pictures, maxPictures);
  } catch {
    return (await otherSize(event, path)) ?? new Response(plate, { headers: { 'content-type': 'image/svg+xml' } });
  }
}

async function otherSize({ request }: FetchEvent, path: string): Promise<Response | undefined> {
  const cache = await caches.open(pictures);
  const seen = (await cache.keys()).findLast(({ url }) => withoutSize(new URL(url).pathname) === withoutSize(path));
  if (seen) return cache.match(seen, { ignoreVary: true });
  // Pictures from before the worker's start are only in the browser's own cache. That cache stores pictures by the
  // `accept` header, so the request repeats this header.
  const headers = { accept: request.headers.get('accept') ?? '' };
  const inList = await fetch(listPictureUrl(path), { headers, cache: 'force-cache' }).catch(() => null);
  return inList?.ok ? inList : undefined;
}

/** The URL that all sizes of a picture share, as `srcsetsOf` and `listPictureUrl` write it. */
function withoutSize(path: string): string {
  return path.replace(/(-\d+(\.\w+)?|\.svg)$/, '');
}

async function put(name: string, key: string | Request, response: Response, most = 20): Promise<void> {
  const cache = await caches.open(name);
  await cache.put(key, response);
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(old);
}

/** Caches the files that the page fetched before the worker was active. */
async function keep(urls: readonly string[]): Promise<void> {
  const own = urls.map((url) => new URL(url, location.origin)).filter((url) => url.origin === location.origin);
  const cache = await caches.open(files);
  await Promise.all(
    own.map(async (url) => {
      if (isPicture(url.pathname)) return cachePicture(url);
      if (cachedPages.has(url.pathname)) return cachePage(url.pathname);
      if (!isFile(url.pathname) || (await cache.match(url.href, { ignoreVary: true }))) return;
      const response = await fetch(url).catch(() => null);
      if (response?.status === 200) await cache.put(url.href, response);
    }),
  );
}

/**
 * Caches a page with the code and the menu that it needs to open, unless `isGood` accepts the copy that is already
 * cached.
 */
async function cachePage(path: string, isGood = async (_kept: Response) => true): Promise<void> {
  const cache = await caches.open(pages);
  const kept = await cache.match(path, { ignoreVary: true });
  if (kept && (await isGood(kept))) return;
  const response = await fetch(path, { headers: { accept: 'text/html' } }).catch(() => null);
  if (response?.status !== 200) return;
  const parts = new Set((await response.clone().text()).match(/\/(static\/assets|shop)\/[\w.-]+/g));
  await keep([...parts]);
  await cache.put(path, response);
}

/** Copies a picture from the browser's own cache, without a request. */
async function cachePicture(url: URL): Promise<void> {
  const cache = await caches.open(pictures);
  if (await cache.match(url.href, { ignoreVary: true })) return;
  const response = await fetch(url, { mode: 'same-origin', cache: 'only-if-cached' }).catch(() => null);
  if (response?.status === 200) await put(pictures, url.href, response, maxPictures);
}

async function dropOldMenus(): Promise<void> {
  const cache = await caches.open(files);
  const shown = await menusOfPages();
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname.startsWith('/shop/') && !shown.has(pathname)) await cache.delete(url);
  }
}

/** Prefetches the shop's other pages in the visitor's language, for offline use. */
async function fetchAhead(language: string): Promise<void> {
  const isGood = async (kept: Response) =>
    Date.now() - Date.parse(kept.headers.get('date') ?? '') < day &&
    (await kept.text()).includes(`<html lang="${language}"`);
  for (const path of cachedPages) await cachePage(path, isGood);
  await dropOldMenus();
}

async function menusOfPages(): Promise<Set<string>> {
  const cache = await caches.open(pages);
  const kept = await Promise.all([...cachedPages].map((path) => cache.match(path, { ignoreVary: true })));
  const texts = await Promise.all(kept.map((page) => page?.text() ?? ''));
  return new Set(texts.flatMap((text) => /\/shop\/[\w-]+\.json/.exec(text) ?? []));
}
