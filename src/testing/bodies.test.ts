import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let staff: string;
let customer: string;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.signIn('admin');
  customer = await app.signIn('customer');
});
afterAll(() => app.close());

interface Sent {
  method?: string;
  path: string;
  type?: string;
  token?: string;
  more?: string;
}

/** The head of a request, by hand: `length` is what its `content-length` says; null: chunked. */
function headOf({ method = 'POST', path, type = 'application/json', token, more = '' }: Sent, length: number | null) {
  const size = length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const who = token ? `authorization: Bearer ${token}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nhost: shop\r\ncontent-type: ${type}\r\n${who}${more}${size}\r\n\r\n`;
}

interface Answer {
  status: number;
  code: string;
}

/** What the server answers to these bytes and to what `feed` goes on sending, until it closes or has answered whole. */
async function say(first: string | Buffer, feed?: { every: number; bytes: string | Buffer }): Promise<Answer> {
  const socket: Socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let said = '';
  const read = () => {
    const [head = '', body = ''] = said.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? -1);
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
      body,
      isWhole: Buffer.byteLength(body) === length,
    };
  };
  const over = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (read().isWhole) resolve();
    });
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(first);
  const feeding = feed && setInterval(() => socket.write(feed.bytes), feed.every);
  await over;
  clearInterval(feeding);
  socket.destroy();
  const { status, body } = read();
  return { status, code: (JSON.parse(body || '{}') as { code?: string }).code ?? '' };
}

/** One route of every kind that reads a body, and what its caller is. Those of guests first. */
const kinds: [string, Sent][] = [
  ['a call for everybody', { path: '/v1/orders/quote' }],
  ['an order', { path: '/v1/orders' }],
  ['signing in', { path: '/v1/auth/login' }],
  ['a provider’s message', { path: '/v1/payments/webhooks/stripe' }],
  ['a sign-in that is posted', { path: '/auth/callback', type: 'application/x-www-form-urlencoded' }],
  ['a Star printer', { path: '/v1/printers/0190aaaa-0000-7000-8000-000000000000/cloudprnt' }],
  [
    'an Epson printer',
    { path: '/v1/printers/0190aaaa-0000-7000-8000-000000000000/epson', type: 'application/x-www-form-urlencoded' },
  ],
  ['the realtime API', { path: '/apps/1/events' }],
  ['the sandbox', { path: '/sandbox/pay/none', type: 'application/x-www-form-urlencoded' }],
];
const large = 600 * 1024;
const text = 'x'.repeat(large);

describe.each(kinds)('%s', (_name, sent) => {
  test('with too large a body is refused by what its head says', async () => {
    const { status, code } = await say(headOf(sent, large) + '{');
    expect([status, code]).toEqual([413, 'payload_too_large']);
  });

  test('in chunks that do not end is refused once it is too large', async () => {
    const chunk = `${(16 * 1024).toString(16)}\r\n${'x'.repeat(16 * 1024)}\r\n`;
    const { status, code } = await say(headOf(sent, null), { every: 1, bytes: chunk });
    expect([status, code]).toEqual([413, 'payload_too_large']);
  });
});

describe('64 KB', () => {
  test.each([
    ['a guest', () => undefined, 413],
    ['a customer', () => customer, 413],
    ['staff, who may send a megabyte', () => staff, 422],
  ])('%s', async (_name, who, status) => {
    const token = who();
    const body = JSON.stringify({ note: 'x'.repeat(65 * 1024) });
    const answer = await say(headOf({ path: '/v1/orders/quote', ...(token && { token }) }, body.length) + body);
    expect(answer.status).toBe(status);
    const whole = JSON.stringify({ note: 'x'.repeat(60 * 1024) });
    expect(
      (await say(headOf({ path: '/v1/orders/quote', ...(token && { token }) }, whole.length) + whole)).status,
    ).toBe(422);
  });

  test('a megabyte and more is refused from staff too', async () => {
    expect((await say(headOf({ path: '/v1/orders/quote', token: staff }, 1_100_000) + text)).status).toBe(413);
  });
});

describe('nothing of a body is read before its caller is admitted', () => {
  // The bodies never come: an answer shows that nobody waited for them.
  test.each<[string, Sent, number, string]>([
    ['a guest who would change the menu', { path: '/v1/items' }, 401, 'unauthenticated'],
    ['a guest with a picture', { path: '/v1/uploads', type: 'image/png' }, 401, 'unauthenticated'],
    [
      'a guest with an app',
      { path: '/v1/app-releases/files', type: 'application/octet-stream' },
      401,
      'unauthenticated',
    ],
    ['a guest with an import', { path: '/v1/menu-imports' }, 401, 'unauthenticated'],
    ['a dead token', { path: '/v1/orders', token: 'nobody' }, 401, 'unauthenticated'],
    ['an address that nobody serves', { path: '/v1/nothing' }, 404, 'not_found'],
    ['a method that nobody takes', { method: 'PUT', path: '/v1/orders' }, 405, 'method_not_allowed'],
    ['a file for a call that takes none', { path: '/v1/orders', type: 'image/png' }, 415, 'unsupported_media_type'],
    ['an unknown type', { path: '/v1/orders', type: 'multipart/form-data' }, 415, 'unsupported_media_type'],
  ])('%s', async (_name, sent, status, code) => {
    expect(await say(headOf(sent, 60_000) + '{')).toEqual({ status, code });
  });

  test('a customer who would change the menu', async () => {
    expect(await say(headOf({ path: '/v1/items', token: customer }, 60_000) + '{')).toMatchObject({ status: 403 });
  });

  test('a caller over the rate', async () => {
    const sent = { path: '/v1/orders/quote', more: 'x-forwarded-for: 203.0.113.77\r\n' };
    // The rate goes by time, which the calls themselves take on a slow machine.
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => void now.mockRestore());
    const answers: number[] = [];
    for (let call = 0; call < 400 && !answers.includes(429); call += 1) {
      answers.push((await say(`${headOf(sent, 2)}{}`)).status);
    }
    expect(answers.at(-1)).toBe(429);
    expect(await say(headOf(sent, 60_000) + '{')).toEqual({ status: 429, code: 'too_many_requests' });
  });
});

test('a body that is compressed is refused, whatever it would become', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
  const head = headOf({ path: '/v1/orders/quote', more: 'content-encoding: gzip\r\n' }, bomb.length);
  expect(await say(Buffer.concat([Buffer.from(head), bomb]))).toEqual({ status: 415, code: 'unsupported_media_type' });
});

test('a message of a provider may have half a megabyte', async () => {
  const body = JSON.stringify({ type: 'x'.repeat(500 * 1024) });
  const answer = await say(headOf({ path: '/v1/payments/webhooks/stripe' }, body.length) + body);
  expect(answer.status).not.toBe(413);
});

test('a refusal names fifty problems at most', async () => {
  const line = { item_id: 'nothing', quantity: 0 };
  const body = { ...app.orderBody(), lines: Array.from({ length: 100 }, () => line) };
  const refused = await app.request('POST', '/v1/orders/quote', { body });
  expect(refused.status).toBe(422);
  expect(Object.keys(refused.body.errors)).toHaveLength(50);
  const known = { ...line, item_id: '0190aaaa-0000-7000-8000-000000000000', quantity: 1 };
  const quoted = await app.request('POST', '/v1/orders/quote', {
    body: { ...app.orderBody(), lines: Array.from({ length: 100 }, () => known) },
  });
  expect([quoted.status, quoted.body.data.problems.length]).toEqual([200, 50]);
});

test('a line has at most thirty options', async () => {
  const option = { option_group_id: app.shop.size.group, option_id: app.shop.size.large, quantity: 1 };
  const quote = (count: number) =>
    app.request('POST', '/v1/orders/quote', {
      body: {
        ...app.orderBody(),
        lines: [{ item_id: app.shop.pizza, quantity: 1, options: Array.from({ length: count }, () => option) }],
      },
    });
  expect((await quote(30)).status).toBe(200);
  const refused = await quote(31);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['lines.0.options']]);
});

/** All at once, because each takes as long as the limits of the product are. */
test('heads and bodies that do not come are answered 408, on every kind of route', { timeout: 60_000 }, async () => {
  const slowHead = say('POST /v1/orders HTTP/1.1\r\nhost: shop\r\n', { every: 500, bytes: 'x-more: y\r\n' });
  const silent = say('POST /v1/orders HTTP/1.1\r\n');
  const bodies = kinds.map(([, sent]) => say(headOf(sent, 1_000) + '{', { every: 500, bytes: ' ' }));
  const chunks = kinds.map(([, sent]) => say(headOf(sent, null), { every: 500, bytes: '1\r\n \r\n' }));
  const ofStaff = say(headOf({ path: '/v1/items', token: staff }, 1_000) + '{', { every: 500, bytes: ' ' });
  for (const answer of await Promise.all([slowHead, silent, ...bodies, ...chunks, ofStaff])) {
    expect(answer).toEqual({ status: 408, code: 'request_timeout' });
  }
});
