import { m } from '#messages';
import type { ChargedFee, Fee } from '#ordering/order.ts';

const names: Readonly<Record<string, () => string>> = {
  delivery: m.ordering_fee_delivery,
  service: m.ordering_fee_service,
  bag: m.ordering_fee_bag,
};

/** What a fee is called in the reader's language; its own name where its code is none of ours. */
export function feeName({ code, name }: Pick<ChargedFee, 'code' | 'name'>): string {
  return names[code]?.() ?? name ?? code;
}

/** The fees as they are answered, named in the language of whoever asks. */
export function nameFees(fees: readonly ChargedFee[]): Fee[] {
  return fees.map((fee) => ({ code: fee.code, name: feeName(fee), amount: fee.amount, vat_rate: fee.vat_rate }));
}
