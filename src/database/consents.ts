import { sql } from 'kysely';
import type { ConsentKind } from '#database/column-values.ts';
import type { Db, Tx } from '#database/schema.ts';

interface GivenConsent {
  userId: string;
  kind: ConsentKind;
  /** The path of the page that asked for the consent, as in `pages.ts`; null: another program made the call. */
  page: string | null;
  /** The words on that page to which the person agreed, in the person's language. */
  words: string;
  device: string;
  /** The push subscription that the consent is for; its deletion ends the consent. */
  subscriptionId?: string;
  now: Date;
}

/**
 * Records a consent, unless the person has a valid one to the same words. If the person has consented to other words
 * for the same kind and push subscription, that consent is withdrawn.
 */
export async function recordConsent(
  tx: Tx,
  { userId, kind, page, words, device, ...given }: GivenConsent,
): Promise<void> {
  await tx
    .updateTable('consents')
    .set({ withdrawn_at: given.now })
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where(sql<boolean>`subscription_id is not distinct from ${given.subscriptionId ?? null}`)
    .where('words', '<>', words)
    .where('withdrawn_at', 'is', null)
    .execute();
  await sql`
    insert into consents (user_id, kind, page, words, device, subscription_id, given_at)
    values (${userId}, ${kind}, ${page}, ${words}, ${device.slice(0, 300)}, ${given.subscriptionId ?? null}, ${given.now})
    on conflict do nothing`.execute(tx);
}

export async function withdrawConsent(
  tx: Tx,
  { userId, kind, now }: Pick<GivenConsent, 'userId' | 'kind' | 'now'>,
): Promise<void> {
  await tx
    .updateTable('consents')
    .set({ withdrawn_at: now })
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('withdrawn_at', 'is', null)
    .execute();
}

export interface Consent {
  kind: ConsentKind;
  page: string | null;
  words: string;
  device: string;
  given_at: string;
  withdrawn_at: string | null;
}

export async function listConsents(db: Db, userId: string): Promise<Consent[]> {
  const rows = await db
    .selectFrom('consents')
    .select(['kind', 'page', 'words', 'device', 'given_at', 'withdrawn_at'])
    .where('user_id', '=', userId)
    .orderBy('given_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ given_at: givenAt, withdrawn_at: withdrawnAt, ...row }) => ({
    ...row,
    given_at: givenAt.toISOString(),
    withdrawn_at: withdrawnAt?.toISOString() ?? null,
  }));
}
