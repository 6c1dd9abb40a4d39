import type { Db } from '#database/schema.ts';
import type { PaymentRow } from '#payment/server/lock-payment.ts';
import { KeysRefused } from '#payment/server/provider.ts';

/** Whether the keys have ended, for good: nothing can be asked with them any more. null: the provider needs no keys. */
export async function haveKeysEnded(db: Db, keySet: string | null): Promise<boolean> {
  if (keySet === null) return false;
  const set = await db.selectFrom('payment_key_sets').select('ended_at').where('id', '=', keySet).executeTakeFirst();
  return set?.ended_at != null;
}

/**
 * Whether a call failed because the payment's keys have ended; withdrawn ones may be replaced by others of the account.
 */
export async function isOfEndedKeys(
  db: Db,
  error: unknown,
  { key_set }: Pick<PaymentRow, 'key_set'>,
): Promise<boolean> {
  return error instanceof KeysRefused && (await haveKeysEnded(db, key_set));
}
