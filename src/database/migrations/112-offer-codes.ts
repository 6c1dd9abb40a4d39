import { sql, type Kysely } from 'kysely';

/** The codes of offers that are valid once, in capitals and without spaces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table offer_codes (
  store_id uuid not null references stores on delete cascade,
  code text not null,
  offer_id uuid not null,
  created_at timestamptz not null,
  primary key (store_id, code)
);
create index offer_codes_offer on offer_codes (offer_id);
`,
    )
    .execute(db);
}
