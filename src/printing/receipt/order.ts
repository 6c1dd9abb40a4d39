import type { Basket, BasketQuote } from '#ordering/basket.ts';
import { firstOrderStatus } from '#ordering/next-status.ts';
import type { Line, Order, RemovedLine } from '#ordering/order.ts';
import type { StaffStore } from '#store/contract.ts';
import type { CharacterSize } from '#printing/receipt/layout.ts';
import type { ReceiptSize } from '#store/receipt-look.ts';

/**
 * The fields of an order that receipts need. An `Order` has them all, and `receiptOrderOfBasket` builds them from a
 * basket.
 */
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
  allergies?: Order['allergies'];
  /** The customer's sold-out preference; missing for a basket. */
  if_sold_out?: Order['if_sold_out'];
  cutlery?: boolean;
  paid_by?: Order['paid_by'];
  /** The refunded amount in minor units; missing for a basket. */
  refunded?: number;
  /** Missing for a basket. */
  payment?: Pick<Order['payment'], 'is_test'>;
  contact: Pick<Order['contact'], 'name' | 'phone'>;
  lines: readonly ReceiptLine[];
  elsewhere?: readonly OtherStationCount[];
  removed?: readonly RemovedReceiptLine[];
}
/** The number of dishes of another station; `station` is null for dishes without one. */
export interface OtherStationCount {
  station: string | null;
  quantity: number;
}
/** A receipt line. The lines of a basket have no id. */
export type ReceiptLine = Omit<Line, 'id'> & { id?: string };
export type RemovedReceiptLine = Pick<
  RemovedLine,
  'line_id' | 'quantity' | 'name' | 'kitchen_name' | 'station' | 'options' | 'at'
>;

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
  /** Whether an earlier attempt may be on paper, so that this paper must say POSSIBLE DUPLICATE. */
  duplicate?: boolean;
  /** Whether the receipt is of a basket without an order; it then says NOT AN ORDER in large letters at both ends. */
  notAnOrder?: boolean;
  /** Whether the receipt is shown on a screen; it then states the time of its data instead of the time of printing. */
  onScreen?: boolean;
  /** The number of a reprint, from 2, which the receipt shows to tell papers of one order apart. */
  copyNumber?: number;
  /**
   * The last printed paper of the same receipt. The new paper marks all changes since that paper. If `since` is
   * missing, the new paper marks all removed dishes.
   */
  since?: LastPrintedCopy;
  orderUrl?: string | null;
  design?: Partial<ReceiptDesign>;
}

export interface LastPrintedCopy {
  drawnAt: Date;
  promisedAt: Date | null;
}

/** Makes an unpaid order without number and customer from a basket. It must be printed with `notAnOrder`. */
export function receiptOrderOfBasket(basket: Basket, quote: BasketQuote): ReceiptOrder {
  const { line1 = '', line2 = '', city = '', postcode = '', instructions = '' } = basket.address ?? {};
  return {
    number: '',
    status: firstOrderStatus({ channel: 'counter', payment_method: 'cash', total: quote.total }),
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

interface ReceiptDesign {
  kitchen_size: ReceiptSize;
  customer_size: ReceiptSize;
  shows_logo: boolean;
  /** Whether the customer receipt has a QR code with directions for the driver. */
  shows_map_code: boolean;
  shows_order_code: boolean;
}
const defaultDesign: ReceiptDesign = {
  kitchen_size: 'normal',
  customer_size: 'normal',
  shows_logo: true,
  shows_map_code: true,
  shows_order_code: true,
};

type DesignedStore = Pick<
  StaffStore,
  | 'receipt_kitchen_size'
  | 'receipt_customer_size'
  | 'receipt_shows_logo'
  | 'receipt_shows_map_code'
  | 'receipt_shows_order_code'
>;

export function receiptDesignOf(store: Partial<DesignedStore>): ReceiptDesign {
  return {
    kitchen_size: store.receipt_kitchen_size ?? defaultDesign.kitchen_size,
    customer_size: store.receipt_customer_size ?? defaultDesign.customer_size,
    shows_logo: store.receipt_shows_logo ?? defaultDesign.shows_logo,
    shows_map_code: store.receipt_shows_map_code ?? defaultDesign.shows_map_code,
    shows_order_code: store.receipt_shows_order_code ?? defaultDesign.shows_order_code,
  };
}

export interface KitchenSizes {
  quantity: CharacterSize;
  /** The width of the quantity column, in characters. */
  quantityWidth: number;
  dish: CharacterSize;
  option: CharacterSize;
  detail: CharacterSize;
}

/** The character sizes of a kitchen receipt, smaller on narrow paper. */
export function kitchenSizes(size: ReceiptSize, columns: number): KitchenSizes {
  const isWide = columns >= 42;
  if (size === 'large') {
    return isWide
      ? { quantity: 'triple', quantityWidth: 9, dish: 'triple', option: 'double', detail: 'tall' }
      : { quantity: 'double', quantityWidth: 6, dish: 'double', option: 'tall', detail: 'tall' };
  }
  return { quantity: 'double', quantityWidth: 6, dish: isWide ? 'double' : 'tall', option: 'tall', detail: 'normal' };
}

export function customerTextSize(size: ReceiptSize): CharacterSize {
  return size === 'large' ? 'tall' : 'normal';
}
