import { sql, type Kysely } from 'kysely';

/** Drafts of menu imports. A row outlives its content, so that a file and its headings are recognised later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table menu_drafts (
        id uuid primary key,
        store_id uuid not null references stores on delete cascade,
        file_name text not null,
        file_hash text not null,
        header_shape text,
        columns text,
        content text,
        updated_at timestamptz not null,
        imported_at timestamptz,
        unique (store_id, file_hash)
      );
      create index menu_drafts_store on menu_drafts (store_id, updated_at desc, id desc);`,
    )
    .execute(db);
}
