import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Print } from '#ordering/print.ts';
import type { PrinterWithSecret } from '#printing/printer.ts';
import { printErrorWords } from '#printing/printer-rules.ts';
import {
  type Answer,
  createStarPrinter,
  type StarOptions,
  type StarPrinter,
} from '#simulators/printers/star-printer.ts';
import { countStatements } from '#printing/testing/statements.ts';
import { addPrinter } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let added: PrinterWithSecret;
let printer: StarPrinter;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.db.deleteFrom('prints').execute();
  await app.database.db.updateTable('printers').set({ deleted_at: app.clock.now }).execute();
  added = await addStar();
  printer = simulate(added);
});

async function addStar(change: Record<string, unknown> = {}): Promise<PrinterWithSecret> {
  const kind = { kind: 'star_cloudprnt', profile: 'star-mc-print', receipts: ['kitchen'] };
  // A new printer's answer has its secret.
  return (await addPrinter(app, { ...kind, ...change }, admin)) as PrinterWithSecret;
}
function simulate(of: PrinterWithSecret, options: Partial<StarOptions> = {}): StarPrinter {
  const pollUrl = `${app.url}${new URL(of.poll_url ?? '').pathname}`;
  return createStarPrinter({ pollUrl, username: of.username ?? '', secret: of.secret ?? '', ...options });
}
async function accept(): Promise<string> {
  const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  await app.request('POST', `/v1/orders/${body.data.id}/accept`, { body: {}, token: admin });
  return body.data.id;
}
async function prints(): Promise<Print[]> {
  const rows = await app.database.db.selectFrom('prints').select('id').orderBy('id').execute();
  const all = rows.map(async ({ id }) => (await app.request('GET', `/v1/prints/${id}`, { token: admin })).body.data);
  return Promise.all(all);
}
const statusOf = async () => {
  const { body } = await app.request('GET', '/v1/printers', { token: admin });
  return body.data.find(({ id }: { id: string }) => id === added.id).status;
};
const secondsOf = async () => {
  const { body } = await app.request('GET', '/v1/printers', { token: admin });
  return body.data.find(({ id }: { id: string }) => id === added.id).poll_seconds;
};
/** Polls until a paper more is out: the instance hears of jobs a moment after their commit. */
async function pollForPaper(from = printer): Promise<string> {
  const before = from.papers.length;
  await vi.waitUntil(
    async () => {
      await from.poll();
      return from.papers.length > before;
    },
    { timeout: 20_000, interval: 20 },
  );
  return from.papers.at(-1)?.text ?? '';
}
const wait = (seconds: number) => void (app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000));
const raw = (method: string, query: string, init: RequestInit = {}) =>
  fetch(`${app.url}/v1/printers/${added.id}/cloudprnt${query}`, {
    method,
    ...init,
    headers: { authorization: basic(added), 'content-type': 'application/json', ...init.headers },
  });
const basic = ({ username, secret }: PrinterWithSecret) =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
const poll = async (said: Record<string, unknown> = { statusCode: '200%20OK', printingInProgress: false }) =>
  // As the protocol has it; each test looks at what it needs.
  (await (await raw('POST', '', { body: JSON.stringify(said) })).json()) as Answer;
async function jobReady(): Promise<Required<Pick<Answer, 'mediaTypes' | 'jobToken' | 'deleteMethod'>>> {
  let answer: Answer | null = null;
  await vi.waitUntil(async () => (answer = await poll()).jobReady, { timeout: 60_000, interval: 20 });
  const { mediaTypes = [], jobToken = '', deleteMethod = '' } = answer ?? ({} as Partial<Answer>);
  return { mediaTypes, jobToken, deleteMethod };
}

describe('a job', () => {
  test.each<[string, Partial<StarOptions>]>([
    ['with a token', {}],
    ['of old firmware without tokens', { isOld: true }],
    ['as a picture', { mediaTypes: ['image/png'] }],
    ['as text', { mediaTypes: ['text/plain'] }],
  ])('%s comes out once, and the printer’s own word ends it', async (_name, options) => {
    printer = simulate(added, options);
    await accept();
    await pollForPaper();
    expect(await prints()).toEqual([
      expect.objectContaining({ status: 'printed', attempts: 1, ended_at: expect.any(String) }),
    ]);
    expect((await printer.poll())?.jobReady).toBe(false);
    expect(printer.papers).toHaveLength(1);
    expect(printer.papers[0]?.text).toContain(options.mediaTypes?.includes('image/png') ? '[picture]' : 'Margherita');
  });

  test('is offered in every form of the model, and is stored by nobody on the way', async () => {
    await accept();
    const { mediaTypes, jobToken, deleteMethod } = await jobReady();
    expect([mediaTypes, deleteMethod]).toEqual([
      ['application/vnd.star.starprnt', 'image/png', 'text/plain'],
      'DELETE',
    ]);
    for (const type of mediaTypes) {
      const got = await raw('GET', `?mac=1&type=${encodeURIComponent(type)}&token=${jobToken}`);
      expect([got.status, got.headers.get('content-type'), got.headers.get('cache-control')]).toEqual([
        200,
        type,
        'no-store',
      ]);
      expect(got.headers.get('x-star-cut')).toBe(type.includes('starprnt') ? null : 'partial; feed=true');
    }
    expect((await raw('GET', `?type=image/jpeg&token=${jobToken}`)).status).toBe(415);
    expect((await prints())[0]?.status).toBe('sent');
  });

  test('fetched twice is the same paper, also by old firmware', async () => {
    await accept();
    const { jobToken } = await jobReady();
    const get = async (query: string) => Buffer.from(await (await raw('GET', query)).arrayBuffer()).toString('hex');
    const first = await get(`?token=${jobToken}`);
    expect([await get(`?token=${jobToken}`), await get('')]).toEqual([first, first]);
    expect((await raw('GET', '?token=another')).status).toBe(404);
    expect(await prints()).toEqual([expect.objectContaining({ status: 'sent', attempts: 1, unsure: 0 })]);
  });

  test('confirmed twice, or by GET, is printed once', async () => {
    await accept();
    const { jobToken } = await jobReady();
    await raw('GET', `?token=${jobToken}`);
    const answers = [
      await raw('GET', `?delete&code=OK&token=${jobToken}`),
      await raw('DELETE', `?code=200%20OK&token=${jobToken}`),
      await raw('DELETE', `?code=410&token=${jobToken}`),
      await raw('DELETE', '?code=200%20OK'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await prints()).toEqual([expect.objectContaining({ status: 'printed', fault: null })]);
  });

  test('of another printer cannot be fetched nor confirmed', async () => {
    await accept();
    const { jobToken } = await jobReady();
    const other = await addStar({ name: 'Bar', receipts: [] });
    const at = `${app.url}/v1/printers/${other.id}/cloudprnt`;
    const headers = { authorization: basic(other) };
    expect((await fetch(`${at}?token=${jobToken}`, { headers })).status).toBe(404);
    await fetch(`${at}?code=OK&token=${jobToken}`, { method: 'DELETE', headers });
    expect((await prints())[0]?.status).toBe('claimed');
  });
});

describe('a code', () => {
  test.each([
    ['OK', 'printed', '', 'ready'],
    ['200%20OK', 'printed', '', 'ready'],
    ['211%20Paper%20low', 'printed', '', 'ready'],
    ['410%20Out%20of%20paper', 'unknown', 'paper', 'fault'],
    ['420%20Cover%20open', 'unknown', 'cover is open', 'fault'],
    ['411%20Paper%20jam', 'unknown', '411 Paper jam', 'fault'],
    ['520%20Download%20error', 'failed', '520 Download error', 'ready'],
    ['511%20Media%20decoding%20error', 'failed', '511 Media decoding error', 'ready'],
    ['nonsense', 'unknown', '', 'ready'],
  ])('%s means %s', async (code, status, words, state) => {
    await accept();
    const { jobToken } = await jobReady();
    await raw('GET', `?token=${jobToken}`);
    await raw('DELETE', `?code=${code}&token=${jobToken}`);
    const [print] = await prints();
    expect(print?.status).toBe(status);
    expect((print && printErrorWords(print)) ?? '').toContain(words);
    await vi.waitUntil(async () => (await statusOf()).state === state, { timeout: 60_000 });
    // What cannot be decoded once never will be.
    expect(print?.ended_at === null).toBe(!['OK', '200%20OK'].includes(code) && !/^211|^511/.test(code));
  });

  test('in a poll says what is wrong with the printer, and that it is well again', async () => {
    await poll({ statusCode: '410%20Out%20of%20paper' });
    await vi.waitUntil(async () => (await statusOf()).state === 'fault', { timeout: 30_000 });
    expect(await statusOf()).toMatchObject({ paper: 'out', fault: 'paper_out' });
    await accept();
    expect((await poll({ statusCode: '410%20Out%20of%20paper' })).jobReady).toBe(false);
    await poll();
    await vi.waitUntil(async () => (await statusOf()).state === 'ready', { timeout: 30_000 });
    await jobReady();
    await poll({ statusCode: '211%20Paper%20low' });
    await vi.waitUntil(async () => (await statusOf()).paper === 'low', { timeout: 30_000 });
    expect(await statusOf()).toMatchObject({ state: 'ready', fault: null });
  });
});

describe('a printer whose polls say', () => {
  test.each([
    ['411%20Paper%20jam', 'paper_stuck', 'stuck', false],
    ['412', 'paper_stuck', 'stuck', false],
    ['421%20Cover', 'cover_open', 'cover is open', false],
    ['450', 'other', 'reports a fault. (code 450)', false],
    ['4990%20Something', 'other', '(4990 Something)', false],
    ['510%20Incompatible%20media', 'cannot_read', 'right model', true],
    ['521%20Job%20too%20large', 'cannot_read', 'right model', true],
    ['520%20Timeout', 'not_fetched', 'network', true],
    ['599', 'other', '(code 599)', true],
  ])('%s has the fault %s, in words', async (statusCode, fault, words, mayTry) => {
    await poll({ statusCode, printingInProgress: false });
    await vi.waitUntil(async () => (await statusOf()).state === 'fault', { timeout: 60_000 });
    const status = await statusOf();
    expect(status.fault).toBe(fault);
    expect(status.words).toContain(words);
    await accept();
    // 4xx: it cannot print. 5xx: it could make nothing of the last job, and has another chance.
    await vi.waitUntil(() => app.services.leases.mayHave(added.id), { timeout: 60_000 });
    expect((await poll({ statusCode })).jobReady).toBe(mayTry);
    await poll();
    await vi.waitUntil(async () => (await statusOf()).state === 'ready', { timeout: 60_000 });
  });

  test.each(['210', '211%20Paper%20low', '201', '230'])('%s can print', async (statusCode) => {
    await poll({ statusCode });
    await vi.waitUntil(async () => (await statusOf()).state === 'ready', { timeout: 60_000 });
    expect((await statusOf()).paper).toBe(statusCode.startsWith('21') ? 'low' : 'ok');
  });
});

describe('what is lost', () => {
  test('a confirmation: the copy is printed again, marked', async () => {
    await accept();
    printer.failNext('delete_lost');
    expect(await pollForPaper()).not.toContain('POSSIBLE DUPLICATE');
    expect((await printer.poll())?.jobReady, 'it may still be printing').toBe(false);
    expect((await prints())[0]?.status).toBe('sent');
    wait(4);
    await printer.poll();
    expect((await prints())[0]).toMatchObject({ status: 'unknown', unsure: 1, fault: 'other' });
    expect((await statusOf()).state, 'the printer is well').toBe('ready');
    wait(6);
    expect(await pollForPaper()).toContain('POSSIBLE DUPLICATE');
    expect(await prints()).toEqual([expect.objectContaining({ status: 'printed', attempts: 2 })]);
  });

  test('a confirmation that comes late is believed', async () => {
    await accept();
    const { jobToken } = await jobReady();
    await raw('GET', `?token=${jobToken}`);
    wait(4);
    await poll();
    expect((await prints())[0]?.status).toBe('unknown');
    await raw('DELETE', `?code=OK&token=${jobToken}`);
    expect(await prints()).toEqual([expect.objectContaining({ status: 'printed', attempts: 1 })]);
  });

  test('a confirmation of old firmware: it does not say that it prints nothing, so three polls pass', async () => {
    printer = simulate(added, { isOld: true });
    await printer.poll();
    await expect.poll(secondsOf, { timeout: 30_000 }).toBe(5);
    await accept();
    printer.failNext('delete_lost');
    await pollForPaper();
    wait(14);
    await printer.poll();
    expect((await prints())[0]?.status).toBe('sent');
    wait(2);
    await vi.waitUntil(async () => (await prints())[0]?.status === 'unknown', { timeout: 60_000 });
    wait(6);
    expect(await pollForPaper()).toContain('POSSIBLE DUPLICATE');
  });

  test('the power before it prints: the copy may be on paper for all that is known, and is marked', async () => {
    await accept();
    printer.failNext('power_before');
    await vi.waitUntil(async () => (await printer.poll())?.jobReady, { timeout: 60_000, interval: 20 });
    expect(printer.papers).toHaveLength(0);
    wait(4);
    await printer.poll();
    wait(6);
    expect(await pollForPaper()).toContain('POSSIBLE DUPLICATE');
    expect(printer.papers).toHaveLength(1);
  });

  test('nothing while a printer says that it prints', async () => {
    await accept();
    const { jobToken } = await jobReady();
    await raw('GET', `?token=${jobToken}`);
    for (let seconds = 0; seconds < 120; seconds += 10) {
      wait(10);
      await poll({ statusCode: '200%20OK', jobToken, printingInProgress: true });
    }
    expect((await prints())[0]?.status).toBe('sent');
    await raw('DELETE', `?code=OK&token=${jobToken}`);
    expect((await prints())[0]?.status).toBe('printed');
  });
});

test('paper that ends in the middle: the backup prints it, marked, and the ledger tells both', async () => {
  const backup = await addStar({ name: 'Bar', receipts: [] });
  const change = { backup_printer_id: backup.id };
  await app.request('PATCH', `/v1/printers/${added.id}`, { body: change, token: admin });
  await accept();
  printer.failNext('paper_ends');
  await pollForPaper();
  expect(printer.papers[0]?.isWhole).toBe(false);
  const other = simulate(backup);
  expect(await pollForPaper(other)).toContain('POSSIBLE DUPLICATE');
  const [first, second] = await prints();
  expect(first).toMatchObject({ status: 'unknown', fault: 'paper_out', moved_to_id: second?.id });
  expect(second).toMatchObject({ status: 'printed', printer_id: backup.id });
});

test('a printer without paper that has not fetched its job gives it to its backup at once, unmarked', async () => {
  const backup = await addStar({ name: 'Bar', receipts: [] });
  const change = { backup_printer_id: backup.id };
  await app.request('PATCH', `/v1/printers/${added.id}`, { body: change, token: admin });
  await accept();
  await jobReady();
  await poll({ statusCode: '410' });
  expect(await pollForPaper(simulate(backup))).not.toContain('POSSIBLE DUPLICATE');
});

describe('signing in', () => {
  test.each([
    ['no secret', () => ''],
    ['another secret', () => basic({ ...added, secret: 'x'.repeat(43) })],
    ['another name', () => basic({ ...added, username: 'printer' })],
    ['the hash', () => basic({ ...added, secret: 'undefined' })],
    ['a token of staff', () => `Bearer ${admin}`],
  ])('%s is refused, whatever is asked', async (_name, authorization) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await raw(method, '?code=OK', { headers: { authorization: authorization() } });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="printer"']);
    }
  });

  test('ends with the secret, and with the printer', async () => {
    expect((await raw('POST', '', { body: '{}' })).status).toBe(200);
    const { body } = await app.request('POST', `/v1/printers/${added.id}/rotate-secret`, { token: admin });
    expect((await raw('POST', '', { body: '{}' })).status).toBe(401);
    added = body.data;
    expect((await raw('POST', '', { body: '{}' })).status).toBe(200);
    await app.request('DELETE', `/v1/printers/${added.id}`, { token: admin });
    expect((await raw('POST', '', { body: '{}' })).status).toBe(401);
  });

  test('the database has the secret’s hash only', async () => {
    const secret = added.secret ?? '';
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const row = await app.database.db
      .selectFrom('printers')
      .selectAll()
      .where('id', '=', added.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row.secret_hash).toHaveLength(32);
  });
});

test('how often it polls is asked, and kept', async () => {
  printer = simulate(added, { pollInterval: 60 });
  expect((await printer.poll())?.clientAction).toEqual([{ request: 'GetPollInterval', options: '' }]);
  await expect.poll(secondsOf, { timeout: 30_000 }).toBe(60);
  expect((await printer.poll())?.clientAction).toBeUndefined();
  wait(3601);
  expect((await printer.poll())?.clientAction).toBeDefined();
});

test('how often it polls is learned from one that does not say it', async () => {
  for (let polls = 0; polls < 2; polls += 1) {
    await poll();
    wait(40);
  }
  await expect.poll(secondsOf, { timeout: 30_000 }).toBe(40);
});

test('a printer that takes a receipt and is not heard any more: its backup prints it, marked', async () => {
  const backup = await addStar({ name: 'Bar', receipts: [] });
  const change = { backup_printer_id: backup.id };
  await app.request('PATCH', `/v1/printers/${added.id}`, { body: change, token: admin });
  const other = simulate(backup);
  await printer.poll();
  await other.poll();
  await accept();
  printer.failNext('power_before');
  await vi.waitUntil(async () => (await printer.poll())?.jobReady, { timeout: 60_000, interval: 20 });
  wait(16);
  await vi.waitUntil(async () => (await prints())[0]?.status === 'unknown', { timeout: 30_000 });
  await other.poll();
  wait(4);
  expect(await pollForPaper(other)).toContain('POSSIBLE DUPLICATE');
  expect(printer.papers).toEqual([]);
  expect(await statusOf()).toMatchObject({ state: 'offline', fault: 'offline' });
});

test('a poll that finds nothing asks the database nothing', async () => {
  await poll();
  await vi.waitUntil(async () => (await statusOf()).state === 'ready', { timeout: 30_000 });
  await vi.waitUntil(async () => (await countStatements(() => inject())) === 0, { timeout: 60_000 });
  for (let time = 0; time < 20; time += 1) expect(await countStatements(() => inject())).toBe(0);
  await accept();
  await jobReady();
  expect(await countStatements(() => inject()), 'the count counts').toBeGreaterThan(0);
  function inject() {
    return app.http.inject({
      method: 'POST',
      url: `/v1/printers/${added.id}/cloudprnt`,
      headers: { authorization: basic(added), 'content-type': 'application/json' },
      payload: { statusCode: '200%20OK', printingInProgress: false },
    });
  }
});

test.each([
  ['no JSON', 'status=1', 400],
  ['no body', '', 200],
  ['other types', '{"statusCode":5,"jobToken":{},"printingInProgress":"no","clientAction":{"request":1}}', 200],
  ['a list', '[1]', 200],
  ['a body without end', `{"statusCode":"${'x'.repeat(40_000)}"}`, 413],
])('a poll with %s does no harm', async (_name, body, status) => {
  expect((await raw('POST', '', { body })).status).toBe(status);
});

test('settings for MQTT are not there', async () => {
  const setting = `${app.url}/v1/printers/${added.id}/cloudprnt-setting.json`;
  expect((await fetch(setting, { headers: { authorization: basic(added) } })).status).toBe(404);
});
