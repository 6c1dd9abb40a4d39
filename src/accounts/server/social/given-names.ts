import type { Claims } from '#accounts/server/social/provider-client.ts';
import type { Db } from '#database/schema.ts';

/** Milliseconds: half a year. */
const keptFor = 182 * 24 * 60 * 60_000;

type Person = Pick<Claims, 'issuer' | 'subject'>;

/** Stores a name that the provider gives only once, until the person has an account here. */
export async function keepGivenName(db: Db, { issuer, subject }: Person, name: string, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + keptFor);
  await db
    .insertInto('given_names')
    .values({ issuer, subject, name, expires_at })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ name, expires_at }))
    .execute();
}

/** The name that was kept; empty when there is none. */
export async function readGivenName(db: Db, { issuer, subject }: Person, now: Date): Promise<string> {
  const row = await db
    .selectFrom('given_names')
    .select('name')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.name ?? '';
}

export async function forgetGivenName(db: Db, { issuer, subject }: Person): Promise<void> {
  await db.deleteFrom('given_names').where('issuer', '=', issuer).where('subject', '=', subject).execute();
}
