import type { Size } from '#printing/receipt/layout.ts';
import type { StaffStore } from '#store/contract.ts';
import type { ReceiptSize } from '#store/receipt-look.ts';

/** How the owner wants the receipts. */
export interface ReceiptDesign {
  kitchen_size: ReceiptSize;
  customer_size: ReceiptSize;
  /** On the customer receipt: the shop's logo, if it has one. */
  shows_logo: boolean;
  /** On the customer receipt: a QR code with the way to the customer, for the driver. */
  shows_map_code: boolean;
  /** On the customer receipt: a QR code with the link to the order. */
  shows_order_code: boolean;
}
const defaultDesign: ReceiptDesign = {
  kitchen_size: 'normal',
  customer_size: 'normal',
  shows_logo: true,
  shows_map_code: true,
  shows_order_code: true,
};

/** The fields of a store that say how its receipts look. */
export type DesignedStore = Pick<
  StaffStore,
  | 'receipt_kitchen_size'
  | 'receipt_customer_size'
  | 'receipt_shows_logo'
  | 'receipt_shows_map_code'
  | 'receipt_shows_order_code'
>;

export function designOf(store: Partial<DesignedStore>): ReceiptDesign {
  return {
    kitchen_size: store.receipt_kitchen_size ?? defaultDesign.kitchen_size,
    customer_size: store.receipt_customer_size ?? defaultDesign.customer_size,
    shows_logo: store.receipt_shows_logo ?? defaultDesign.shows_logo,
    shows_map_code: store.receipt_shows_map_code ?? defaultDesign.shows_map_code,
    shows_order_code: store.receipt_shows_order_code ?? defaultDesign.shows_order_code,
  };
}

/** The sizes of the cook's lines. */
export interface KitchenSizes {
  quantity: Size;
  /** Columns of the quantity. */
  quantityWidth: number;
  dish: Size;
  option: Size;
  detail: Size;
}

/** Narrow paper has room for half as many letters of a size. */
export function kitchenSizes(size: ReceiptSize, columns: number): KitchenSizes {
  const isWide = columns >= 42;
  if (size === 'large') {
    return isWide
      ? { quantity: 'triple', quantityWidth: 9, dish: 'triple', option: 'double', detail: 'tall' }
      : { quantity: 'double', quantityWidth: 6, dish: 'double', option: 'tall', detail: 'tall' };
  }
  return { quantity: 'double', quantityWidth: 6, dish: isWide ? 'double' : 'tall', option: 'tall', detail: 'normal' };
}

/** The size of the customer's lines: dishes, amounts and notes. */
export function customerSize(size: ReceiptSize): Size {
  return size === 'large' ? 'tall' : 'normal';
}
