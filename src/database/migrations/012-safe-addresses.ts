import { sql, type Kysely } from 'kysely';

/** Removes addresses stored before addresses were checked, which would be run instead of shown: `javascript:` and the like. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      String.raw`
update stores set google_review_url = null where google_review_url !~* '^https?://';
update stores set logo = null where logo !~* '^(/(?![/\\])|https?://)';
update stores set cover = null where cover !~* '^(/(?![/\\])|https?://)';
update categories set image = null where image !~* '^(/(?![/\\])|https?://)';
update items set image = null where image !~* '^(/(?![/\\])|https?://)';
`,
    )
    .execute(db);
}
