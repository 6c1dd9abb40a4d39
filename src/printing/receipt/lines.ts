import { m } from '#messages';
import {
  kitchenSizes,
  type ReceiptLine,
  type ReceiptOptions,
  type ReceiptOrder,
  type RemovedReceiptLine,
} from '#printing/receipt/order.ts';
import type { ReceiptSize } from '#store/receipt-look.ts';
import { allergenWords, allergenConflictWords, hasAllergy } from '#printing/receipt/head.ts';
import {
  bannerRows,
  type TableCell,
  centredRows,
  leftAlignedRows,
  ruleRow,
  type CharacterSize,
  tableRows,
} from '#printing/receipt/layout.ts';
import {
  cleanReceiptText,
  cleanTypedText,
  hasNoPrintableCharacter,
  isEqualToTheMinute,
} from '#printing/receipt/text.ts';
import { formatMoney } from '#platform/money.ts';

/**
 * The dishes to cook, separated by rules. If the customer has an allergy, each dish shows its allergens, the avoided
 * ones first.
 */
export function kitchenLines(order: ReceiptOrder, changes: Changes, columns: number, size: ReceiptSize): string[] {
  const allergic = hasAllergy(order);
  const { quantity, quantityWidth, dish, option, detail } = kitchenSizes(size, columns);
  return order.lines.flatMap((line) => {
    const count = m.printing_receipt_quantity({ quantity: line.quantity });
    const below = (cell: TableCell): TableCell[] => [{ text: '' }, cell];
    const rows: TableCell[][] = [
      [
        { text: count, size: quantity, bold: true, inverted: line.quantity > 1 },
        { text: kitchenName(line), size: dish, bold: true },
      ],
    ];
    const old = oldQuantity(line, changes);
    if (old !== null) {
      rows.push(
        below({ text: m.printing_receipt_was_quantity({ quantity: old }), size: option, bold: true, inverted: true }),
      );
    }
    rows.push(...kitchenOptionWords(line).map((text) => below({ text, size: option })));
    const marks = [cleanReceiptText(line.station ?? '').toUpperCase(), ageWords(line)].filter((text) => text !== '');
    if (marks.length > 0) rows.push(below({ text: marks.join(' · '), size: detail, bold: true }));
    const note = cleanTypedText(line.note);
    if (note !== '') {
      const text = m.printing_receipt_line_note({ note });
      rows.push(below({ text, size: option, bold: true, underlined: true, typed: true }));
    }
    rows.push(...allergenConflictWords(line).map((text) => below({ text, size: option, bold: true, inverted: true })));
    if (allergic) rows.push(...allergenWords(line.allergens).map((text) => below({ text, size: detail })));
    return [...tableRows(rows, [quantityWidth, 0], columns), ruleRow];
  });
}

/**
 * One row for each other station with the number of its dishes, so that staff hand over the whole order: `and 3 more
 * dishes (grill)`.
 */
export function otherStationsLines({ elsewhere = [] }: ReceiptOrder, columns: number): string[] {
  return elsewhere.flatMap(({ station, quantity: count }) => {
    const words = hasNoPrintableCharacter(station ?? '')
      ? m.printing_receipt_elsewhere_other({ count })
      : m.printing_receipt_elsewhere({ count, station: cleanReceiptText(station ?? '') });
    return centredRows(words, columns, { size: 'tall', bold: true });
  });
}

export function cancelledDishLines(order: ReceiptOrder, columns: number, size: ReceiptSize): string[] {
  const { quantityWidth, option } = kitchenSizes(size, columns);
  const rows = order.lines.map((line) =>
    pieceCells(kitchenName(line), line.quantity, kitchenOptionWords(line), option),
  );
  return tableRows(rows, [quantityWidth, 0], columns);
}

/** The sold dishes with prices, options and notes, and with their allergens, which the law requires at delivery. */
export function customerLines(order: ReceiptOrder, currency: string, columns: number, size: CharacterSize): string[] {
  const prices = order.lines.map((line) => formatMoney(line.total, currency));
  const priceWidth = Math.max(...prices.map((price) => price.length), 6);
  return order.lines.flatMap((line, index) => {
    const each = line.quantity > 1 ? [m.printing_receipt_each({ price: formatMoney(line.unit_price, currency) })] : [];
    const note = cleanTypedText(line.note);
    const age = line.min_age ? [ageWords(line)] : [];
    const details: TableCell[] = [
      ...[...each, ...optionWords(line)].map((text) => ({ text })),
      ...(note === '' ? [] : [{ text: m.printing_receipt_your_note({ note }), typed: true }]),
      ...[...age, ...allergenWords(line.allergens)].map((text) => ({ text })),
    ];
    const dish: TableCell[] = [
      { text: m.printing_receipt_quantity({ quantity: line.quantity }), size, bold: true },
      { text: line.name, size, bold: true },
      { text: prices[index] ?? '', size, align: 'right', bold: true },
    ];
    const detailRows = details.map((cell) => [{ text: '' }, { ...cell, size }]);
    return [...tableRows([dish], [3, 0, priceWidth], columns), ...tableRows(detailRows, [3, 0], columns)];
  });
}

/** Dishes that were removed since the last printed kitchen receipt, for a cook who may have started them. */
export function removedKitchenLines({ removed }: Changes, columns: number, size: ReceiptSize): string[] {
  if (removed.length === 0) return [];
  const { quantityWidth, option } = kitchenSizes(size, columns);
  return [
    ...bannerRows(m.printing_receipt_removed_kitchen(), columns, ['double', 'tall']),
    ...tableRows(
      removed.map((piece) => pieceCells(kitchenName(piece), piece.quantity, kitchenOptionWords(piece), option)),
      [quantityWidth, 0],
      columns,
    ),
    ruleRow,
  ];
}

export function removedCustomerLines({ removed = [] }: ReceiptOrder, columns: number, size: CharacterSize): string[] {
  if (removed.length === 0) return [];
  return [
    ...leftAlignedRows(m.printing_receipt_removed(), columns, { size, bold: true }),
    ...tableRows(
      removed.map((piece) => pieceCells(piece.name, piece.quantity, optionWords(piece), size)),
      [3, 0],
      columns,
    ),
  ];
}

function pieceCells(name: string, quantity: number, options: string[], size: CharacterSize): TableCell[] {
  return [
    { text: m.printing_receipt_quantity({ quantity }), size, bold: true },
    { text: [name, ...options].map(cleanReceiptText).join(', '), size },
  ];
}

function ageWords({ min_age: age }: ReceiptLine): string {
  return age ? m.printing_receipt_age({ age }) : '';
}

function kitchenName({ kitchen_name: kitchenName, name }: Pick<ReceiptLine, 'kitchen_name' | 'name'>): string {
  return kitchenName === null || hasNoPrintableCharacter(kitchenName) ? name : kitchenName;
}

function optionWords({ options }: { options: readonly { name: string; quantity: number }[] }): string[] {
  return options.map(({ name, quantity }) =>
    quantity > 1 ? m.printing_receipt_option_many({ name: cleanReceiptText(name), quantity }) : name,
  );
}

/** The chosen options as text for the kitchen: a deal's dishes by their kitchen names, each with its station. */
function kitchenOptionWords({ options }: Pick<RemovedReceiptLine, 'options'>): string[] {
  const words = optionWords({ options: options.map((option) => ({ ...option, name: kitchenNameOfOption(option) })) });
  return words.map((text, at) => {
    const station = cleanReceiptText(options[at]?.station ?? '').toUpperCase();
    return station === '' ? text : `${text} · ${station}`;
  });
}

function kitchenNameOfOption({ name, kitchen_name = null }: RemovedReceiptLine['options'][number]): string {
  return kitchenName({ name, kitchen_name });
}

interface Changes {
  removed: RemovedReceiptLine[];
  /** The promised time on the last printed paper if it has changed since; otherwise null. */
  oldPromise: Date | null;
}

export function changesSinceLastCopy(order: ReceiptOrder, since: ReceiptOptions['since']): Changes {
  const removed = (order.removed ?? []).filter(({ at }) => !since || new Date(at) > since.drawnAt);
  const promised = order.promised_at ?? order.requested_for;
  const hasMoved = since?.promisedAt && promised !== null && !isEqualToTheMinute(since.promisedAt, new Date(promised));
  return { removed, oldPromise: hasMoved ? (since?.promisedAt ?? null) : null };
}

export function hasChangedSinceLastCopy({ removed, oldPromise }: Changes): boolean {
  return removed.length > 0 || oldPromise !== null;
}

/** A line's quantity on the last printed receipt if it has changed since; otherwise null. */
function oldQuantity(line: ReceiptLine, { removed }: Changes): number | null {
  const gone = removed.filter(({ line_id: id }) => id === line.id).reduce((sum, { quantity }) => sum + quantity, 0);
  return gone === 0 ? null : line.quantity + gone;
}
