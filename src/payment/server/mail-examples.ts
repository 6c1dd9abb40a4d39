import { alertToMail } from '#alerts/server/alert-owner.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { failedCaptureAlert, failedRefundAlert } from '#payment/server/alerts.ts';
import { disputeAlert } from '#payment/server/bank/alert-dispute.ts';
import { keyProblemAlert } from '#payment/server/keys/record-key-problem.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

export function paymentMailExamples(
  config: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Pick<MailExamples, 'refund_failed' | 'dispute' | 'capture_failed' | 'card_keys_refused'> {
  return {
    refund_failed: async (db: Db) => {
      const store = await readStore(db);
      return alertToMail(
        failedRefundAlert(config, store, { number: 57, amount: 450, currency: store.currency, isDisputed: false }),
      );
    },
    dispute: async (db: Db) => {
      const store = await readStore(db);
      const inWeek = new Date(now().getTime() + 7 * 24 * 60 * 60_000);
      const { currency } = store;
      const dispute = {
        amount: 2_350,
        currency,
        respond_by: inWeek,
        status: 'needs_response',
        reason: 'fraudulent',
      } as const;
      return alertToMail(disputeAlert(config, store, { order: { number: 57, store_id: store.id }, dispute }));
    },
    capture_failed: async (db: Db) =>
      alertToMail(failedCaptureAlert(config, await readStore(db), { number: 57, total: 2_350 })),
    card_keys_refused: () =>
      alertToMail(
        keyProblemAlert(config, { kind: 'keys_refused', since: now().toISOString() }, { count: 2, numbers: '57, 58' }),
      ),
  };
}
