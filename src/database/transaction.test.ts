import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const error = vi.fn<(details: object, message?: string) => void>();
beforeEach(() => error.mockClear());
const services = () => ({ db: database.db, log: { error } });

const note = (tx: Tx, key: string) =>
  tx.insertInto('throttles').values({ key, attempts: 1, expires_at: new Date() }).execute();
const noted = (key: string) =>
  database.db.selectFrom('throttles').select('key').where('key', '=', key).executeTakeFirst();

test('an effect that fails is logged; the change stands, and the other effects run', async () => {
  const done: string[] = [];
  const answer = await changeWithEffects(services(), async (tx, afterCommit) => {
    await note(tx, 'stands');
    afterCommit(() => {
      throw new Error('at once');
    });
    afterCommit(async () => {
      throw new Error('later');
    });
    afterCommit(async () => void done.push((await noted('stands')) ? 'after the commit' : 'before the commit'));
    return 'made';
  });
  expect([answer, done]).toEqual(['made', ['after the commit']]);
  expect(error.mock.calls).toEqual([
    [{ err: new Error('at once') }, 'after commit'],
    [{ err: new Error('later') }, 'after commit'],
  ]);
});

test.each(['40001', '40P01'])(
  'a change that PostgreSQL rolled back for another (%s) is made again, with its effects once',
  async (code) => {
    const done: number[] = [];
    let tries = 0;
    await changeWithEffects(services(), async (tx, afterCommit) => {
      tries += 1;
      const attempt = tries;
      afterCommit(() => void done.push(attempt));
      await note(tx, code);
      if (attempt < 3) throw Object.assign(new Error('rolled back for another'), { code });
    });
    expect(done).toEqual([3]);
    expect(await noted(code)).toBeDefined();
  },
);

test('a change that was not made has no effects', async () => {
  const effect = vi.fn<() => void>();
  const change = changeWithEffects(services(), async (tx, afterCommit) => {
    afterCommit(effect);
    await note(tx, 'undone');
    throw new Error('refused');
  });
  await expect(change).rejects.toThrow('refused');
  expect([effect.mock.calls, await noted('undone')]).toEqual([[], undefined]);
});
