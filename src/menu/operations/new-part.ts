import type { NewFields } from '#menu/operations/menu-operation.ts';
import type { PartKind, PartOf } from '#menu/operations/menu-part.ts';
import { allergenFields } from '#menu/allergen-answers.ts';
import { priceRules } from '#menu/price-group.ts';
import { stockFields } from '#menu/sold-out.ts';

/** A part without its owner, its position and its links. */
export type NewPart<K extends PartKind> = {
  [P in K]: Omit<PartOf<P>, 'store_id' | 'position' | 'item_ids' | 'option_groups' | 'options'>;
}[K];

type Beginnings = { [K in PartKind]: (fields: NewFields<K>) => NewPart<K> };

const beginnings: Beginnings = {
  menu: ({ store_id: _store, ...fields }) => ({ description: '', is_active: true, availability: null, ...fields }),
  category: (fields) => ({ description: '', image: null, is_active: true, ...fields }),
  item: ({ store_id: _store, ...fields }) => ({
    kitchen_name: null,
    description: '',
    image: null,
    // Hot takeaway food is standard-rated in the UK (VAT Notice 709/1).
    vat_rate: 2000,
    is_active: true,
    is_available: true,
    unavailable_until: null,
    allergens: null,
    allergen_answers: null,
    dietary: [],
    spice_level: 0,
    min_age: null,
    prep_minutes: null,
    max_per_order: null,
    station: null,
    ...fields,
    ...stockFields(fields),
    ...allergenFields(fields),
  }),
  group: ({ store_id: _store, ...fields }) => ({
    pricing: 'adds',
    min_select: 0,
    // A group with only a minimum allows exactly as many; one without both allows one.
    max_select: Math.max(1, fields.min_select ?? 0, fields.free_select ?? 0),
    free_select: 0,
    max_per_option: 1,
    ...(fields.pricing === 'is_price' && priceRules),
    ...fields,
  }),
  option: ({ store_id: _store, ...fields }) => ({
    price: 0,
    is_default: false,
    is_available: true,
    unavailable_until: null,
    vat_rate: null,
    allergens: null,
    allergen_answers: null,
    ...fields,
    ...stockFields(fields),
    ...allergenFields(fields),
  }),
};

/** A new part: the given fields, and defaults for the rest. */
export function startPart<K extends PartKind>(part: K, fields: NewFields<K>): NewPart<K> {
  const begin: (fields: NewFields<K>) => NewPart<K> = beginnings[part];
  return begin(fields);
}
