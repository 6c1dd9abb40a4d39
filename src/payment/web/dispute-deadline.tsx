import { m } from '#messages';
import type { Dispute } from '#payment/bank-contract.ts';
import { urgencyOf, type Urgency } from '#payment/bank-rules.ts';
import classes from '#payment/web/bank.module.css';
import { dayWords, timeWords } from '#platform/date-words.ts';

const words: Record<Urgency, (values: { by: string; days: number }) => string> = {
  missed: m.payment_dispute_missed,
  soon: m.payment_dispute_soon,
  later: m.payment_dispute_later,
};

const day = 24 * 60 * 60_000;

type Waiting = Pick<Dispute, 'status' | 'respond_by'>;

/** By when the shop has to answer, and how long that is; null: it does not have to. */
export function deadlineWords({ status, respond_by }: Waiting, now: Date, timezone: string): string | null {
  const respondBy = respond_by === null ? null : new Date(respond_by);
  const urgency = urgencyOf({ status, respondBy }, now);
  if (urgency === null || respondBy === null) return null;
  const by = `${dayWords(respondBy, now, timezone)}, ${timeWords(respondBy, timezone)}`;
  const days = Math.floor((respondBy.getTime() - now.getTime()) / day);
  return urgency === 'soon' && days === 0 ? m.payment_dispute_last_day({ by }) : words[urgency]({ by, days });
}

/** The same in a colour that says how much time is left. */
export function Deadline({ dispute, now, timezone }: { dispute: Waiting; now: Date; timezone: string }) {
  const text = deadlineWords(dispute, now, timezone);
  if (text === null) return '–';
  const respondBy = dispute.respond_by === null ? null : new Date(dispute.respond_by);
  return (
    <span className={classes.deadline} data-urgency={urgencyOf({ status: dispute.status, respondBy }, now)}>
      {text}
    </span>
  );
}
