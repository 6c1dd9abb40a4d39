import type { Basket, Quote } from '#ordering/basket.ts';
import { firstStatus } from '#ordering/first-status.ts';
import type { Line, Order, RemovedLine } from '#ordering/order.ts';
import type { DesignedStore, ReceiptDesign } from '#printing/receipt/design.ts';
import type { StaffStore } from '#store/contract.ts';

/** The fields of an order that a receipt needs. Every `Order` fits; so does a basket that is not placed yet. */
export interface ReceiptOrder extends Pick<
  Order,
  | 'number'
  | 'status'
  | 'channel'
  | 'fulfilment_type'
  | 'requested_for'
  | 'promised_at'
  | 'placed_at'
  | 'address'
  | 'note'
  | 'allergy_note'
  | 'subtotal'
  | 'discounts'
  | 'fees'
  | 'tip'
  | 'total'
  | 'vat'
  | 'payment_method'
  | 'payment_status'
> {
  /** The allergens that its customer confirmed. */
  allergies?: Order['allergies'];
  /** How staff were paid at the handover. */
  paid_by?: Order['paid_by'];
  /** Minor units refunded; a basket has none. */
  refunded?: number;
  /** A basket has none. */
  payment?: Pick<Order['payment'], 'is_test'>;
  contact: Pick<Order['contact'], 'name' | 'phone'>;
  lines: readonly ReceiptLine[];
  /** Its dishes that another station's receipt has. */
  elsewhere?: readonly DishesElsewhere[];
  /** The dishes that staff took off since it was placed. */
  removed?: readonly RemovedPiece[];
}
/** How many dishes a station has; null: those of no station. */
export interface DishesElsewhere {
  station: string | null;
  quantity: number;
}
/** A basket's lines have no id. */
export type ReceiptLine = Omit<Line, 'id'> & { id?: string };
export type RemovedPiece = Pick<
  RemovedLine,
  'line_id' | 'quantity' | 'name' | 'kitchen_name' | 'station' | 'options' | 'at'
>;

/** The fields of a store that a receipt needs. */
export type ReceiptStore = Pick<
  StaffStore,
  | 'name'
  | 'legal_name'
  | 'address'
  | 'phone'
  | 'currency'
  | 'timezone'
  | 'vat_number'
  | 'receipt_header'
  | 'receipt_footer'
  | 'logo'
> &
  Partial<DesignedStore>;

export interface ReceiptOptions {
  printedAt: Date;
  /** Characters per line: 48 on 80 mm paper (the default), 32 on 58 mm. At least 24. */
  columns?: number;
  /** An earlier attempt may have been printed: POSSIBLE DUPLICATE. */
  duplicate?: boolean;
  /** A basket that was not placed: a large NOT AN ORDER at both ends. */
  notAnOrder?: boolean;
  /** For the screen: it shows its own time, and not when it was printed. */
  onScreen?: boolean;
  /** Printed from 2 on, so that two papers of one order differ. */
  copyNumber?: number;
  /** The last copy of this kind: changes since are marked. Without it everything taken off is new. */
  since?: LastCopy;
  /** The address of the order's page. */
  orderUrl?: string | null;
  design?: Partial<ReceiptDesign>;
}

export interface LastCopy {
  drawnAt: Date;
  promisedAt: Date | null;
}

/** An unplaced basket as a receipt needs it: no number, no customer, unpaid. To be printed with `notAnOrder`. */
export function draftReceiptOrder(basket: Basket, quote: Quote): ReceiptOrder {
  const { line1 = '', line2 = '', city = '', postcode = '', instructions = '' } = basket.address ?? {};
  return {
    number: '',
    status: firstStatus({ channel: 'counter', payment_method: 'cash', total: quote.total }),
    channel: 'counter',
    fulfilment_type: basket.fulfilment_type,
    requested_for: basket.requested_for,
    promised_at: basket.requested_for ?? quote.earliest_at,
    placed_at: null,
    contact: { name: '', phone: '' },
    address: basket.address ? { line1, line2, city, postcode, instructions } : null,
    note: basket.note,
    allergy_note: basket.allergy_note,
    allergies: basket.allergies ?? [],
    lines: quote.lines,
    subtotal: quote.subtotal,
    discounts: quote.discounts,
    fees: quote.fees,
    tip: quote.tip,
    total: quote.total,
    vat: quote.vat,
    payment_method: 'cash',
    payment_status: 'unpaid',
  };
}
