import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '#database/migrate.ts';
import { createTestDatabase } from '#testing/test-database.ts';

test('a migration that was added below newer ones, which ran already, is run', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    await sql`alter table orders drop column followed_up`.execute(db);
    await sql`delete from kysely_migration where name = '016-follow-ups'`.execute(db);
    await migrate(db);
    expect(await db.selectFrom('orders').select('followed_up').execute()).toEqual([]);
    const { rows } = await sql`select name from kysely_migration where name = '016-follow-ups'`.execute(db);
    expect(rows).toHaveLength(1);
  } finally {
    await drop();
  }
});
