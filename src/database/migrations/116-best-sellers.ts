import { sql, type Kysely } from 'kysely';

/** Each store's best-selling dishes, and the trading day up to which they were counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores
  add column best_sellers jsonb not null default '[]',
  add column best_sellers_day date;
`,
    )
    .execute(db);
}
