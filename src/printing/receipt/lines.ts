import { m } from '#messages';
import { type Cell, rule, table } from '#printing/receipt/layout.ts';
import type { ReceiptLine, ReceiptOrder } from '#printing/receipt/order.ts';
import { cleanReceiptText, isBlank } from '#printing/receipt/text.ts';
import type { PrintCopy } from '#ordering/print.ts';
import type { AllergenCode, Allergens } from '#menu/menu-shapes.ts';
import { formatMoney } from '#platform/money.ts';

/** What to cook, a rule after each dish. With an allergy note each dish also says what it contains. */
export function kitchenLines(order: ReceiptOrder, columns: number): string[] {
  const allergic = !isBlank(order.allergy_note);
  const nameSize = columns >= 42 ? 'double' : 'tall';
  return order.lines.flatMap((line) => {
    const quantity = m.printing_receipt_quantity({ quantity: line.quantity });
    const rows: Cell[][] = [
      [
        { text: quantity, size: 'double', bold: true, inverted: line.quantity > 1 },
        { text: kitchenName(line), size: nameSize, bold: true },
      ],
      ...optionWords(line).map((text) => [{ text: '' }, { text, size: 'tall' as const }]),
    ];
    const marks = [cleanReceiptText(line.station ?? '').toUpperCase(), ageWords(line)].filter((text) => text !== '');
    if (marks.length > 0) rows.push([{ text: '' }, { text: marks.join(' · '), bold: true }]);
    const note = cleanReceiptText(line.note);
    if (note !== '') {
      const text = m.printing_receipt_line_note({ note });
      rows.push([{ text: '' }, { text, size: 'tall', bold: true, underlined: true }]);
    }
    if (allergic) rows.push(...allergenWords(line.allergens).map((text) => [{ text: '' }, { text }]));
    return [...table(rows, [6, 0], columns), rule];
  });
}

/** What was bought: each dish with its price, options, note and, as the law wants at delivery, its allergens in words. */
export function customerLines(order: ReceiptOrder, currency: string, columns: number): string[] {
  const prices = order.lines.map((line) => formatMoney(line.total, currency));
  const priceWidth = Math.max(...prices.map((price) => price.length), 6);
  return order.lines.flatMap((line, index) => {
    const details = optionWords(line);
    if (line.quantity > 1) details.unshift(m.printing_receipt_each({ price: formatMoney(line.unit_price, currency) }));
    const note = cleanReceiptText(line.note);
    if (note !== '') details.push(m.printing_receipt_your_note({ note }));
    if (line.min_age) details.push(ageWords(line));
    details.push(...allergenWords(line.allergens));
    const dish: Cell[] = [
      { text: m.printing_receipt_quantity({ quantity: line.quantity }), bold: true },
      { text: line.name, bold: true },
      { text: prices[index] ?? '', align: 'right', bold: true },
    ];
    const detailRows = details.map((text) => [{ text: '' }, { text }]);
    return [...table([dish], [3, 0, priceWidth], columns), ...table(detailRows, [3, 0], columns)];
  });
}

/** What was taken off the order, for the cook who may have begun with it, or for the customer who misses it. */
export function removedLines({ removed = [] }: ReceiptOrder, columns: number, copy: PrintCopy): string[] {
  if (removed.length === 0) return [];
  const isKitchen = copy === 'kitchen';
  const size = isKitchen ? 'tall' : 'normal';
  const rows = removed.map((piece): Cell[] => [
    { text: m.printing_receipt_quantity({ quantity: piece.quantity }), size, bold: true },
    {
      text: [isKitchen ? kitchenName(piece) : piece.name, ...optionWords(piece)].map(cleanReceiptText).join(', '),
      size,
    },
  ]);
  const heading = isKitchen ? m.printing_receipt_removed_kitchen() : m.printing_receipt_removed();
  return [
    ...table([[{ text: heading, bold: true, inverted: isKitchen }]], [0], columns),
    ...table(rows, [isKitchen ? 6 : 3, 0], columns),
    ...(isKitchen ? [rule] : []),
  ];
}

function ageWords({ min_age: age }: ReceiptLine): string {
  return age ? m.printing_receipt_age({ age }) : '';
}

function kitchenName({ kitchen_name: kitchenName, name }: Pick<ReceiptLine, 'kitchen_name' | 'name'>): string {
  return kitchenName === null || isBlank(kitchenName) ? name : kitchenName;
}

/** One text a choice: `Mushy peas`, `Curry sauce ×2`. */
function optionWords({ options }: { options: readonly { name: string; quantity: number }[] }): string[] {
  return options.map(({ name, quantity }) =>
    quantity > 1 ? m.printing_receipt_option_many({ name: cleanReceiptText(name), quantity }) : name,
  );
}

/** `Contains: …` and `May contain: …`, each its own text; "ask the shop" where nothing is stated. */
function allergenWords(allergens: Allergens): string[] {
  if (allergens === null) return [m.printing_receipt_allergens_not_stated()];
  const { contains, may_contain: mayContain } = allergens;
  if (contains.length === 0 && mayContain.length === 0) return [m.printing_receipt_no_allergens()];
  const rows: string[] = [];
  if (contains.length > 0) rows.push(m.printing_receipt_contains({ allergens: allergenList(contains) }));
  if (mayContain.length > 0) rows.push(m.printing_receipt_may_contain({ allergens: allergenList(mayContain) }));
  return rows;
}

function allergenList(codes: readonly AllergenCode[]): string {
  return codes.map((code) => m.printing_receipt_allergen({ code })).join(', ');
}
