import type { Size } from '#printing/receipt/layout.ts';

/** How the owner wants the receipts. */
export interface ReceiptDesign {
  kitchen_size: ReceiptSize;
  customer_size: ReceiptSize;
  /** On the customer's copy: the shop's logo, if it has one. */
  shows_logo: boolean;
  /** On the customer's copy: a QR code with the way to the customer, for the driver. */
  shows_map_code: boolean;
  /** On the customer's copy: a QR code with the link to the order. */
  shows_order_code: boolean;
}
export type ReceiptSize = 'normal' | 'large';

export const defaultDesign: ReceiptDesign = {
  kitchen_size: 'normal',
  customer_size: 'normal',
  shows_logo: true,
  shows_map_code: true,
  shows_order_code: true,
};

/** The sizes of what the cook reads. */
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

/** The size of what the customer reads: dishes, amounts and notes. */
export function customerSize(size: ReceiptSize): Size {
  return size === 'large' ? 'tall' : 'normal';
}
