import type { Db } from '#database/schema.ts';
import type { FailedMail } from '#mail/contract.ts';

/** The mails about an order that did not reach their receiver, or not yet, oldest first. */
export async function failedMailsOf(db: Db, orderId: string): Promise<FailedMail[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['kind', 'state', 'answer', 'tried_at', 'created_at'])
    .where('order_id', '=', orderId)
    .where('state', 'in', ['retrying', 'refused', 'given_up'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, state, answer, tried_at, created_at }) => ({
    kind,
    state,
    answer,
    at: (tried_at ?? created_at).toISOString(),
  }));
}
