import { sql, type Kysely } from 'kysely';

/** The place of staff that a customer was invited to, and which links accept it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table users add column invited jsonb;
       create index users_invited on users (id) where invited is not null;
       alter table password_resets add column is_invitation boolean not null default false`,
    )
    .execute(db);
}
