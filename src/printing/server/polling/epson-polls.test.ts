import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Print } from '#ordering/print.ts';
import type { PrinterWithSecret } from '#printing/printer.ts';
import { createEpsonPrinter, type EpsonOptions, type EpsonPrinter } from '#simulators/printers/epson-printer.ts';
import { countStatements } from '#printing/testing/statements.ts';
import { addPrinter } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let added: PrinterWithSecret;
let printer: EpsonPrinter;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.db.deleteFrom('prints').execute();
  await app.database.db.updateTable('printers').set({ deleted_at: app.clock.now }).execute();
  added = await addEpson();
  printer = simulate(added);
});

async function addEpson(change: Record<string, unknown> = {}): Promise<PrinterWithSecret> {
  // A new printer's answer has its secret.
  return (await addPrinter(app, { kind: 'epson_sdp', receipts: ['kitchen'], ...change }, admin)) as PrinterWithSecret;
}
function simulate(of: PrinterWithSecret, options: Partial<EpsonOptions> = {}): EpsonPrinter {
  const pollUrl = `${app.url}${new URL(of.poll_url ?? '').pathname}`;
  return createEpsonPrinter({ pollUrl, username: of.username ?? '', secret: of.secret ?? '', ...options });
}
async function accept(): Promise<void> {
  const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  await app.request('POST', `/v1/orders/${body.data.id}/accept`, { body: {}, token: admin });
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
const wait = (seconds: number) => void (app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000));
const soon = { timeout: 60_000, interval: 20 };
/** Polls until it got a job: the instance hears of jobs a moment after their commit. */
const pollForJob = (from = printer) => vi.waitUntil(() => from.poll(), soon);
const send = (fields: Record<string, string>) =>
  fetch(`${app.url}/v1/printers/${added.id}/epson`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

test.each<[string, Partial<EpsonOptions>]>([
  ['by Basic authentication', {}],
  ['by the ID and name of its form', { signsInByForm: true }],
  ['with firmware that repeats no job id', { isOld: true }],
])('a printer %s prints a job once, and its own word ends it', async (_name, options) => {
  printer = simulate(added, options);
  await accept();
  printer.failNext('response_repeated');
  await pollForJob();
  expect(printer.papers.map(({ text }) => text)).toEqual([expect.stringContaining('Margherita')]);
  expect(await prints()).toEqual([
    expect.objectContaining({ status: 'printed', attempts: 1, ended_at: expect.any(String) }),
  ]);
  expect(await printer.poll()).toBe(false);
});

describe('what is lost', () => {
  test.each(['response_lost', 'request_lost', 'power_before', 'power_after'] as const)(
    '%s: the copy is printed again, marked',
    async (fault) => {
      await accept();
      printer.failNext(fault);
      await vi.waitUntil(async () => {
        await printer.poll();
        return (await prints())[0]?.status === 'sent';
      }, soon);
      expect(await printer.poll(), 'it has some seconds to say so').toBe(false);
      wait(16);
      await printer.poll();
      expect((await prints())[0]).toMatchObject({ status: 'unknown', unsure: 1 });
      expect((await statusOf()).fault, 'the printer is well').toBeNull();
      wait(6);
      await pollForJob();
      expect(printer.papers.at(-1)?.text).toContain('POSSIBLE DUPLICATE');
      expect(await prints()).toEqual([expect.objectContaining({ status: 'printed', attempts: 2 })]);
    },
  );

  test('a document that the printer cannot read is not sent again', async () => {
    await accept();
    printer.failNext('cannot_read');
    await pollForJob();
    expect((await prints())[0]).toMatchObject({ status: 'failed', fault: 'cannot_read', ended_at: expect.any(String) });
  });
});

test('paper that ends: the backup prints, and once it is refilled the printer has its jobs again', async () => {
  const backup = await addEpson({ name: 'Bar', receipts: [] });
  const change = { backup_printer_id: backup.id };
  await app.request('PATCH', `/v1/printers/${added.id}`, { body: change, token: admin });
  const spare = simulate(backup);
  await accept();
  printer.failNext('paper_ends');
  await pollForJob();
  await pollForJob(spare);
  expect(spare.papers[0]?.text).toContain('POSSIBLE DUPLICATE');
  expect(await statusOf()).toMatchObject({ state: 'fault', fault: 'paper_out', paper: 'out' });
  wait(5);
  await printer.poll();
  expect((await statusOf()).state, 'it was asked, and has no paper').toBe('fault');
  printer.refill();
  wait(5);
  await printer.poll();
  await vi.waitUntil(async () => (await statusOf()).state === 'ready', soon);
  expect(printer.papers).toHaveLength(1);
  await accept();
  await pollForJob();
  expect(printer.papers).toHaveLength(2);
});

test('a printer that has nothing to print is asked how it is: paper that ends is known within two polls', async () => {
  await vi.waitUntil(async () => {
    await printer.poll();
    return (await statusOf()).paper === 'ok';
  }, soon);
  expect(await statusOf()).toMatchObject({ state: 'ready', cover: 'closed' });
  printer.runOutOfPaper();
  wait(5);
  await printer.poll();
  wait(5);
  await printer.poll();
  await vi.waitUntil(async () => (await statusOf()).fault === 'paper_out', soon);
});

test('without a backup a job waits for paper: it is not sent to a printer that would refuse it, and comes out once, unmarked', async () => {
  printer.runOutOfPaper();
  await vi.waitUntil(async () => {
    await printer.poll();
    return (await statusOf()).fault === 'paper_out';
  }, soon);
  await accept();
  for (let poll = 0; poll < 5; poll += 1) {
    wait(5);
    expect(await printer.poll()).toBe(false);
  }
  expect(await prints()).toEqual([expect.objectContaining({ status: 'queued', unsure: 0, attempts: 0 })]);
  printer.refill();
  wait(5);
  await printer.poll();
  await pollForJob();
  expect(printer.papers.map(({ text }) => text)).toEqual([expect.not.stringContaining('POSSIBLE DUPLICATE')]);
  expect(await prints()).toEqual([expect.objectContaining({ status: 'printed', attempts: 1 })]);
});

test('a status notification tells of paper and cover', async () => {
  const notify = (asb: string) =>
    send({
      ConnectionType: 'SetStatus',
      ID: added.username ?? '',
      Name: added.secret ?? '',
      Status: `<statusmonitor Version="1.00"><printerstatus devicename="local_printer" asbstatus="${asb}"/></statusmonitor>`,
    });
  await notify('0x0F00003C');
  await vi.waitUntil(async () => (await statusOf()).fault === 'cover_open', soon);
  await notify('0x0F020014');
  await vi.waitUntil(async () => (await statusOf()).paper === 'low', soon);
  expect(await statusOf()).toMatchObject({ state: 'ready', cover: 'closed' });
});

test.each([
  ['no secret', {}],
  ['another secret', { Name: 'x'.repeat(43) }],
  ['an empty one', { Password: '' }],
])('%s is refused', async (_name, fields) => {
  const { status } = await send({ ConnectionType: 'GetRequest', ID: added.username ?? '', ...fields });
  expect(status).toBe(401);
});

test('a form that asks for nothing known is refused, and one whose result is none changes nothing', async () => {
  const own = { ID: added.username ?? '', Name: added.secret ?? '' };
  expect((await send({ ...own, ConnectionType: 'GetEverything' })).status).toBe(400);
  for (const ResponseFile of [
    '',
    '<x',
    '<response>',
    '<response success="maybe"/>',
    `<response ${' a="'.repeat(3_000)}`,
  ]) {
    expect((await send({ ...own, ConnectionType: 'SetResponse', ResponseFile })).status).toBe(200);
  }
});

test('a poll that finds nothing asks the database nothing', async () => {
  const inject = () =>
    app.http.inject({
      method: 'POST',
      url: `/v1/printers/${added.id}/epson`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `ConnectionType=GetRequest&ID=${added.username}&Name=${added.secret}`,
    });
  await inject();
  await vi.waitUntil(async () => (await countStatements(inject)) === 0, soon);
  for (let time = 0; time < 10; time += 1) expect(await countStatements(inject)).toBe(0);
});

test.each(['by Basic authentication', 'by its form'])(
  'a printer that signs in %s has the same answers',
  async (way) => {
    const basic = `Basic ${Buffer.from(`${added.username}:${added.secret}`).toString('base64')}`;
    const isBasic = way === 'by Basic authentication';
    const ask = (body: string) =>
      fetch(`${app.url}/v1/printers/${added.id}/epson`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...(isBasic && { authorization: basic }) },
        body: body + (isBasic ? '' : `&ID=${added.username}&Name=${added.secret}`),
      });
    const read = async (answer: Response) => ({
      status: answer.status,
      type: answer.headers.get('content-type'),
      cache: answer.headers.get('cache-control'),
      sniff: answer.headers.get('x-content-type-options'),
      text: await answer.text(),
    });
    const nothing = { status: 200, type: 'text/xml; charset=utf-8', cache: 'no-store', sniff: 'nosniff', text: '' };
    await vi.waitUntil(async () => (await ask('ConnectionType=GetRequest').then(read)).text === '', soon);
    wait(10);
    const asked = await read(await ask('ConnectionType=GetRequest'));
    expect(asked).toEqual({ ...nothing, text: expect.stringContaining('<printjobid>status</printjobid>') });
    const said = '<response success="true" code="" status="251789332"/><printjobid>status</printjobid>';
    expect(await read(await ask(`ConnectionType=SetResponse&ResponseFile=${encodeURIComponent(said)}`))).toEqual(
      nothing,
    );
    await vi.waitUntil(async () => (await statusOf()).paper === 'low', soon);
    expect(await read(await ask('ConnectionType=GetRequest'))).toEqual(nothing);
    expect((await ask('ConnectionType=GetEverything')).status).toBe(400);
  },
);

test('how often it polls is learned: it never says it', async () => {
  for (let polls = 0; polls < 2; polls += 1) {
    await printer.poll();
    wait(30);
  }
  const secondsOf = async () => {
    const { body } = await app.request('GET', '/v1/printers', { token: admin });
    return body.data.find(({ id }: { id: string }) => id === added.id).poll_seconds;
  };
  await expect.poll(secondsOf, soon).toBe(30);
});
