import { sql, type Kysely } from 'kysely';

/** Fills what 057 made from the orders so far. Orders that come meanwhile have their names already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into order_names (name)
    select name from order_search where name <> '' except select name from order_names`.execute(db);
}
