import { m } from '#messages';
import { codesOf } from '#menu/allergen-conflicts.ts';
import type { AllergenCode, Allergens } from '#menu/menu-shapes.ts';
import type { ReceiptLine, ReceiptOrder } from '#printing/receipt/order.ts';
import { isBlank } from '#printing/receipt/text.ts';

/** Whether its customer wrote of an allergy, or confirmed one. */
export function hasAllergy({ allergy_note: note, allergies = [] }: ReceiptOrder): boolean {
  return !isBlank(note) || allergies.length > 0;
}

/** `Contains: …` and `May contain: …`, each its own text; "ask the shop" where nothing is stated. */
export function allergenWords(allergens: Allergens): string[] {
  if (allergens === null) return [m.printing_receipt_allergens_not_stated()];
  const rows = statedWords(allergens);
  return rows.length === 0 ? [m.printing_receipt_no_allergens()] : rows;
}

/** The avoided allergens of a dish, each kind its own text; none if it has nothing of them. */
export function conflictWords({ allergen_conflicts: conflicts = [] }: ReceiptLine): string[] {
  const rows = statedWords({
    contains: codesOf(conflicts, 'contains'),
    may_contain: codesOf(conflicts, 'may_contain'),
  });
  if (codesOf(conflicts, 'not_stated').length > 0) rows.push(m.printing_receipt_conflict_not_stated());
  return rows;
}

function statedWords({ contains, may_contain: mayContain }: NonNullable<Allergens>): string[] {
  const rows: string[] = [];
  if (contains.length > 0) rows.push(m.printing_receipt_contains({ allergens: allergenList(contains) }));
  if (mayContain.length > 0) rows.push(m.printing_receipt_may_contain({ allergens: allergenList(mayContain) }));
  return rows;
}

export function allergenList(codes: readonly AllergenCode[]): string {
  return codes.map((code) => m.printing_receipt_allergen({ code })).join(', ');
}
