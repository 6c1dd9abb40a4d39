import type { Discount, Line, VatRow } from '#ordering/order.ts';
import type { Refund, RefundedLine, RefundKind } from '#payment/refund.ts';
import {
  discountPerLine,
  grossByRateOf,
  type PricedLine,
  type PricedOrder,
  removeLines,
} from '#ordering/remove-lines.ts';
import { apportionAmong, proportionalShare, vatInGross } from '#platform/money.ts';

/** The order at its present price, without the lines that staff removed. */
export interface PaidOrder {
  lines: readonly Pick<Line, 'id' | 'quantity' | 'total' | 'discount' | 'vat_rate' | 'vat_parts'>[];
  discounts: readonly Pick<Discount, 'amount' | 'of_fee'>[];
  vat: readonly VatRow[];
  tip: number;
  total: number;
}

export type EarlierRefund = Pick<Refund, 'amount' | 'tip' | 'vat' | 'lines' | 'kind'>;
export type RequestedRefund = { amount: number } | { lines: readonly Pick<RefundedLine, 'line_id' | 'quantity'>[] };

export interface RefundPlan {
  amount: number;
  tip: number;
  vat: VatRow[];
  lines: RefundedLine[];
}

/**
 * Why a refund is refused. `left`: the largest possible refund, for `too_much` in minor units, for `too_many` in pieces
 * of the line at `index`.
 */
export type RefundRefusal =
  | { fault: 'too_much'; left: number }
  | { fault: 'unknown_line'; index: number }
  | { fault: 'too_many'; index: number; left: number };

/**
 * Plans a refund's VAT, tip and lines. `all`: the earlier refunds that did not fail. `short`: the part of the order
 * that was never charged. A refunded line has its own VAT rates. Any other amount is divided among the order's VAT
 * rates, in proportion to their unrefunded amounts. The tip is refunded last. When everything is refunded, amounts and
 * VAT equal the order's, to the penny.
 */
export function planRefund(
  order: PaidOrder,
  all: readonly EarlierRefund[],
  wanted: RequestedRefund,
  short = 0,
): RefundPlan | RefundRefusal {
  const earlier = refundsWithinTotal(all);
  const lines = 'lines' in wanted ? priceLines(order, earlier, wanted.lines) : [];
  if ('fault' in lines) return lines;
  const amount = 'lines' in wanted ? lines.reduce((sum, line) => sum + line.amount, 0) : wanted.amount;
  const left = Math.max(0, refundableAmount(order, earlier) - short);
  if (amount > left) return { fault: 'too_much', left };
  const rates = ratesLeft(order, earlier).map((rate) => ({ ...rate, taken: 0 }));
  let spread = amount;
  for (const line of lines) {
    for (const { rate, amount: ofRate } of ratesOf(order, line)) {
      const at = rates.find((one) => one.rate === rate);
      if (!at) continue;
      const part = Math.max(0, Math.min(ofRate, at.left - at.taken));
      at.taken += part;
      spread -= part;
    }
  }
  const open = rates.reduce((sum, { left: gross, taken }) => sum + gross - taken, 0);
  const rest = Math.min(spread, open);
  const shares = apportionAmong(rest, rates, ({ left: gross, taken }) => gross - taken);
  return {
    amount,
    tip: spread - rest,
    vat: shares.flatMap(({ one, part }) => vatRow(one, one.taken + part)),
    lines,
  };
}

/**
 * Refunds of these kinds do not count against the order's present total, which contains no removed lines and no late
 * payments.
 */
export const refundKindsOutsideTotal: readonly RefundKind[] = ['line_removed', 'late_payment'];

export function refundsWithinTotal<Of extends Pick<EarlierRefund, 'kind'>>(refunds: readonly Of[]): Of[] {
  return refunds.filter(({ kind }) => !refundKindsOutsideTotal.includes(kind));
}

/**
 * The sum of refunds for removed lines, minor units. The customer paid for these lines, but the total no longer
 * contains them.
 */
export function sumOfLineRemovalRefunds(refunds: readonly Pick<EarlierRefund, 'amount' | 'kind'>[]): number {
  return sumAmounts(refunds.filter(({ kind }) => kind === 'line_removed'));
}

/** The sum that can still be refunded, minor units. */
export function refundableAmount(
  order: Pick<PaidOrder, 'total'>,
  earlier: readonly Pick<EarlierRefund, 'amount' | 'kind'>[],
): number {
  return order.total - sumAmounts(refundsWithinTotal(earlier));
}

/**
 * The excess of the charge `paid` over the order's total after lines were removed, minor units. The excess is limited
 * so that all refunds together never exceed the charge.
 */
export function excessCharge(
  order: Pick<PaidOrder, 'total'>,
  paid: number,
  earlier: readonly Pick<EarlierRefund, 'amount' | 'kind'>[],
): number {
  const removed = sumOfLineRemovalRefunds(earlier);
  const back = sumAmounts(refundsWithinTotal(earlier)) + removed;
  return Math.max(0, Math.min(paid - removed - order.total, paid - back));
}

/**
 * Whether the earlier refunds still fit the order: its total, the pieces of each line, and the amount at each VAT rate.
 */
export function coversEarlierRefunds(order: PaidOrder, all: readonly EarlierRefund[]): boolean {
  const earlier = refundsWithinTotal(all);
  const rates = ratesLeft(order, earlier);
  const rows = earlier.flatMap(({ vat }) => vat);
  const pieces = earlier.flatMap(({ lines }) => lines);
  return (
    refundableAmount(order, earlier) >= 0 &&
    rates.every(({ left }) => left >= 0) &&
    rows.every((row) => rates.some(({ rate }) => rate === row.rate)) &&
    pieces.every(({ line_id }) =>
      order.lines.some((line) => line.id === line_id && refundableQuantity(line, earlier) >= 0),
    )
  );
}

/**
 * Finds the first wanted line that cannot be removed in full because of earlier refunds. Returns its index, and how
 * many of its pieces can be removed; null: all lines can be removed. `order` is the order before the removal.
 */
export function findUnremovableLine<Of extends PricedLine & PaidOrder['lines'][number]>(
  order: PricedOrder<Of> & Pick<PaidOrder, 'vat'>,
  all: readonly EarlierRefund[],
  wanted: readonly Pick<RefundedLine, 'line_id' | 'quantity'>[],
): { index: number; left: number } | null {
  const fits = (lines: typeof wanted) => {
    const left = removeLines(order, lines);
    return !('fault' in left) && coversEarlierRefunds({ ...order, ...left }, all);
  };
  for (const [index, { line_id, quantity }] of wanted.entries()) {
    const before = wanted.slice(0, index);
    let left = quantity;
    while (left > 0 && !fits([...before, { line_id, quantity: left }])) left -= 1;
    if (left < quantity) return { index, left };
  }
  return null;
}

export function refundableQuantity(
  line: PaidOrder['lines'][number],
  earlier: readonly Pick<EarlierRefund, 'lines' | 'kind'>[],
): number {
  const back = refundsWithinTotal(earlier)
    .flatMap(({ lines }) => lines)
    .filter(({ line_id }) => line_id === line.id);
  return line.quantity - back.reduce((sum, { quantity }) => sum + quantity, 0);
}

export type RefundWay = 'all' | 'lines' | 'amount';

/** The input of a refund's form. `amount` is in minor units; `pieces` by the line's id. */
export interface RefundDraft {
  way: RefundWay;
  amount: number | null;
  pieces: Record<string, number>;
  reason: string;
}

/** The lines and the reason that a refund's form begins with, e.g. those of a complaint. */
export interface RefundFormPrefill {
  lines: readonly { line_id: string; quantity: number }[];
  reason: string;
}

/**
 * The draft of a new form. The form refunds everything unless it begins with lines. If these lines are refunded
 * already, `way` is still `lines`, so that staff do not refund the whole order by mistake.
 */
export function initialRefundDraft(
  order: Pick<PaidOrder, 'lines'>,
  earlier: readonly EarlierRefund[],
  { lines, reason }: RefundFormPrefill = { lines: [], reason: '' },
): RefundDraft {
  const way = lines.length > 0 ? 'lines' : 'all';
  return { way, amount: null, pieces: refundablePieces(order, earlier, lines), reason };
}

/**
 * `first`: no refund since the complaint was made or is pending. `more`: some were. `none`: nothing is left to refund.
 */
type RefundOffer = 'first' | 'more' | 'none';

/** Returns an order's refunds since a complaint about it, and the refund that staff are offered. */
export function refundOfferSince<Of extends Pick<Refund, 'created_at' | 'status'>>(
  since: string,
  { refunds, refundable }: { refunds: readonly Of[]; refundable: number },
): { refunds: Of[]; offer: RefundOffer } {
  const later = refunds.filter(({ created_at: at }) => Date.parse(at) >= Date.parse(since));
  if (later.every(({ status }) => status === 'failed')) return { refunds: later, offer: 'first' };
  return { refunds: later, offer: refundable > 0 ? 'more' : 'none' };
}

/** The wanted pieces that can still be refunded, by the line's id; lines without any are left out. */
export function refundablePieces(
  { lines }: Pick<PaidOrder, 'lines'>,
  earlier: readonly EarlierRefund[],
  wanted: readonly { line_id: string; quantity: number }[],
): Record<string, number> {
  const pieces = lines.flatMap((line) => {
    const asked = wanted.find(({ line_id: id }) => id === line.id)?.quantity ?? 0;
    const count = Math.min(asked, refundableQuantity(line, earlier));
    return count > 0 ? [[line.id, count] as const] : [];
  });
  return Object.fromEntries(pieces);
}

function given({ id }: Pick<Line, 'id'>, earlier: readonly Pick<EarlierRefund, 'lines'>[]): number {
  return sumAmounts(earlier.flatMap(({ lines }) => lines).filter(({ line_id }) => line_id === id));
}

function priceLines(
  order: PaidOrder,
  earlier: readonly EarlierRefund[],
  wanted: readonly Pick<RefundedLine, 'line_id' | 'quantity'>[],
): RefundedLine[] | RefundRefusal {
  const shares = discountPerLine(order);
  const priced: RefundedLine[] = [];
  for (const [index, { line_id, quantity }] of wanted.entries()) {
    const at = order.lines.findIndex(({ id }) => id === line_id);
    const line = order.lines[at];
    if (!line || priced.some((other) => other.line_id === line_id)) return { fault: 'unknown_line', index };
    const left = refundableQuantity(line, earlier);
    if (quantity > left) return { fault: 'too_many', index, left };
    const paid = line.total - (shares[at] ?? 0);
    const before = line.quantity - left;
    // The amount is computed from the running total, so that refunds of single pieces add up to the sum paid for the
    // line.
    const amount = proportionalShare(paid, before + quantity, line.quantity) - given(line, earlier);
    priced.push({ line_id, quantity, amount: Math.max(0, amount) });
  }
  return priced;
}

interface RateLeft {
  rate: number;
  /** The order's VAT at this rate. */
  vat: number;
  /** The refunded part of `vat`. */
  vatBack: number;
  /** The gross amount at this rate that was refunded. */
  back: number;
  /** The gross amount at this rate that was not refunded. */
  left: number;
}

function ratesLeft(order: PaidOrder, earlier: readonly EarlierRefund[]): RateLeft[] {
  const rows = earlier.flatMap(({ vat }) => vat);
  return order.vat.map(({ rate, net, vat }) => {
    const given = rows.filter((row) => row.rate === rate);
    const vatBack = given.reduce((sum, row) => sum + row.vat, 0);
    const back = given.reduce((sum, row) => sum + row.net, vatBack);
    return { rate, vat, vatBack, back, left: net + vat - back };
  });
}

/**
 * The VAT of a refund at one rate: the VAT of everything refunded at this rate, less the VAT of the earlier refunds.
 * Rounding errors therefore do not add up. The last refund gets the rest of the order's VAT.
 */
function vatRow({ rate, vat, vatBack, back, left }: RateLeft, amount: number): VatRow[] {
  if (amount === 0) return [];
  const due = amount === left ? vat : vatInGross(back + amount, rate);
  const part = Math.min(amount, Math.max(0, due - vatBack));
  return [{ rate, net: amount - part, vat: part }];
}

function ratesOf(order: PaidOrder, { line_id, amount }: RefundedLine): { rate: number; amount: number }[] {
  const line = order.lines.find(({ id }) => id === line_id);
  if (!line) return [];
  const parts = apportionAmong(amount, [...grossByRateOf([line])], ([, ofRate]) => ofRate);
  return parts.map(({ one: [rate], part }) => ({ rate, amount: part }));
}

export function sumAmounts(rows: readonly { amount: number }[]): number {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}
