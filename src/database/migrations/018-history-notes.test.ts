import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as historyNotes from '#database/migrations/018-history-notes.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let id: string;
beforeAll(async () => {
  app = await startTestApp();
  id = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id;
  const steps = written.map(([step, reason]) => ({ ...step, reason }));
  for (const [index, { from, to, reason }] of steps.entries()) {
    await sql`insert into order_history (order_id, version, from_status, to_status, actor, reason, at)
      values (${id}, ${index + 2}, ${from}, ${to}, 'Olive', ${reason}, now())`.execute(app.database.db);
  }
  await sql`alter table order_history drop column note`.execute(app.database.db);
  // A migration does not use today's column types.
  await historyNotes.up(app.database.db as unknown as Kysely<unknown>);
});
afterAll(() => app.close());

const money = { from: 'collected', to: 'collected' };
const taken = { from: 'placed', to: 'accepted' };
const cancelled = { from: 'accepted', to: 'cancelled' };
const of = (amount: number) => ({ amount, currency: 'GBP' });

/** As the application wrote them until then, and the notes they become. Polish has a space before the sign. */
const written: [step: { from: string; to: string }, reason: string | null, note: unknown][] = [
  [money, 'Paid in another way', { kind: 'marked_paid' }],
  [money, 'Refund of £4.50: Cold chips', { kind: 'refund', ...of(450), reason: 'Cold chips' }],
  [money, 'Refund of £1,204.50: Late: very\nlate', { kind: 'refund', ...of(120_450), reason: 'Late: very\nlate' }],
  [money, 'Refund of 8,00\u00a0£: Zimne', { kind: 'refund', ...of(800), reason: 'Zimne' }],
  [money, 'The refund of £8.00 failed at the payment provider', { kind: 'refund_failed', ...of(800) }],
  [money, 'The refund of 1\u00a0234,05\u00a0£ was given back by hand', { kind: 'refund_by_hand', ...of(123_405) }],
  [taken, 'Taken all the same: We are closed until 17:00.', overridden({ kind: 'closed_until', time: '17:00' })],
  [
    taken,
    'Taken all the same: We are not taking orders until 18:30. We take cash for orders up to £50.00. Please choose another way to pay.',
    overridden({ kind: 'paused', time: '18:30' }, { kind: 'cash_limit', ...of(5000) }),
  ],
  [
    taken,
    'Przyjęto mimo to: 18:10 to za wcześnie. Najwcześniej 18:25. Gotówkę przyjmujemy do 50,00\u00a0£. Wybierz inny sposób płatności.',
    overridden({ kind: 'too_soon', time: '18:10', earliest: '18:25' }, { kind: 'cash_limit', ...of(5000) }),
  ],
  [
    taken,
    'Przyjęto mimo to: 18:10 jest już zajęta. Wybierz inną godzinę.',
    overridden({ kind: 'slot_full', time: '18:10' }),
  ],
  [taken, 'Taken all the same: Words of another time.', null],
  [cancelled, 'Paid in another way', null],
  [cancelled, 'Refund of £4.50: Cold chips', null],
  [cancelled, 'too_busy', null],
  [money, 'rung', null],
  [money, null, null],
];

function overridden(...problems: unknown[]) {
  return { kind: 'overridden', problems };
}

test.each(written.map(([, reason, note], index) => ({ reason, note, version: index + 2 })))(
  'carries $reason',
  async ({ reason, note, version }) => {
    const { rows } =
      await sql`select reason, note from order_history where order_id = ${id} and version = ${version}`.execute(
        app.database.db,
      );
    expect(rows).toEqual([{ reason, note }]);
  },
);

test('is read in the language of whoever asks, and as it was written where nobody understood it', async () => {
  const token = await app.signIn('admin');
  const read = async (language: string): Promise<string[]> => {
    const headers = { 'accept-language': language };
    const { status, body } = await app.request('GET', `/v1/orders/${id}`, { token, headers });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data.history.slice(1).map(({ reason }: { reason: string }) => reason);
  };
  const english = await read('en');
  expect(english.slice(0, 4)).toEqual([
    'Paid another way',
    'Refund of £4.50: Cold chips',
    'Refund of £1,204.50: Late: very\nlate',
    'Refund of £8.00: Zimne',
  ]);
  expect(english[8]).toBe(
    'Accepted despite: 18:10 is too soon. The earliest is 18:25. We take cash for orders up to £50.00. Please choose another way to pay.',
  );
  const polish = await read('pl');
  expect(polish[0]).toBe('Zapłacono w inny sposób');
  expect(polish[6]).toBe('Przyjęto mimo to: Zamknięte do 17:00.');
  expect(polish[10]).toBe('Taken all the same: Words of another time.');
});
