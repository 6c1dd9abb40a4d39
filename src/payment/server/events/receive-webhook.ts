import { sql } from 'kysely';
import { groupCommit } from '#database/group-commit.ts';
import { m } from '#messages';
import type { PaymentContext } from '#payment/server/context.ts';
import { insertEvents, type VerifiedEvent } from '#payment/server/events/event-rows.ts';
import { AppError } from '#platform/errors.ts';
import { refuseUnstorableText } from '#platform/http/parse.ts';

const minute = 60_000;

type Header = (name: string) => string | undefined;

/**
 * Makes the receiver of the providers' webhooks. The receiver stores a webhook, calls `onStored`, and resolves. The
 * webhook is handled later, so that the answer is always fast. Throws `not_found` for an unknown provider,
 * `invalid_signature` for a wrong signature.
 */
export function createWebhookReceiver(context: PaymentContext, onStored: () => void) {
  const { db, log, now } = context.services;
  const noteHeard = heardNotes(context);
  const stored = groupCommit<VerifiedEvent, null>(async (batch) => {
    await insertEvents(db, batch);
    await noteHeard(batch);
    return batch.map(() => null);
  });
  const refused = groupCommit<Date, null>(async (batch) => {
    await countRefused(context, batch);
    return batch.map(() => null);
  });
  return async (name: string, rawBody: string, header: Header): Promise<void> => {
    const signers = context.signersOf(name);
    if (!signers) throw new AppError('not_found', m.platform_not_found());
    for (const { provider, keySet } of signers) {
      const event = await provider.readWebhook(rawBody, header, now());
      if (!event) continue;
      refuseUnstorableText(event);
      await stored.add({ provider: provider.name, keySet, event, receivedAt: now() });
      onStored();
      return;
    }
    await refused.add(now()).catch((error: unknown) => log.error({ err: error }, 'a refused message was not counted'));
    throw new AppError('invalid_signature', m.payment_webhook_unsigned());
  };
}

/**
 * Records when a key set's last webhook arrived. Pages show this time to the minute, so the time is written at most
 * once a minute.
 */
function heardNotes({ services }: PaymentContext) {
  const notedAt = new Map<string, number>();
  return async (batch: readonly VerifiedEvent[]): Promise<void> => {
    const now = services.now();
    const isNoted = (id: string) => Math.abs(now.getTime() - (notedAt.get(id) ?? -Infinity)) < minute;
    const heard = [...new Set(batch.flatMap(({ keySet }) => keySet ?? []))].filter((id) => !isNoted(id));
    if (heard.length === 0) return;
    await services.db.updateTable('payment_key_sets').set({ heard_at: now }).where('id', 'in', heard).execute();
    for (const id of heard) notedAt.set(id, now.getTime());
  };
}

/** Counts, by the hour, the webhooks that were refused because of a wrong secret or a forged signature. */
async function countRefused({ services }: PaymentContext, batch: readonly Date[]): Promise<void> {
  const at = batch[0];
  if (!at) return;
  await sql`
    insert into payment_refused_webhooks (hour, count) values (date_trunc('hour', ${at}::timestamptz, 'UTC'), ${batch.length})
    on conflict (hour) do update set count = payment_refused_webhooks.count + excluded.count`.execute(services.db);
}
