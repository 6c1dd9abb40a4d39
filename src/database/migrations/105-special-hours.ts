import { sql, type Kysely } from 'kysely';

/** Hours for single dates, and pauses of one way to order. Closed dates stay in `closures`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table stores
        add column special_hours jsonb not null default '[]',
        add column pauses jsonb not null default '[]'`,
    )
    .execute(db);
}
