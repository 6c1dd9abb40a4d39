import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import type { ReceiptPreviewQuery } from '#printing/contract.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import { draftReceiptOrder, type ReceiptStore } from '#printing/receipt/order.ts';
import { receiptPictures, shownPictures } from '#printing/server/receipt-pictures.ts';
import type { ShownPicture } from '#printing/server/render-receipt-svg.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { Shop } from '#shop/server/shop.ts';
import type { PictureSources } from '#uploads/server/read-picture.ts';
import { quoteOf } from '#ordering/server/quote-of.ts';

const dishes = 3;
/** Of 80 mm paper, on which the preview is laid out. */
const paperDots = 576;
/** Stands where the logo comes out, until the shop has one: what the switch is for can be seen before. */
const placeholder: ShownPicture = {
  href: `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="280" height="110"><rect x="2" y="2" width="276" height="106" rx="12" fill="none" stroke="#000" stroke-width="3" stroke-dasharray="10 8"/></svg>',
  )}`,
  width: 280,
  height: 110,
};

type Services = PictureSources & Pick<PrintingServices, 'config'>;

/**
 * A receipt of the menu's first dishes, as a picture and as text, with settings that need not be saved yet. The sample has what
 * the settings are about: a delivery goes to the shop's own town.
 */
export async function previewReceipt(
  db: Db,
  services: Services,
  shop: Shop,
  { copy, fulfilment_type: type, vat_number: vatNumber, ...words }: ReceiptPreviewQuery,
  now: Date,
): Promise<{ svg: string; text: string }> {
  const { store } = shop;
  const items = shop.menus.flatMap(({ categories }) => categories.flatMap(({ items: own }) => own ?? []));
  const basket = {
    store_id: store.id,
    fulfilment_type: type,
    requested_for: null,
    note: '',
    allergy_note: '',
    tip: 0,
    lines: items.slice(0, dishes).map(({ id }) => ({ item_id: id, quantity: 1, note: '', options: [] })),
    ...(type === 'delivery' && { address: sampleAddress(store.address) }),
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
  const orderUrl = `${services.config.publicUrl}/orders/sample`;
  const source = receipt(draft, { ...changed, logo: store.logo ?? '' }, { printedAt: now, notAnOrder: true, orderUrl });
  const shown = await shownPictures(await receiptPictures(changed, services), paperDots);
  const pictures = { ...(store.logo === null && { logo: placeholder }), ...shown };
  return { svg: renderReceipt(source, { format: 'svg', pictures }), text: renderReceipt(source, { format: 'text' }) };
}

/** In the zone of the shop's own postcode, if it delivers there. */
function sampleAddress({ line1, city, postcode }: ReceiptStore['address']) {
  return { line1: line1 || m.printing_preview_street(), line2: '', city, postcode, instructions: '' };
}

function isYes(word: 'true' | 'false' | undefined, saved: boolean): boolean {
  return word === undefined ? saved : word === 'true';
}
