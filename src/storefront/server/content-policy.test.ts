import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import { reserveUsualHeight } from '#storefront/server/html.ts';
import { contentSecurityPolicy } from '#storefront/server/pages.ts';

function sourcesOf(
  directive: string,
  host: string,
  config: Parameters<typeof contentSecurityPolicy>[0] = {},
): string[] {
  const found = contentSecurityPolicy(config, host)
    .split('; ')
    .find((part) => part.startsWith(`${directive} `));
  return found?.split(' ').slice(1) ?? [];
}

test('pages reach the socket at their own address, at the shop’s, and where the API is; at no other', () => {
  expect(sourcesOf('connect-src', 'localhost:3000')).toEqual(["'self'", 'ws://localhost:3000', 'wss://localhost:3000']);
  const config = { APP_URL: 'https://oven.example/', API_URL: 'http://api.example:4000/v0' };
  expect(sourcesOf('connect-src', '127.0.0.1:3000', config)).toEqual([
    "'self'",
    'http://api.example:4000',
    ...['127.0.0.1:3000', 'oven.example', 'api.example:4000'].flatMap((host) => [`ws://${host}`, `wss://${host}`]),
  ]);
  expect(sourcesOf('connect-src', '[::1]:3000')).toContain('ws://[::1]:3000');
});

test.each(['*', "a.example; script-src 'unsafe-inline'", 'a.example *', '', 'a.example, b.example'])(
  'what is no host (%s) widens nothing',
  (host) => {
    expect(contentSecurityPolicy({}, host)).toBe(contentSecurityPolicy({}, ''));
    expect(sourcesOf('connect-src', host)).toEqual(["'self'"]);
  },
);

test('only own scripts run, and inline only the one whose digest the policy has', () => {
  const digest = createHash('sha256').update(reserveUsualHeight).digest('base64');
  expect(sourcesOf('script-src', 'localhost:3000')).toEqual(["'self'", `'sha256-${digest}'`]);
  for (const key of ['usualHeight', 'orderSessions', 'favouriteDishes'] as const) {
    expect(reserveUsualHeight).toContain(`"${personalStorageKeys[key]}"`);
  }
});

test('forms go nowhere else', () => {
  expect(sourcesOf('form-action', 'localhost:3000')).toEqual(["'self'"]);
});
