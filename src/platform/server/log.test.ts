import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crashMessage, logOptions } from '#platform/server/log.ts';
import { bareHttpApp } from '#platform/testing/bare-http-app.ts';
import { hostileTexts } from '#testing/hostile-values.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

/** What was written, one entry for each write. */
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('an error of the database is logged without the row that it quotes', () => {
  const lines: string[] = [];
  const log = pino(logOptions('info'), { write: (line: string) => void lines.push(line) });
  const error = Object.assign(new Error('violates check constraint'), {
    code: '23514',
    detail: 'Failing row contains (Ada Byron, 12 Park Road).',
  });
  log.error({ err: error, session: 'a-secret', body: { token: 'another', password: 'third' } }, 'failed');
  expect(lines.join()).toContain('23514');
  expect(lines.join()).not.toMatch(/Ada|Park Road|a-secret|another|third/);
});

test('in production each entry is a line of JSON on the standard output', () => {
  const program = `
    import { createLog } from '#platform/server/log.ts';
    const log = createLog({ LOG_LEVEL: 'info', isProduction: true }, false);
    log.debug('not said');
    log.info({ status: 200 }, 'answered');
    log.error({ err: new Error('first\\nsecond') }, 'failed');
  `;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  const lines = said.split('\n');
  expect(lines.pop()).toBe('');
  expect(parsed(lines)).toEqual([
    { level: 30, time: expect.any(Number), status: 200, msg: 'answered' },
    {
      level: 50,
      time: expect.any(Number),
      err: { type: 'Error', message: 'first\nsecond', stack: expect.stringContaining('second') },
      msg: 'failed',
    },
  ]);
});

describe('what a peer or a library quotes', () => {
  const secrets = [
    'ada@example.com',
    "zoë.o'neill+shop@büro.example",
    '07700 900123',
    '+44 7700 900123',
    '(020) 7946-0958',
    '+48600700800',
    'CV21 2AA',
    'B1 1AA',
    'cv21 2aa',
    'https://shop.example/reset-password#token=abc123',
    'http://127.0.0.1:3000/account-link?token=abc123&x=1',
  ];
  const harmless = [
    '01234567-8901-7abc-9d7f-7de7e3ad676c',
    '07700900123abcdef07700900123abcd',
    '2026-11-28T05:18:59.000Z',
    '10.0.0.1:5432',
    'file:///srv/node_modules/@fastify/cors/index.js:10:22',
    'https://api.stripe.com/v1/checkout/sessions',
    'SQL state 23514 after 1500 ms',
  ];
  const quoting = (text: string) => Object.assign(new Error(`refused:\n"${text}"\\`), { cause: new Error(text) });

  test.each(secrets)('is not on the standard output: %s', (secret) => {
    const lines: string[] = [];
    const log = pino(logOptions('info'), { write: (line: string) => void lines.push(line) });
    log.child({ part: 1 }).error({ err: quoting(secret), reason: `\t${secret}` }, `about ${secret}, ${secret}`);
    for (const said of [...lines, crashMessage(quoting(secret))]) {
      expect(said).not.toContain(secret);
      expect(said).not.toMatch(/abc123|@|7946|900123|700800|[12]AA/i);
    }
    expect(parsed(lines)).toEqual([
      expect.objectContaining({ level: 50, part: 1, reason: expect.stringMatching(/^\t/) }),
    ]);
  });

  test.each(harmless)('stays if it names nobody: %s', (text) => {
    const lines: string[] = [];
    const log = pino(logOptions('info'), { write: (line: string) => void lines.push(line) });
    log.warn({ text }, text);
    expect(parsed(lines)).toEqual([expect.objectContaining({ text, msg: text })]);
  });

  test('costs no more than its length, however long', () => {
    const log = pino(logOptions('info'), { write() {} });
    const began = process.cpuUsage().user;
    for (const sign of ['a', '0', '@', 'A1 ', 'http://x', '\\"']) log.warn(sign.repeat(200_000));
    expect(process.cpuUsage().user - began).toBeLessThan(5_000_000);
  });
});

describe('what callers send', () => {
  test('cannot begin a line of its own, nor write to the terminal that shows the log', async () => {
    const lines: string[] = [];
    const http = bareHttpApp({ log: pino(logOptions('info'), { write: (line) => void lines.push(line) }) });
    http.post<{ Params: { id: string }; Body: { name: string } }>('/things/:id', ({ params, body }) => {
      throw new Error(`cannot use ${params.id} of ${body.name}`);
    });
    const forged = `x\r\n{"level":30,"msg":"a sign-in of the owner"}\n\u001b[2Jy`;
    const path = `/things/${encodeURIComponent(forged)}`;
    const { statusCode } = await http.inject({ method: 'POST', url: path, payload: { name: forged } });
    expect(statusCode).toBe(500);
    await http.inject({ method: 'POST', url: `/nowhere/${encodeURIComponent(forged)}`, payload: {} });
    await http.close();
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line.endsWith('\n')).toBe(true);
      // oxlint-disable-next-line no-control-regex -- these are looked for
      expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/);
    }
    const [failed, answered, unknown] = parsed(lines);
    expect(failed).toMatchObject({ level: 50, msg: 'failed', err: { message: `cannot use ${forged} of ${forged}` } });
    expect(answered).toMatchObject({ level: 50, msg: 'answered', route: '/things/:id', status: 500 });
    expect(unknown).toMatchObject({ level: 30, msg: 'answered', route: '(none)', status: 404 });
    expect(lines.slice(1).join()).not.toContain('owner');
  });
});

describe('the lines of the shop', () => {
  const lines: string[] = [];
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({}, {}, (line) => lines.push(line));
  });
  afterAll(() => app.close());

  test('name each call by its pattern, with its time, id and status, and nobody who made it', async () => {
    const token = await app.signIn('admin');
    const session = randomUUID();
    const email = `${randomUUID()}@example.com`;
    const address = { line1: '12 Long Row', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
    const person = { name: 'Zenobia Quill', email, phone: '07700 900987' };
    const placed = await app.request('POST', '/v1/orders', { body: app.orderBody({ session, contact: person }) });
    expect(placed.status).toBe(201);
    lines.length = 0;
    const calls: [method: string, path: string, route: string, status: number, body?: unknown][] = [
      ['GET', `/v1/orders/${placed.body.data.id}?secret=query`, '/v1/orders/:id', 200],
      ['GET', `/v1/orders/session/${session}`, '/v1/orders/session/:sessionId', 200],
      [
        'POST',
        '/v1/auth/register/customer',
        '/v1/auth/register/customer',
        201,
        { ...person, password: 'vast umbrella' },
      ],
      ['POST', '/v1/auth/login', '/v1/auth/login', 422, { email, password: 'vast mistake' }],
      ['PATCH', '/v1/auth/user', '/v1/auth/user', 200, { addresses: [address] }],
      [
        'POST',
        '/v1/auth/reset-password',
        '/v1/auth/reset-password',
        422,
        { token: 'linktoken', password: 'vast umbrella' },
      ],
      ['GET', `/nowhere/${email}`, '(none)', 404],
    ];
    for (const [method, path, , status, body] of calls) {
      const answer = await app.request(method, path, { token, ...(body !== undefined && { body }) });
      expect([path, answer.status]).toEqual([path, status]);
    }
    const allAnswers = () => parsed(lines).filter(({ msg }) => msg === 'answered');
    // A line is written after its answer was sent.
    await expect.poll(() => allAnswers().length).toBeGreaterThanOrEqual(calls.length);
    const answers = allAnswers();
    expect(answers.map(({ method, route, status }) => [method, route, status])).toEqual(
      calls.map(([method, , route, status]) => [method, route, status]),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ level: 30, time: expect.any(Number), ms: expect.any(Number) });
      expect(answer['reqId']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const said = lines.join('');
    for (const secret of [
      placed.body.data.id,
      session,
      email,
      token,
      'Zenobia',
      '900987',
      'Long Row',
      'vast',
      'linktoken',
    ]) {
      expect(said).not.toContain(secret);
    }
    expect(said).not.toContain('query');
  });

  test('stay lines of JSON whatever is sent', async () => {
    lines.length = 0;
    for (const text of hostileTexts) {
      await app.request('GET', `/v1/orders/${encodeURIComponent(text.toWellFormed()).slice(0, 90)}`);
      await app.request('POST', '/v1/auth/login', { body: { email: text, password: text } });
    }
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(2 * hostileTexts.length);
    for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(parsed(lines).every(({ level, msg }) => typeof level === 'number' && typeof msg === 'string')).toBe(true);
  });
});
