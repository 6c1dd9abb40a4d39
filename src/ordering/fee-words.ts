import { m } from '#messages';
import type { Fee } from '#ordering/order.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';

/** A fee as orders store it. New orders store no name, because clients write the name in the reader's language. */
export interface ChargedFee {
  code: string;
  amount: number;
  vat_rate: number | null;
  /** The fee's name in the customer's language, which only older orders store. */
  name?: string;
}

const names: Readonly<Record<string, () => string>> = {
  delivery: m.ordering_fee_delivery,
  service: m.ordering_fee_service,
  bag: m.ordering_fee_bag,
};

/** Returns the name of a fee in the reader's language. If the code is unknown, returns the stored name. */
export function feeWords({ code, name }: Pick<ChargedFee, 'code' | 'name'>): string {
  return names[code]?.() ?? name ?? code;
}

export function withFeeNames(fees: readonly ChargedFee[]): Fee[] {
  return fees.map((fee) => ({ code: fee.code, name: feeWords(fee), amount: fee.amount, vat_rate: fee.vat_rate }));
}

/** The fees that every order has, in one sentence for the places that show prices; null if there are none. */
export function everyOrderFeesWords(store: Pick<Store, 'service_fee' | 'bag_fee' | 'currency'>): string | null {
  const charged = [
    { code: 'service', amount: store.service_fee },
    { code: 'bag', amount: store.bag_fee },
  ].filter(({ amount }) => amount > 0);
  const fees = charged.map((fee) => `${feeWords(fee)} ${formatMoney(fee.amount, store.currency)}`);
  return fees.length === 0 ? null : m.ordering_every_order_fees({ fees: fees.join(', ') });
}
