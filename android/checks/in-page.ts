import type { Page } from '@playwright/test';

// What the checks run inside the app's page.

declare const document: {
  documentElement: { scrollWidth: number; clientWidth: number };
  createElement(name: string): { [field: string]: unknown; addEventListener(type: string, listener: () => void): void };
  body: { append(element: unknown): void };
};
declare const localStorage: Record<string, string> & {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
};
declare const navigator: object;
declare const caches: { match(path: string, options: { cacheName: string }): Promise<unknown> };
declare const innerWidth: number;
declare const isSecureContext: boolean;
declare function addEventListener(type: string, listener: () => void): void;

export async function fits(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}

export function pictureLoads(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const picture = document.createElement('img');
    picture.addEventListener('load', () => resolve(true));
    picture.addEventListener('error', () => resolve(false));
    picture['src'] = path;
  });
}

export async function isKept(): Promise<boolean> {
  return (await caches.match('/kept-shop.json', { cacheName: 'shop' })) !== undefined;
}

/** From the next page on, the phone says that it has no network. */
export function beOffline(): void {
  const isOffline = () => localStorage.getItem('fake-network') !== 'on';
  Object.defineProperty(Object.getPrototypeOf(navigator), 'onLine', { get: () => !isOffline() });
}

/** The app leaves the screen. */
export function hide(): void {
  Object.defineProperty(document, 'hidden', { get: () => true });
}

export function beOnline(): void {
  localStorage.setItem('fake-network', 'on');
}

export function storedTexts(): string {
  return Object.entries(localStorage)
    .filter(([name]) => name !== 'fake-vault')
    .map(([, value]) => value)
    .join('\n');
}

export function tryBridge(): string[] {
  const { HatchBridge } = globalThis as unknown as { HatchBridge: { send(text: string): string } };
  return ['', '{{shell-key}}', 'key'].map((key) => {
    const answer = JSON.parse(HatchBridge.send(JSON.stringify({ type: 'read', name: 'token', key }))) as {
      refused?: string;
    };
    return answer.refused ?? 'answered';
  });
}

export function frameIsEmpty(): Promise<boolean> {
  return new Promise((resolve) => {
    let isBlocked = false;
    addEventListener('securitypolicyviolation', () => (isBlocked = true));
    const frame = document.createElement('iframe');
    frame['src'] = 'https://shop.example.com/';
    document.body.append(frame);
    setTimeout(() => resolve(isBlocked), 1500);
  });
}

export function foreignScriptFails(): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement('script');
    script.addEventListener('load', () => resolve(false));
    script.addEventListener('error', () => resolve(true));
    script['src'] = 'https://shop.example.com/service-worker.js';
    document.body.append(script);
  });
}

export function isSecure(): boolean {
  return isSecureContext;
}
