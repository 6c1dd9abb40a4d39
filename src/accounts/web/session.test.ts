import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

type SessionModule = typeof import('#accounts/web/session.ts') & typeof import('#accounts/web/sign-in-and-out.ts');

interface Sent {
  call: string;
  token: string | null;
  signal: AbortSignal | null | undefined;
}
let sent: Sent[];
let kept: Map<string, string>;
let answers: Record<string, () => Response | Promise<Response>>;
let session: SessionModule;

const ada = { id: '1', name: 'Ada', email: 'ada@example.com', role: 'customer' };
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const refusal = () => json({ message: 'The email address or the password is wrong.', code: 'invalid' }, 422);
const credentials = { email: 'ada@example.com', password: 'correct horse' };

beforeEach(async () => {
  sent = [];
  kept = new Map();
  answers = { 'GET /v1/auth/user': () => json({ data: ada }) };
  vi.stubGlobal('location', { href: 'https://shop.example/' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('fetch', async (url: URL, { method, headers, signal }: RequestInit) => {
    const call = `${method} ${url.pathname}`;
    sent.push({ call, token: new Headers(headers).get('authorization'), signal });
    const answer = answers[call];
    if (!answer) throw new TypeError('network');
    return answer();
  });
  vi.resetModules();
  session = { ...(await import('#accounts/web/session.ts')), ...(await import('#accounts/web/sign-in-and-out.ts')) };
});
afterEach(() => vi.unstubAllGlobals());

describe('the first look-up', () => {
  test('there is no user, and nothing is initialized, until it has ended', async () => {
    kept.set('token', 'secret');
    const looking = session.startSession();
    expect(session.readSession()).toEqual({ user: null, role: 'guest', initialized: false });
    await looking;
    expect(session.readSession()).toEqual({ user: ada, role: 'customer', initialized: true });
    expect(sent).toMatchObject([{ call: 'GET /v1/auth/user', token: 'Bearer secret' }]);
  });

  test('without a token there is nobody to look up, and it has ended', async () => {
    await session.startSession();
    expect(session.readSession()).toEqual({ user: null, role: 'guest', initialized: true });
    expect(sent).toEqual([]);
  });

  test('that is refused leaves nobody, and drops the token that the server does not know', async () => {
    kept.set('token', 'dead');
    answers['GET /v1/auth/user'] = () => json({ message: 'Unauthenticated.', code: 'unauthenticated' }, 401);
    await session.startSession();
    expect(session.readSession()).toEqual({ user: null, role: 'guest', initialized: true });
    expect(kept.has('token')).toBe(false);
  });

  test('that finds no network leaves nobody, and keeps the token', async () => {
    kept.set('token', 'secret');
    delete answers['GET /v1/auth/user'];
    await session.startSession();
    expect(session.readSession()).toEqual({ user: null, role: 'guest', initialized: true });
    expect(kept.get('token')).toBe('secret');
    expect(session.hasUserLookupFailed(session.readSession())).toBe(true);
  });

  test('that found no network is made again when there is one, and whoever is signed in was never signed out', async () => {
    const heard = new Map<string, () => void>();
    vi.stubGlobal('addEventListener', (name: string, listener: () => void) => heard.set(name, listener));
    kept.set('token', 'secret');
    answers['GET /v1/auth/user'] = () => json({}, 503);
    await session.startSession();
    expect(session.hasUserLookupFailed(session.readSession())).toBe(true);
    answers['GET /v1/auth/user'] = () => json({ data: ada });
    heard.get('online')?.();
    await expect.poll(() => session.readSession().user).toEqual(ada);
    expect(session.hasUserLookupFailed(session.readSession())).toBe(false);
  });

  test('without a token nobody is cut off', async () => {
    await session.startSession();
    expect(session.hasUserLookupFailed(session.readSession())).toBe(false);
  });
});

describe('a look-up that is overtaken', () => {
  /** An answer that comes when the test says so. */
  const late = (response: () => Response) => {
    let answer = () => {};
    answers['GET /v1/auth/user'] = () => new Promise((resolve) => (answer = () => resolve(response())));
    return () => answer();
  };

  test('by a sign-out does not sign in again', async () => {
    kept.set('token', 'secret');
    const answer = late(() => json({ data: ada }));
    const looking = session.startSession();
    await session.signOut();
    answer();
    await looking;
    expect(session.readSession()).toEqual({ user: null, role: 'guest', initialized: true });
  });

  test('by a sign-in in another tab does not drop the newer token', async () => {
    kept.set('token', 'dead');
    const answer = late(() => json({ message: 'Unauthenticated.', code: 'unauthenticated' }, 401));
    const looking = session.startSession();
    kept.set('token', 'new');
    answers['GET /v1/auth/user'] = () => json({ data: ada });
    answer();
    await looking;
    expect(kept.get('token')).toBe('new');
    expect(session.readSession()).toEqual({ user: ada, role: 'customer', initialized: true });
    expect(sent.map(({ token }) => token)).toEqual(['Bearer dead', 'Bearer new']);
  });
});

describe('a refusal of what was asked with the token', () => {
  const ended = () => json({ message: 'Unauthenticated.', code: 'unauthenticated' }, 401);

  /** The page's own copy of the module, as the session's is. */
  async function ask(): Promise<void> {
    const { api } = await import('#platform/web/api.ts');
    await api('GET /v1/stores', {}).catch(() => undefined);
  }

  beforeEach(async () => {
    kept.set('token', 'secret');
    await session.startSession();
    sent = [];
  });

  test('by a server that has ended the sign-in leaves nobody, at once', async () => {
    answers['GET /v1/stores'] = ended;
    answers['GET /v1/auth/user'] = ended;
    await ask();
    await expect.poll(session.readSession).toEqual({ user: null, role: 'guest', initialized: true });
    expect(kept.has('token')).toBe(false);
    expect(sent.map(({ call }) => call)).toEqual(['GET /v1/stores', 'GET /v1/auth/user']);
  });

  test('by a server that has ended the sign-in is told, until somebody signs in; signing out by oneself is not', async () => {
    answers['GET /v1/auth/user'] = ended;
    await session.reloadUser();
    expect(session.wasSignedOutByServer()).toBe(true);
    answers['POST /v1/auth/login'] = () => json({ token: 'new', user: ada });
    answers['GET /v1/auth/user'] = () => json({ data: ada });
    await session.signIn(credentials);
    expect(session.wasSignedOutByServer()).toBe(false);
    await session.signOut();
    expect(session.wasSignedOutByServer()).toBe(false);
  });

  test('for another role finds out which one it is now', async () => {
    answers['GET /v1/stores'] = () => json({ message: 'No.', code: 'forbidden' }, 403);
    answers['GET /v1/auth/user'] = () => json({ data: { ...ada, role: 'store_admin' } });
    await ask();
    await expect.poll(() => session.readSession().role).toBe('store_admin');
    expect(kept.get('token')).toBe('secret');
  });

  test('and a look-up that gets no answer leave whoever was known', async () => {
    answers['GET /v1/stores'] = () => json({ message: 'No.', code: 'forbidden' }, 403);
    answers['GET /v1/auth/user'] = () => json({}, 503);
    await ask();
    await session.reloadUser();
    expect(session.readSession().user).toEqual(ada);
  });

  test('that comes after signing out says nothing', async () => {
    answers['GET /v1/stores'] = () => {
      kept.delete('token');
      return ended();
    };
    await ask();
    expect(sent.map(({ call }) => call)).toEqual(['GET /v1/stores']);
  });
});

test('signing in stores the token under `token`, then reloads the user with it', async () => {
  answers['POST /v1/auth/login'] = () => json({ token: 'new', user: ada });
  expect(await session.signIn(credentials)).toEqual(ada);
  expect(kept.get('token')).toBe('new');
  expect(sent.map(({ call, token }) => [call, token])).toEqual([
    ['POST /v1/auth/login', null],
    ['GET /v1/auth/user', 'Bearer new'],
  ]);
  expect(session.readSession().user).toEqual(ada);
});

test('a sign-in that fails clears the user, then reloads it, and says why', async () => {
  kept.set('token', 'old');
  await session.startSession();
  const seen: unknown[] = [];
  answers['POST /v1/auth/login'] = refusal;
  answers['GET /v1/auth/user'] = () => {
    seen.push(session.readSession().user);
    return json({ data: ada });
  };
  await expect(session.signIn(credentials)).rejects.toThrow('The email address or the password is wrong.');
  expect(seen).toEqual([null]);
  expect(session.readSession().user).toEqual(ada);
  expect(kept.get('token')).toBe('old');
});

test('a sign-in that fails without a token leaves nobody, initialized, with nothing more asked', async () => {
  answers['POST /v1/auth/login'] = refusal;
  await expect(session.signIn(credentials)).rejects.toThrow('The email address or the password is wrong.');
  expect(session.readSession()).toEqual({ user: null, role: 'guest', initialized: true });
  expect(sent.map(({ call }) => call)).toEqual(['POST /v1/auth/login']);
});

test('signing out clears the user and the token at once, whatever the server says', async () => {
  kept.set('token', 'secret');
  await session.startSession();
  const leaving = session.signOut();
  expect([session.readSession().user, session.readSession().role, kept.has('token')]).toEqual([null, 'guest', false]);
  await leaving;
  expect(sent.at(-1)).toMatchObject({ call: 'POST /v1/auth/logout', token: 'Bearer secret' });
});

test('signing out leaves nothing of the person in this browser', async () => {
  const tab = new Map([['checkout', '{"contact.name":"Ada"}']]);
  vi.stubGlobal('sessionStorage', { removeItem: (key: string) => void tab.delete(key) });
  answers['POST /v1/auth/logout'] = () => new Response(null, { status: 204 });
  const ofPerson = [
    'order_sessions',
    'waiting_order',
    'seen_orders',
    'followed_orders',
    'guest_details',
    'last_method',
  ];
  for (const key of [...ofPerson, 'token', 'basket']) kept.set(key, 'x');
  await session.signOut();
  expect([...kept.keys()]).toEqual(['basket']);
  expect([...tab.keys()]).toEqual([]);
});
