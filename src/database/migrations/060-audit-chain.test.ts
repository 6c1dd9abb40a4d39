import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { auditChain } from '#database/audit.ts';
import { extendChain, verifyChain } from '#database/journal/chain.ts';
import { loadMigrations } from '#database/migrate.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import { createTestDatabase } from '#testing/test-database.ts';

/** `LINES=1000000` measures it: the time is printed. */
const lines = Number(process.env['LINES'] ?? 5_000);

test('the lines so far keep every value, and each gets a place in the chain', { timeout: 600_000 }, async () => {
  const database = await createTestDatabase('template1');
  const { db } = database;
  const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations } });
  const before = await migrator.migrateTo('059-erased-reasons');
  if (before.error) throw before.error;
  await withStatementTimeout(600_000, async () => {
    await sql`
      insert into audit_log (id, at, actor_id, actor, role, store_id, action, subject_id, detail, request_id)
      select gen_random_uuid(), '2026-01-01'::timestamptz + make_interval(secs => i), gen_random_uuid(), 'Actor ' || i % 7,
        'admin', gen_random_uuid(), 'POST /v1/orders/{id}/cancel', gen_random_uuid(),
        case when i % 3 > 0 then jsonb_build_object('reason', 'Mrs Quux rang ' || i, 'list', jsonb_build_array(1.50, 'é')) end, 'r' || i
      from generate_series(1, ${lines}) as i`.execute(db);
    await sql`create table old_log as select * from audit_log`.execute(db);
    const began = performance.now();
    const { error } = await migrator.migrateTo('061-audit-outcomes');
    if (error) throw error;
    const migrated = performance.now();
    expect(await extendChain(db, auditChain)).toBe(lines);
    const chained = performance.now();
    const check = await verifyChain(db, auditChain, new Date('2026-11-21T18:00:00Z'));
    if (process.env['LINES']) {
      const seconds = [migrated - began, chained - migrated, performance.now() - chained].map(
        (ms) => Math.round(ms / 100) / 10,
      );
      process.stdout.write(
        `${lines} lines: migrated in ${seconds[0]} s, chained in ${seconds[1]} s, verified in ${seconds[2]} s\n`,
      );
    }
    expect(check).toMatchObject({ entries: lines, faults: [] });
    const { rows } = await sql<{ lost: number; details: number; salts: number }>`
      select
        (select count(*)::int from (
          select id, at, actor_id, actor, role, store_id, action, subject_id, detail, request_id from old_log
          except
          select l.id, l.at, actor_id, actor, role, store_id, action, subject_id, d.detail, request_id
          from audit_log l left join audit_details d using (id)) as each) as lost,
        (select count(*)::int from audit_log where detail is not null) as details,
        (select count(distinct salt)::int from audit_details) as salts`.execute(db);
    expect(rows).toEqual([{ lost: 0, details: 0, salts: lines - Math.floor(lines / 3) }]);
  });
  await database.drop();
});
