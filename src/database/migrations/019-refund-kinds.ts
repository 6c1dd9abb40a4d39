import { sql, type Kysely } from 'kysely';

/**
 * The reason of a refund becomes a kind; only a text that a person wrote stays a sentence. The application's sentences
 * stay in their column: instances of the last version may still read them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table refunds add column kind text not null default 'asked' check (kind in ('asked', 'order_ended', 'at_provider'));
update refunds set kind = case reason when 'Given back at the payment provider' then 'at_provider' else 'order_ended' end
where actor = 'system' and actor_id is null
  and reason in ('Given back at the payment provider', 'The order was ended after it was paid');
`,
    )
    .execute(db);
}
