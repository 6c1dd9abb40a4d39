import { m } from '#messages';
import { type Alert, alertOwner } from '#alerts/server/alert-owner.ts';
import type { Tx } from '#database/schema.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { type DisputeStage, disputeNeedsResponse, disputeStageOf } from '#payment/bank-rules.ts';
import { disputeReasonWords, disputeStageWords } from '#payment/dispute-words.ts';
import type { DisputeRow } from '#payment/server/bank/read-disputes.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import type { Store } from '#store/contract.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';

interface DisputeAlert {
  order: Pick<OrderRow, 'number' | 'store_id'>;
  dispute: Pick<DisputeRow, 'amount' | 'currency' | 'respond_by' | 'status' | 'reason'>;
  isReminder?: boolean;
}

/** Queues an alert about a dispute: that there is one, that it must be answered soon, or how it ended. */
export async function queueDisputeAlert(
  tx: Tx,
  services: Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now'>,
  about: DisputeAlert,
): Promise<void> {
  const { store } = (await services.menus.store(tx, about.order.store_id)) ?? {};
  await alertOwner(tx, services, () => disputeAlert(services.config, store, about));
}

export function disputeAlert(
  config: { publicUrl: string },
  store: Pick<Store, 'id' | 'name' | 'timezone'> | undefined,
  { order, dispute, isReminder = false }: DisputeAlert,
): Alert {
  const number = String(order.number);
  const amount = formatMoney(dispute.amount, dispute.currency);
  const timezone = store?.timezone ?? 'UTC';
  const by =
    dispute.respond_by && `${dateWords(dispute.respond_by, timezone)}, ${timeWords(dispute.respond_by, timezone)}`;
  const lines = [
    disputeStageWords[disputeStageOf(dispute.status)]({ amount }),
    m.payment_dispute_mail_reason({ reason: disputeReasonWords(dispute.reason) }),
    ...(disputeNeedsResponse(dispute.status) && by ? [m.payment_dispute_mail_answer({ by })] : []),
  ];
  return {
    kind: 'dispute',
    store: store ? { id: store.id, name: store.name } : null,
    subject:
      isReminder && by
        ? m.payment_dispute_subject_reminder({ number, by })
        : disputeSubjects[disputeStageOf(dispute.status)]({ number }),
    text: lines.join('\n'),
    link: { words: m.payment_alert_open(), link: `${config.publicUrl}/admin/payments?show=disputes` },
  };
}

const disputeSubjects: Record<DisputeStage, (values: { number: string }) => string> = {
  inquiry: m.payment_dispute_subject_inquiry,
  inquiry_closed: m.payment_dispute_subject_inquiry_closed,
  disputed: m.payment_dispute_subject_disputed,
  dispute_won: m.payment_dispute_subject_won,
  dispute_lost: m.payment_dispute_subject_lost,
};
