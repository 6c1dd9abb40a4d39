import { randomUUIDv7 } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as addressFaults from '#database/migrations/038-address-faults.ts';
import * as printFaults from '#database/migrations/043-print-faults.ts';
import type { Db } from '#database/schema.ts';
import type { Print } from '#ordering/print.ts';
import type { Printer } from '#printing/printer.ts';
import { addPrinter } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const isPrivate =
  "This address is on the server's own network. If your printer is there, allow that in the printer's settings.";
const noQueue = 'The server has no print queue of this name.';

let app: TestApp;
let admin: string;
let orderId: string;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  orderId = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id;
});
afterEach(() => app.close());

// A migration does not use today's column types.
const plain = (db: Db) => db as unknown as Kysely<unknown>;

async function writePrint(db: Db, columns: { fault: string; error?: string; fault_detail?: string }): Promise<void> {
  const detail = columns.fault_detail === undefined ? sql`` : sql`, fault_detail`;
  const value = columns.fault_detail === undefined ? sql`` : sql`, ${columns.fault_detail}`;
  await sql`insert into prints (id, store_id, order_id, copy, trigger, status, fault, error, due_at, created_at${detail})
    values (${randomUUIDv7()}, ${app.shop.storeId}, ${orderId}, 'kitchen', 'button', 'failed', ${columns.fault},
      ${columns.error ?? null}, '2026-11-21T18:00Z', '2026-11-21T18:00Z'${value})`.execute(db);
}

async function faultsOfPrints() {
  const { body } = await app.request('GET', `/v1/orders/${orderId}`, { token: admin });
  const seen = (body.data.prints as Print[]).map(({ fault, fault_detail, error }) => ({ fault, fault_detail, error }));
  await sql`delete from prints`.execute(app.database.db);
  return seen;
}

test('details that were sentences are faults, in printers and prints; what a printer said stays', async () => {
  const { db } = app.database;
  const { id } = await addPrinter(app, { address: '192.168.77.77' }, admin);
  await sql`update printers set fault = 'wrong_address', fault_detail = ${isPrivate} where id = ${id}`.execute(db);
  await writePrint(db, { fault: 'wrong_address', fault_detail: isPrivate });
  await writePrint(db, { fault: 'wrong_address', fault_detail: noQueue });
  await writePrint(db, { fault: 'wrong_address', fault_detail: 'ECONNREFUSED' });
  await addressFaults.up(plain(db));
  await app.services.printers.reload();
  const { body } = await app.request('GET', '/v1/printers', { token: admin });
  expect(body.data.find((printer: Printer) => printer.id === id).status).toMatchObject({
    state: 'offline',
    fault: 'address_private',
    words: expect.stringMatching(/own network[^()]*$/),
  });
  const kept = { fault_detail: null, error: null };
  expect(await faultsOfPrints()).toEqual(
    expect.arrayContaining([
      { fault: 'address_private', ...kept },
      { fault: 'no_queue', ...kept },
      { fault: 'wrong_address', fault_detail: 'ECONNREFUSED', error: null },
    ]),
  );
});

test('in a database that has no details yet they are found within the sentence, before and after the next migration', async () => {
  const { db } = app.database;
  await sql`alter table prints drop column fault_detail`.execute(db);
  await writePrint(db, { fault: 'wrong_address', error: `There is no printer at this address. (${isPrivate})` });
  await writePrint(db, { fault: 'wrong_address', error: 'There is no printer at this address. (ECONNREFUSED)' });
  await addressFaults.up(plain(db));
  await printFaults.up(plain(db));
  expect(await faultsOfPrints()).toEqual(
    expect.arrayContaining([
      { fault: 'address_private', fault_detail: null, error: null },
      { fault: 'wrong_address', fault_detail: 'ECONNREFUSED', error: null },
    ]),
  );
});
