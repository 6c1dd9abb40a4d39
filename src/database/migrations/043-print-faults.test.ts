import { randomUUIDv7 } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as printFaults from '#database/migrations/043-print-faults.ts';
import type { Print, PrintFault } from '#ordering/print.ts';
import { printErrorWords } from '#printing/printer-rules.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

interface Written {
  fault: PrintFault | null;
  error: string | null;
}

let app: TestApp;
let prints: Print[];
beforeAll(async () => {
  app = await startTestApp();
  const { db } = app.database;
  const { id } = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data;
  await sql`alter table prints drop column fault_detail`.execute(db);
  for (const { fault, error } of written) {
    await sql`insert into prints (id, store_id, order_id, copy, trigger, status, fault, error, due_at, created_at)
      values (${randomUUIDv7()}, ${app.shop.storeId}, ${id}, 'kitchen', 'button', 'failed', ${fault}, ${error},
        '2026-11-21T18:00Z', '2026-11-21T18:00Z')`.execute(db);
  }
  // A migration does not use today's column types.
  await printFaults.up(db as unknown as Kysely<unknown>);
  const token = await app.signIn('admin');
  prints = (await app.request('GET', `/v1/orders/${id}`, { token })).body.data.prints;
});
afterAll(() => app.close());

/** As the last release wrote them, and what they become. */
const written: (Written & { becomes?: Partial<Print> })[] = [
  { fault: null, error: 'No printer is set up.', becomes: { fault: 'no_printer' } },
  {
    fault: 'offline',
    error: 'The printer did not say whether it printed. Look at the paper.',
    becomes: { fault: 'unanswered' },
  },
  { fault: 'offline', error: 'The printer does not answer. Is it switched on and connected?' },
  { fault: 'cover_open', error: "The printer's cover is open. Close it." },
  {
    fault: 'other',
    error: 'The printer reports a fault. (411 Paper jam (rear))',
    becomes: { fault_detail: '411 Paper jam (rear)' },
  },
  { fault: 'other', error: 'Words of an older release', becomes: { error: 'Words of an older release' } },
  { fault: null, error: null },
];

test('every sentence of the application is a fault with its detail, and reads as it did', () => {
  const seen = prints.map((print) => ({
    fault: print.fault,
    fault_detail: print.fault_detail,
    error: print.error,
    words: printErrorWords(print),
  }));
  const wanted = written.map(({ fault, error, becomes }) => ({
    fault,
    fault_detail: null,
    error: null,
    ...becomes,
    words: error,
  }));
  expect(seen).toHaveLength(wanted.length);
  expect(seen).toEqual(expect.arrayContaining(wanted));
});
