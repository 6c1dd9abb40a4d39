import { type BankEntryKind, type PayoutStatus } from '#payment/bank.ts';
import { isArriving } from '#payment/bank-rules.ts';

/** A line of the provider's statement. Minor units; `net` is `amount` less `fee`. */
export interface CardEntry {
  kind: BankEntryKind;
  amount: number;
  fee: number;
  net: number;
  currency: string;
  payout_id: string | null;
  payout_status: PayoutStatus | null;
  /** YYYY-MM-DD. */
  arrives_on: string | null;
}

/** The part of an order's or a refund's money that reached the bank. Minor units of `currency`; `disputed` from 0. */
export interface CardMoney {
  fee: number;
  disputed: number;
  net: number;
  currency: string;
  payout_id: string | null;
  /** null: it is not on its way, or it came back. */
  payout_date: string | null;
}

/**
 * The entries of one row of the accountant's table together. null: the statement has none. Its currency and payout are those of
 * the first entry, the charge or the refund; an entry in another currency is left out, and is in the table of payouts.
 */
export function cardMoneyOf(entries: readonly CardEntry[]): CardMoney | null {
  const main = entries.find(({ kind }) => kind === 'charge') ?? entries[0];
  if (!main) return null;
  const same = entries.filter(({ currency }) => currency === main.currency);
  const sum = (key: 'fee' | 'net', of = same) => of.reduce((total, entry) => total + entry[key], 0);
  const disputes = same.filter(({ kind }) => kind === 'dispute' || kind === 'dispute_won');
  return {
    fee: sum('fee'),
    disputed: 0 - disputes.reduce((total, { amount }) => total + amount, 0),
    net: sum('net'),
    currency: main.currency,
    payout_id: main.payout_id,
    payout_date: main.payout_status && isArriving(main.payout_status) ? main.arrives_on : null,
  };
}
