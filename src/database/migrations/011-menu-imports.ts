import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table menu_imports (
  id uuid primary key,
  store_id uuid not null references stores on delete cascade,
  created_by uuid references users on delete set null,
  file_name text not null,
  state text not null check (state in ('waiting', 'done', 'failed', 'undoing', 'undone')),
  changes jsonb not null,
  undo jsonb not null,
  total int not null,
  done int not null default 0,
  error text,
  failed_change int,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index menu_imports_store on menu_imports (store_id, created_at desc);
`,
    )
    .execute(db);
}
