import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { m } from '#messages';

type AppSignIn = typeof import('#accounts/web/app-sign-in.ts');

const ada = { id: '1', name: 'Ada', email: 'ada@example.com', role: 'customer' };
let kept: Map<string, string>;
let signIn: AppSignIn;
let opened: string[];

beforeEach(async () => {
  kept = new Map();
  opened = [];
  vi.stubGlobal('location', { href: 'https://shop.example/', assign: (url: string) => void opened.push(url) });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('fetch', async (url: URL, { body }: RequestInit) => {
    if (url.pathname === '/v1/auth/user') return Response.json({ data: ada });
    const { app_code: code } = JSON.parse(String(body)) as { app_code: string };
    if (code === 'ours') return Response.json({ token: 'a-token' });
    return Response.json({ message: 'No.', code: 'invalid', errors: { app_code: ['No.'] } }, { status: 422 });
  });
  vi.resetModules();
  signIn = await import('#accounts/web/app-sign-in.ts');
});
afterEach(() => vi.unstubAllGlobals());

test.each(['problem=denied', 'problem=failed', 'problem=expired', 'app_code=theirs', ''])(
  'a foreign link back with “%s” does not end the sign-in that is running',
  async (query) => {
    await signIn.openBrowserForAppSignIn('google');
    expect(opened).toHaveLength(1);
    expect(await signIn.finishAppSignIn(query)).toEqual(expect.any(String));
    expect(await signIn.finishAppSignIn('app_code=ours')).toBeNull();
    expect(kept.get('token')).toBe('a-token');
  },
);

test('a sign-in that has ended is not ended twice', async () => {
  await signIn.openBrowserForAppSignIn('google');
  expect(await signIn.finishAppSignIn('app_code=ours')).toBeNull();
  expect(await signIn.finishAppSignIn('app_code=ours')).toBe(m.accounts_social_expired());
});
