import type { Db } from '#database/schema.ts';
import type { ReceiptPreviewQuery } from '#printing/contract.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import { draftReceiptOrder, type ReceiptStore } from '#printing/receipt/order.ts';
import { receiptPictures, shownPictures } from '#printing/server/receipt-pictures.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';
import type { Shop } from '#shop/server/shop.ts';
import type { PictureSources } from '#uploads/server/read-picture.ts';
import { quoteOf } from '#ordering/server/quote-of.ts';

const dishes = 3;
/** Of 80 mm paper, on which the preview is laid out. */
const paperDots = 576;

/** A receipt of the menu's first dishes, as a picture and as text, with words that need not be saved yet. */
export async function previewReceipt(
  db: Db,
  sources: PictureSources,
  shop: Shop,
  { copy, vat_number: vatNumber, ...words }: ReceiptPreviewQuery,
  now: Date,
): Promise<{ svg: string; text: string }> {
  const { store } = shop;
  const items = shop.menus.flatMap(({ categories }) => categories.flatMap(({ items: own }) => own ?? []));
  const basket = {
    store_id: store.id,
    fulfilment_type: 'collection' as const,
    requested_for: null,
    note: '',
    allergy_note: '',
    tip: 0,
    lines: items.slice(0, dishes).map(({ id }) => ({ item_id: id, quantity: 1, note: '', options: [] })),
  };
  const draft = draftReceiptOrder(basket, await quoteOf(db, shop, basket, now));
  const changed: ReceiptStore = {
    ...store,
    vat_number: vatNumber === undefined ? store.vat_number : vatNumber || null,
    receipt_header: words.receipt_header ?? store.receipt_header,
    receipt_footer: words.receipt_footer ?? store.receipt_footer,
    receipt_kitchen_size: words.receipt_kitchen_size ?? store.receipt_kitchen_size,
    receipt_customer_size: words.receipt_customer_size ?? store.receipt_customer_size,
    receipt_shows_logo: isYes(words.receipt_shows_logo, store.receipt_shows_logo),
    receipt_shows_map_code: isYes(words.receipt_shows_map_code, store.receipt_shows_map_code),
    receipt_shows_order_code: isYes(words.receipt_shows_order_code, store.receipt_shows_order_code),
  };
  const receipt = copy === 'kitchen' ? kitchenReceipt : customerReceipt;
  const source = receipt(draft, changed, { printedAt: now, notAnOrder: true });
  const pictures = await shownPictures(await receiptPictures(changed, sources), paperDots);
  return { svg: renderReceipt(source, { format: 'svg', pictures }), text: renderReceipt(source, { format: 'text' }) };
}

function isYes(word: 'true' | 'false' | undefined, saved: boolean): boolean {
  return word === undefined ? saved : word === 'true';
}
