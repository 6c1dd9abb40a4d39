import { m } from '#messages';
import {
  bannerRows,
  blankRow,
  centredRows,
  leftAlignedRows,
  largestFittingSize,
  pictureRows,
  qrCode,
  ruleRow,
} from '#printing/receipt/layout.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import { wishWords } from '#ordering/order-words.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import type { ReceiptLine, ReceiptOptions, ReceiptOrder, ReceiptStore } from '#printing/receipt/order.ts';
import { cleanReceiptText, hasNoPrintableCharacter, localDay, localTime } from '#printing/receipt/text.ts';
import { conflictCodes } from '#menu/allergen-conflicts.ts';
import type { AllergenCode, Allergens } from '#menu/menu-shapes.ts';

/** The warnings at the top of a receipt: NOT AN ORDER, test money, POSSIBLE DUPLICATE, cancelled, changed, reprint. */
export function receiptWarnings(
  order: ReceiptOrder,
  options: ReceiptOptions,
  columns: number,
  isChanged = false,
): string[] {
  const words = options.notAnOrder ? [m.printing_receipt_not_an_order()] : [];
  words.push(...paperMarks(order, options));
  if (isCalledOff(order.status)) words.push(m.printing_receipt_cancelled());
  if (isChanged) words.push(m.printing_receipt_changed());
  if (options.copyNumber && options.copyNumber > 1) words.push(m.printing_receipt_copy({ copy: options.copyNumber }));
  return loud(words, columns);
}

/** The first lines of a slip: warnings such as POSSIBLE DUPLICATE, then `news`. */
export function slipWarnings(order: ReceiptOrder, options: ReceiptOptions, columns: number, news: string[]): string[] {
  return loud([...paperMarks(order, options), ...news], columns);
}

function paperMarks(order: ReceiptOrder, { duplicate }: ReceiptOptions): string[] {
  const words = order.payment?.is_test ? [m.printing_receipt_test()] : [];
  if (duplicate) words.push(m.printing_receipt_possible_duplicate());
  return words;
}

function loud(words: readonly string[], columns: number): string[] {
  return words.flatMap((text) => bannerRows(text, columns, ['triple', 'double']).concat(blankRow));
}

/** The rows with COLLECTION or DELIVERY, the order's number and its time, each as large as the paper allows. */
export function orderHeadingRows(
  order: ReceiptOrder,
  store: ReceiptStore,
  printedAt: Date,
  columns: number,
  oldPromise: Date | null = null,
): string[] {
  return [
    ...fulfilmentAndNumberRows(order, columns),
    ...promise(order, store.timezone, printedAt, columns),
    ...(oldPromise ? movedPromise(oldPromise, store.timezone, printedAt, columns) : []),
  ];
}

export function fulfilmentAndNumberRows(order: ReceiptOrder, columns: number): string[] {
  const fulfilment = m.printing_receipt_fulfilment({ type: order.fulfilment_type });
  const number = m.printing_receipt_number({ number: cleanReceiptText(order.number) });
  return [
    ...centredRows(fulfilment, columns, {
      size: largestFittingSize(fulfilment, columns, ['triple', 'double']),
      bold: true,
    }),
    ...(hasNoPrintableCharacter(order.number)
      ? []
      : centredRows(number, columns, { size: numberSize(number, columns), bold: true })),
  ];
}

/** The seller: its logo, trading and legal name, address, phone, VAT number, and the owner's own header. */
export function letterhead(store: ReceiptStore, columns: number, showsLogo: boolean): string[] {
  const { line1, line2, city, postcode } = store.address;
  const size = largestFittingSize(store.name, columns, ['triple', 'double']);
  const legalName = store.legal_name === store.name ? '' : store.legal_name;
  const rows = [legalName, joined([line1, line2]), joined([city, postcode]), store.phone];
  const vatNumber = cleanReceiptText(store.vat_number ?? '');
  if (vatNumber !== '') rows.push(m.printing_receipt_vat_number({ number: vatNumber }));
  return [
    ...(showsLogo && store.logo !== null ? pictureRows('logo') : []),
    ...centredRows(store.name, columns, { size, bold: true }),
    ...rows.flatMap((text) => centredRows(text, columns)),
    ...customTextRows(store.receipt_header, columns),
  ];
}

export function firstNameOf({ contact }: ReceiptOrder): string {
  const [first = ''] = cleanReceiptText(contact.name).split(/[ \u00a0]/);
  return first;
}

/** The recipient and, for a delivery, the address, which the driver reads at the door. */
export function recipientLines(order: ReceiptOrder, columns: number, showsMap: boolean): string[] {
  const { name: receiver, phone } = order.contact;
  const rows = [
    ...leftAlignedRows(receiver, columns, { size: 'tall', bold: true }),
    ...leftAlignedRows(phone, columns),
  ];
  const { address } = order;
  if (order.fulfilment_type === 'delivery' && address) {
    for (const line of [address.line1, address.line2, address.city])
      rows.push(...leftAlignedRows(line, columns, { size: 'tall' }));
    rows.push(
      ...leftAlignedRows(cleanReceiptText(address.postcode).toUpperCase(), columns, { size: 'double', bold: true }),
    );
    const instructions = cleanReceiptText(address.instructions);
    if (instructions !== '') {
      rows.push(...leftAlignedRows(m.printing_receipt_instructions({ instructions }), columns, { bold: true }));
    }
    if (showsMap) rows.push(...mapCode(address, columns));
  }
  return rows.length === 0 ? [] : [...rows, ruleRow];
}

/** A QR code that opens a map on the driver's phone, with directions to the customer's address. */
function mapCode(address: NonNullable<ReceiptOrder['address']>, columns: number): string[] {
  const { line1, line2, city, postcode } = address;
  const place = joined([line1, line2, city, postcode.toUpperCase()]);
  if (place === '') return [];
  const link = `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(place)}`;
  return withWords(qrCode(link), m.printing_receipt_map_code(), columns);
}

/** A QR code with the link to the order's page, where the customer can follow the order and order it again. */
export function orderQrCode(url: string | null | undefined, columns: number): string[] {
  return url ? withWords(qrCode(url), m.printing_receipt_order_code(), columns) : [];
}

function withWords(code: string[], words: string, columns: number): string[] {
  return code.length === 0 ? [] : [...code, ...centredRows(words, columns)];
}

/**
 * A white-on-black banner with the avoided allergens and the customer's own text; empty if the customer stated nothing.
 */
export function allergyBanner(order: ReceiptOrder, columns: number): string[] {
  if (!hasAllergy(order)) return [];
  const { allergies = [], allergy_note: note } = order;
  const avoids = allergies.length > 0 ? m.printing_receipt_avoids({ allergens: allergenList(allergies) }) : '';
  return [
    ...bannerRows(m.printing_receipt_allergy(), columns, ['triple', 'double']),
    ...[avoids, note]
      .filter((text) => !hasNoPrintableCharacter(text))
      .flatMap((text) => bannerRows(text, columns, ['double', 'tall'])),
    blankRow,
  ];
}

export function ageBanner(order: ReceiptOrder, columns: number): string[] {
  const age = minAgeOf(order.lines);
  return age === null
    ? []
    : [...bannerRows(m.printing_receipt_check_age({ age }), columns, ['double', 'tall']), blankRow];
}

/** The order's note and the customer's preferences; empty if there are none. */
export function orderNote(order: ReceiptOrder, columns: number): string[] {
  const wishes = wishWords(order).flatMap((words) => leftAlignedRows(words, columns, { size: 'tall', bold: true }));
  const note = hasNoPrintableCharacter(order.note)
    ? []
    : [
        ...leftAlignedRows(m.printing_receipt_order_note(), columns, { bold: true, underlined: true }),
        ...leftAlignedRows(order.note, columns, { size: 'tall', bold: true, typed: true }),
      ];
  return note.length + wishes.length === 0 ? [] : [...note, ...wishes, ruleRow];
}

export function customTextRows(text: string, columns: number): string[] {
  return text.split(/\r\n|[\r\n]/).flatMap((line) => centredRows(line, columns));
}

/** The promised time in the shop's zone, with the day unless it is today. */
function promise(order: ReceiptOrder, timeZone: string, printedAt: Date, columns: number): string[] {
  const kind = order.requested_for === null ? 'asap' : 'scheduled';
  const at = order.promised_at ?? order.requested_for;
  if (at === null) return centredRows(m.printing_receipt_asap(), columns, { size: 'double', bold: true });
  const words = m.printing_receipt_promise({ kind, type: order.fulfilment_type });
  const day = localDay(at, timeZone);
  return [
    ...centredRows(words, columns, { size: 'tall', bold: true }),
    ...(day === localDay(printedAt, timeZone) ? [] : centredRows(day, columns, { size: 'double', bold: true })),
    ...centredRows(localTime(at, timeZone), columns, { size: 'triple', bold: true }),
  ];
}

/** This banner shows the superseded promised time, because a cook may have read it on an earlier paper. */
function movedPromise(old: Date, timeZone: string, printedAt: Date, columns: number): string[] {
  const time = timeOnPaper(old, timeZone, printedAt);
  return bannerRows(m.printing_receipt_time_moved({ time }), columns, ['double', 'tall']);
}

/** A time in the shop's zone, with the day unless it is the day of printing. */
export function timeOnPaper(at: Date | string, timeZone: string, printedAt: Date): string {
  const day = localDay(at, timeZone);
  const time = localTime(at, timeZone);
  return day === localDay(printedAt, timeZone) ? time : `${day} ${time}`;
}

function numberSize(number: string, columns: number) {
  return largestFittingSize(number, columns, ['sextuple', 'quadruple', 'double', 'tall']);
}

function joined(parts: string[]): string {
  return parts
    .map(cleanReceiptText)
    .filter((part) => part !== '')
    .join(', ');
}

export function hasAllergy({ allergy_note: note, allergies = [] }: ReceiptOrder): boolean {
  return !hasNoPrintableCharacter(note) || allergies.length > 0;
}

/** A dish's allergens as `Contains: …` and `May contain: …`; "ask the shop" if nothing is stated. */
export function allergenWords(allergens: Allergens): string[] {
  if (allergens === null) return [m.printing_receipt_allergens_not_stated()];
  const rows = statedWords(allergens);
  return rows.length === 0 ? [m.printing_receipt_no_allergens()] : rows;
}

/** A dish's allergens that the customer avoids, one row for each kind of conflict; empty if there is no conflict. */
export function allergenConflictWords({ allergen_conflicts: conflicts = [] }: ReceiptLine): string[] {
  const rows = statedWords({
    contains: conflictCodes(conflicts, 'contains'),
    may_contain: conflictCodes(conflicts, 'may_contain'),
  });
  if (conflictCodes(conflicts, 'not_stated').length > 0) rows.push(m.printing_receipt_conflict_not_stated());
  return rows;
}

function statedWords({ contains, may_contain: mayContain }: NonNullable<Allergens>): string[] {
  const rows: string[] = [];
  if (contains.length > 0) rows.push(m.printing_receipt_contains({ allergens: allergenList(contains) }));
  if (mayContain.length > 0) rows.push(m.printing_receipt_may_contain({ allergens: allergenList(mayContain) }));
  return rows;
}

function allergenList(codes: readonly AllergenCode[]): string {
  return codes.map((code) => m.printing_receipt_allergen({ code })).join(', ');
}
