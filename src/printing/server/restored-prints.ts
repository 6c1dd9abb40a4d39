import type { Db, Tx } from '#database/schema.ts';
import type { PrintEvent } from '#printing/print-rules.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { type PrintRow, applyPrintEvent } from '#printing/server/apply-print-event.ts';

/**
 * The events that together end a print in any status. They are applied in this order; an event that the status does not
 * allow is skipped.
 */
const ways: readonly PrintEvent[] = ['lapse', 'unanswered', 'give_up'];

/** Ends all unfinished prints after a restore from a backup. The board lists them, and staff may reprint them. */
export async function giveUpWaitingPrints(
  tx: Tx,
  services: Pick<PrintingServices, 'outbox'>,
  now: Date,
): Promise<void> {
  const waiting = await tx
    .selectFrom('prints')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of waiting) {
    let print: PrintRow = row;
    for (const event of ways) print = (await applyPrintEvent(tx, services, print, event, now)) ?? print;
  }
}

export async function countWaitingPrints(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('prints')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
