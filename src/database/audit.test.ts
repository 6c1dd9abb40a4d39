import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  auditChain,
  auditChainWork,
  deleteAuditBefore,
  eraseAuditDetailsOf,
  eraseAuditMentions,
  writeAudit,
} from '#database/audit.ts';
import { extendChain, verifyChain } from '#database/journal/chain.ts';
import { inTransaction } from '#database/transaction.ts';
import { guest } from '#platform/http/viewer.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await asNobodyMay(sql`truncate audit_log, audit_chain, audit_details, audit_search, audit_unchained, audit_start`);
});
afterAll(() => database.drop());

const first = new Date('2026-01-01T12:00:00.000Z');
const now = new Date('2026-11-21T18:00:00.000Z');

/** As somebody with the whole database in hand, who has switched the triggers off. */
async function asNobodyMay(statement: ReturnType<typeof sql>): Promise<void> {
  await inTransaction(database.db, async (tx) => {
    const tables = ['audit_log', 'audit_chain', 'audit_details'];
    for (const name of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx);
    await statement.execute(tx);
    for (const name of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx);
  });
}

const subject = randomUUIDv7();
async function write(count: number, at = first): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await inTransaction(database.db, (tx) =>
      writeAudit(tx, {
        viewer: { ...guest, role: 'admin', name: 'Olga' },
        action: 'POST /v1/orders/{id}/cancel',
        params: { id: subject },
        body: { reason: `Mrs Quux rang ${index}` },
        answer: null,
        requestId: `r${index}`,
        at: new Date(at.getTime() + index * 86_400_000),
      }),
    );
  }
}
const extend = () => extendChain(database.db, auditChain);
const verify = () => verifyChain(database.db, auditChain, now);
const faults = async () => (await verify()).faults;
const idAt = async (position: number) =>
  (await sql<{ id: string }>`select id from audit_chain where position = ${position}`.execute(database.db)).rows[0]?.id;

describe('the audit log', () => {
  test.each([
    ['changed', sql`update audit_log set actor = 'Nobody'`],
    ['removed', sql`delete from audit_log`],
    ['emptied', sql`truncate audit_log`],
    ['chained another way', sql`update audit_chain set hash = 'x'`],
    ['taken out of the chain', sql`delete from audit_chain`],
    ['given other details', sql`update audit_details set detail = '{}'`],
  ])('cannot be %s', async (_what, statement) => {
    await write(2);
    await extend();
    await expect(statement.execute(database.db)).rejects.toThrow('takes inserts only');
    expect(await verify()).toMatchObject({ entries: 2, faults: [] });
  });

  test('keeps what was sent apart, under a salt of its own', async () => {
    await write(2);
    const { rows } = await sql<{ detail: unknown; digest: string; right: boolean; salt: string }>`
      select l.detail, encode(l.detail_digest, 'hex') as digest, d.salt::text as salt,
        l.detail_digest = sha256(d.salt || convert_to('{"reason": "Mrs Quux rang 0"}', 'UTF8')) as right
      from audit_log l join audit_details d using (id) order by l.at`.execute(database.db);
    expect(rows.map(({ detail, right }) => [detail, right])).toEqual([
      [null, true],
      [null, false],
    ]);
    expect(new Set(rows.map(({ salt }) => salt)).size).toBe(2);
  });

  test('is one chain however many instances give places at once, and one is due until all have theirs', async () => {
    const due = async () =>
      (await sql<{ due: boolean }>`select ${auditChainWork(database.db).due(now)} as due`.execute(database.db)).rows[0]
        ?.due;
    await Promise.all([write(20), write(20)]);
    expect(await due()).toBe(true);
    const counts = await Promise.all(Array.from({ length: 4 }, extend));
    expect(counts.reduce((sum, count) => sum + count)).toBe(40);
    await Promise.all([write(3), extend(), write(3), extend(), extend()]);
    await extend();
    expect(await due()).toBe(false);
    expect(await verify()).toEqual({
      name: 'audit',
      entries: 46,
      head: expect.stringMatching(/^[\da-f]{64}$/),
      faults: [],
    });
  });

  test('stays whole after what was sent was erased, by subject or by a name in it', async () => {
    await write(3);
    await extend();
    const before = await verify();
    await inTransaction(database.db, (tx) => eraseAuditMentions(tx, ['Mrs Quux rang 1']));
    const left = () => database.db.selectFrom('audit_details').select('id').execute();
    expect(await left()).toHaveLength(2);
    await inTransaction(database.db, (tx) => eraseAuditDetailsOf(tx, [subject]));
    expect(await left()).toEqual([]);
    expect(await database.db.selectFrom('audit_search').select('id').execute()).toEqual([]);
    expect(await verify()).toEqual(before);
  });

  test.each<[string, ReturnType<typeof sql>, string, number | null]>([
    ['who did it', sql`update audit_log set actor = 'Nobody' where request_id = 'r1'`, 'changed', 2],
    ['when', sql`update audit_log set at = at + interval '1 millisecond' where request_id = 'r1'`, 'changed', 2],
    [
      'what was sent',
      sql`update audit_details d set detail = '{}' from audit_log l where d.id = l.id and request_id = 'r1'`,
      'changed',
      2,
    ],
    [
      'what was sent and its digest',
      sql`with other as (update audit_details d set detail = '{}' from audit_log l where d.id = l.id and request_id = 'r1' returning d.*)
        update audit_log l set detail_digest = audit_digest(other.salt, other.detail) from other where l.id = other.id`,
      'changed',
      2,
    ],
    ['a line that is gone', sql`delete from audit_log where request_id = 'r1'`, 'gone', 2],
    [
      'a line that is gone with its place',
      sql`with gone as (delete from audit_log where request_id = 'r1' returning id) delete from audit_chain c using gone where c.id = gone.id`,
      'missing',
      3,
    ],
    ['a hash', sql`update audit_chain set hash = sha256('x') where position = 4`, 'changed', 4],
    [
      'a line that nobody chained',
      sql`insert into audit_log (id, at, actor, role, action, request_id) values (gen_random_uuid(), '2026-02-01', 'Eve', 'admin', 'x', 'r')`,
      'unchained',
      null,
    ],
  ])('says where it was broken: %s', async (_what, tamper, kind, position) => {
    await write(4);
    await extend();
    await asNobodyMay(tamper);
    expect(await faults()).toMatchObject([{ kind, position }]);
  });

  test('loses what is old, from the beginning, and the last hash stays', async () => {
    await write(10);
    await extend();
    const { head } = await verify();
    const third = await idAt(4);
    expect(await deleteAuditBefore(database.db, new Date('2026-01-04T12:00:00Z'))).toBe(3);
    expect(await verify()).toEqual({ name: 'audit', entries: 7, head, faults: [] });
    expect(await idAt(4)).toBe(third);
    for (const table of ['audit_log', 'audit_details', 'audit_search'] as const) {
      expect(await database.db.selectFrom(table).select('id').execute(), table).toHaveLength(7);
    }
    expect(await deleteAuditBefore(database.db, new Date('2026-01-04T12:00:00Z'))).toBe(0);
    expect(await deleteAuditBefore(database.db, now)).toBe(7);
    expect(await verify()).toEqual({ name: 'audit', entries: 0, head, faults: [] });
    await write(1);
    await extend();
    expect(await verify()).toMatchObject({ entries: 1, faults: [] });
    expect(await idAt(11)).toEqual(expect.any(String));
    await expect(sql`delete from audit_log`.execute(database.db)).rejects.toThrow('takes inserts only');
  });

  test('loses nothing that stands behind a line that is kept', async () => {
    await write(1, now);
    await extend();
    await write(2);
    await extend();
    expect(await deleteAuditBefore(database.db, new Date('2026-06-01T00:00:00Z'))).toBe(0);
    expect(await verify()).toMatchObject({ entries: 3, faults: [] });
  });
});
