import { sql, type Kysely } from 'kysely';

/** Slips that are no receipts: an order was called off, or is promised for another time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table printers add column prints_promises boolean not null default false;
alter table prints drop constraint prints_purpose_check;
alter table prints add constraint prints_purpose_check
  check (purpose in ('receipt', 'draft', 'test', 'drawer', 'cancellation', 'promise'));
`,
    )
    .execute(db);
}
