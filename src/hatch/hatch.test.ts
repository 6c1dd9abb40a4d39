import { execFile } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '#database/embedded/access.ts';
import { commandHelp, commands, helpLines, runCommand } from '#hatch/commands.ts';
import type { ShopStatus } from '#hatch/shop-status.ts';
import { urlOf } from '#testing/database-url.ts';
import { openShop } from '#testing/running-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { addUser, password as oldPassword } from '#testing/users.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL: urlOf(app.database.config),
  DATA_DIR: app.services.config.dataDir,
  PORT: new URL(app.url).port,
  ...more,
});

/** Runs a command beside the running shop; `typed` answers its question. */
async function hatch(argv: string, { typed = '', more = {} }: { typed?: string; more?: Record<string, string> } = {}) {
  const lines: string[] = [];
  const asked: string[] = [];
  const terminal = {
    say: (line: string) => void lines.push(line),
    complain: (line: string) => void lines.push(line),
    askSecretly: async (question: string) => {
      asked.push(question);
      return typed;
    },
  };
  const code = await runCommand(argv.split(' ').filter(Boolean), environment(more), terminal, () => app.clock.now);
  return { code, text: lines.join('\n'), asked };
}
const answerOf = <T>({ text }: { text: string }): T => JSON.parse(text) as T;

async function placeOrder(): Promise<{ id: string; number: number }> {
  const body = app.orderBody({ contact: { name: 'Ada Byron', phone: '07700 900123', email: 'ada@example.com' } });
  return (await app.request('POST', '/v1/orders', { body })).body.data as { id: string; number: number };
}

describe('hatch status', () => {
  test('says what the shop does, and what waits', async () => {
    const order = await placeOrder();
    const printer = {
      store_id: app.shop.storeId,
      name: 'Grill',
      kind: 'star_cloudprnt',
      profile: 'star-mc-print',
      width_mm: 80,
    };
    const made = await app.request('POST', '/v1/printers', { token: admin, body: printer });
    expect(made.status).toBe(201);
    const fault = { fault: 'paper_out' as const, fault_since: app.clock.now };
    await app.database.db.updateTable('printers').set(fault).where('id', '=', made.body.data.id).execute();
    const { code, text } = await hatch('status');
    expect(code).toBe(0);
    expect(text).toMatch(/^Hatch \d+\.\d+\.\d+ takes orders\n/);
    expect(text).toContain('1 open, 1 unanswered');
    expect(text).toContain('Grill: The printer is out of paper.');
    const status = answerOf<ShopStatus>(await hatch('status --json'));
    expect(status.health).toMatchObject({ status: 'ok', checks: { database: 'ok' } });
    expect(status.stores).toMatchObject([
      { is_open: true, orders: { open: 1, unanswered: 1 }, boards: { is_on: false } },
    ]);
    expect(status.setup).toBeNull();
    await app.request('POST', `/v1/orders/${order.id}/accept`, { token: admin, body: {} });
    expect(answerOf<ShopStatus>(await hatch('status --json')).stores[0]?.orders).toMatchObject({
      open: 1,
      unanswered: 0,
    });
  });

  test('of a shop that does not answer is an answer too', async () => {
    const { code, text } = await hatch('status', { more: { PORT: '1' } });
    expect([code, text]).toEqual([0, expect.stringMatching(/^Hatch \S+ does not answer\n/)]);
  });
});

describe('hatch doctor', () => {
  const findings = async (more?: Record<string, string>) =>
    answerOf<{ findings: { level: string; words: string }[] }>(await hatch('doctor --json', { more: more ?? {} }))
      .findings;

  test('names what is wrong, the worst first', async () => {
    const found = await findings({ PORT: '1' });
    expect(found[0]).toEqual({ level: 'error', words: expect.stringContaining('does not answer') });
    expect(found.map(({ level }) => level)).toEqual(found.map(({ level }) => level).toSorted());
    expect(found.map(({ words }) => words).join()).toContain('SMTP_URL');
  });

  test('finds an open shop without a board, and a printer that does not print', async () => {
    const words = (await findings()).map((each) => each.words).join('\n');
    expect(words).toContain('is open and no kitchen board is on');
    expect(words).toContain('printer Grill: The printer is out of paper');
    expect(words).not.toContain('does not answer');
  });
});

describe('hatch doctor, about metrics,', () => {
  const token = 'a-token-of-sixteen-or-more';
  const words = async (more: Record<string, string>) =>
    answerOf<{ findings: { level: string; words: string }[] }>(await hatch('doctor --json', { more })).findings.filter(
      (found) => found.words.includes('metrics'),
    );

  test('says nothing while they are off', async () => {
    expect(await words({})).toEqual([]);
  });

  test('says where they answer, and where they should and do not', async () => {
    const missing = expect.stringMatching(
      /^The metrics do not answer at http:\/\/127\.0\.0\.1:\d+\/metrics \(404\)\. Start/,
    );
    expect(await words({ METRICS_TOKEN: token })).toEqual([{ level: 'warning', words: missing }]);
    const closed = { level: 'warning', words: expect.stringContaining('http://127.0.0.1:1/metrics. Start') };
    expect(await words({ METRICS_PORT: '1' })).toEqual([closed]);
    const port = String(await findFreePort());
    const watched = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, { METRICS_PORT: port });
    onTestFinished(() => watched.close());
    const url = `http://127.0.0.1:${port}/metrics`;
    expect(await words({ METRICS_PORT: port })).toEqual([{ level: 'ok', words: `The metrics answer at ${url}.` }]);
  });
});

describe('hatch order', () => {
  test('tells everything of one order, and nothing of its customer', async () => {
    const order = await placeOrder();
    await app.request('POST', `/v1/orders/${order.id}/accept`, { token: admin, body: {} });
    await app.request('POST', `/v1/orders/${order.id}/cancel`, { token: admin, body: { reason: 'customer_asked' } });
    const byNumber = await hatch(`order ${order.number}`);
    expect(byNumber.code).toBe(0);
    for (const words of ['placed → accepted', 'accepted → cancelled', 'Accepted an order', 'receipt on Grill', 'mail'])
      expect(byNumber.text).toContain(words);
    expect(byNumber.text).not.toMatch(/Ada|Byron|07700|ada@/);
    const times = byNumber.text
      .split('\n')
      .slice(3)
      .map((line) => line.slice(0, 19));
    expect(times).toEqual(times.toSorted());
    // Mails are written meanwhile.
    const withoutMails = ({ text }: { text: string }) => text.split('\n').filter((line) => !line.includes('  mail '));
    expect(withoutMails(await hatch(`order ${order.id}`))).toEqual(withoutMails(byNumber));
  });

  test.each([
    ['order 999999', 1, /There is no order 999999/],
    ['order 1 --date 1999-01-01', 1, /on 1999-01-01/],
    ['order 1 --date yesterday', 1, /is no date/],
    ['order one', 1, /neither an order's number nor its id/],
    ['order', 2, /hatch order NUMBER\|ID/],
    ['order 1 --colour red', 2, /colour/],
    ['status --date 2026-11-21', 2, /has no option --date/],
    ['dance', 2, /no command "dance"/],
    ['', 2, /hatch COMMAND/],
  ])('hatch %s ends with %i and words', async (argv, code, words) => {
    const found = await hatch(argv);
    expect([found.code, found.text]).toEqual([code, expect.stringMatching(words)]);
  });
});

describe('hatch admin reset-password', () => {
  let owner: { id: string; email: string };
  let email: string;
  beforeAll(async () => {
    owner = await addUser(app.database.db, 'admin');
    email = owner.email;
  });
  const logIn = async (password: string) =>
    (await app.request('POST', '/v1/auth/login', { body: { email, password } })).status;

  test('sets it, ends sign-ins, removes the second factor, and is in the log and a mail', async () => {
    const { id } = owner;
    expect(await logIn(oldPassword)).toBe(200);
    await app.database.db
      .insertInto('totp_secrets')
      .values({ id: randomUUIDv7(), user_id: id, sealed: null, created_at: app.clock.now, confirmed_at: app.clock.now })
      .execute();
    const { code, text, asked } = await hatch(`admin reset-password ${email}`, { typed: 'a wholly new one' });
    expect([code, asked.length, text]).toEqual([0, 1, expect.stringContaining('authenticator app')]);
    expect(await app.database.db.selectFrom('sign_ins').select('id').where('user_id', '=', id).execute()).toEqual([]);
    expect(
      await app.database.db.selectFrom('totp_secrets').select('user_id').where('user_id', '=', id).execute(),
    ).toEqual([]);
    expect([await logIn('a wholly new one'), await logIn(oldPassword)]).toEqual([200, 422]);
    const { body } = await app.request('GET', `/v1/audit?subject_id=${id}`, { token: admin });
    expect(body.data).toContainEqual(expect.objectContaining({ action: 'PATCH /v1/auth/password', actor: 'hatch' }));
    const mails = await app.database.db.selectFrom('mails').select('kind').where('to_address', '=', email).execute();
    expect(mails.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['password_changed', 'sign_in_changed']));
  });

  test('refuses what the page refuses, and an address without an account before it asks', async () => {
    const nobody = await hatch('admin reset-password nobody@example.com', { typed: 'a wholly new one' });
    expect([nobody.code, nobody.asked]).toEqual([1, []]);
    for (const typed of ['short', 'Password1']) {
      expect((await hatch(`admin reset-password ${email}`, { typed })).code).toBe(1);
    }
    expect(await logIn('a wholly new one')).toBe(200);
  });

  test('by two people at once leaves one of both passwords', async () => {
    const typed = ['one of two new ones', 'two of two new ones'];
    const done = await Promise.all(typed.map((each) => hatch(`admin reset-password ${email}`, { typed: each })));
    expect(done.map(({ code }) => code)).toEqual([0, 0]);
    expect((await Promise.all(typed.map(logIn))).toSorted()).toEqual([200, 422]);
  });
});

describe('data of another version', () => {
  const dataOf = async (change: (database: TestDatabase) => Promise<unknown>) => {
    const database = await createTestDatabase();
    await change(database);
    const more = { DATABASE_URL: urlOf(database.config), PORT: '1' };
    const [status, doctor, order] = [
      await hatch('status', { more }),
      await hatch('doctor', { more }),
      await hatch('order 1', { more }),
    ];
    await database.drop();
    return { status, doctor, order };
  };

  test.each([
    [
      'newer',
      (database: TestDatabase) =>
        sql`insert into kysely_migration (name, timestamp) values ('999-later', '2099-01-01')`.execute(database.db),
      /A newer Hatch has used this data/,
    ],
    [
      'older',
      (database: TestDatabase) =>
        sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(database.db),
      /has not opened the data yet/,
    ],
  ])('%s: it is looked at and said, and nothing else is done', async (_, change, words) => {
    const { status, doctor, order } = await dataOf(change);
    expect([status.code, doctor.code, order.code]).toEqual([0, 0, 1]);
    for (const { text } of [status, doctor, order]) expect(text).toMatch(words);
  });
});

test('of a shop on the data folder, running, stopped or not set up, the status says what it is', async () => {
  const shop = await openShop({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }, ['--empty']);
  const statusOf = async () => {
    const more = { DATABASE_URL: '', DATA_DIR: shop.dataDir, PORT: '1' };
    return answerOf<ShopStatus>(await hatch('status --json', { more }));
  };
  try {
    const code = /with the code ([A-Z\d-]+)/.exec(shop.printed())?.[1];
    const running = await statusOf();
    // The port is the one that the shop said at its start.
    expect(running).toMatchObject({ health: { status: 'ok' }, setup: { url: `${shop.url}/setup`, code }, stores: [] });
    expect(code).toMatch(/\w{4}/);
    expect(running.running_since).not.toBeNull();
    process.kill(shop.processId(), 'SIGKILL');
    await expect.poll(statusOf).toMatchObject({ health: null, running_since: null, setup: { code } });
    await shop.restart();
    expect((await statusOf()).health).toMatchObject({ status: 'ok' });
    // In good order its database stops too.
    await shop.close();
    expect(await statusOf()).toMatchObject({ health: null, running_since: null, setup: { code } });
  } finally {
    await shop.stop();
  }
}, 120_000);

test('the program itself takes a password that is piped in, and answers with its exit code', async () => {
  const { email } = await addUser(app.database.db, 'admin');
  const run = promisify(execFile)(
    process.execPath,
    ['src/hatch/hatch.ts', 'admin', 'reset-password', email, '--json'],
    {
      env: { ...process.env, ...environment() },
    },
  );
  run.child.stdin?.end('piped into the program\n');
  expect(JSON.parse((await run).stdout)).toMatchObject({ email, role: 'admin' });
});

test('the docs have each command as its own help does', async () => {
  const page = await readFile('docs/hatch.md', 'utf8');
  for (const help of [helpLines(), ...Object.values(commands).map(commandHelp)])
    expect(page).toContain(help.join('\n'));
});
