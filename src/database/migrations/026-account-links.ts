import { sql, type Kysely } from 'kysely';

/** Mailed links that put guest orders into an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table account_links (
  token_hash bytea primary key,
  email text not null,
  order_ids uuid[] not null,
  expires_at timestamptz not null
);
create index account_links_expires on account_links (expires_at);
`,
    )
    .execute(db);
}
