import { sql, type Kysely } from 'kysely';

/** A shop whose keys at a card provider cannot be used takes no made-up cards instead. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores add column has_card_keys boolean not null default false;
update stores set has_card_keys = true
where exists (select from payment_key_sets where replaced_at is null or mode = 'live');
`,
    )
    .execute(db);
}
