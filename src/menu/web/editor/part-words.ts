import { m } from '#messages';
import type { PartKind, PartsIndex } from '#menu/operations/menu-operation.ts';
import type { AllergenAnswers, Allergens, Dietary, ItemOption, PriceChange } from '#menu/menu-shapes.ts';
import { allergenWords, allergenListWords } from '#menu/allergen-words.ts';
import { dietWords } from '#menu/web/menu-words.ts';
import { formatMoney } from '#platform/money.ts';

export function partKindWords(kind: PartKind, count: number): string {
  return kindNames[kind]({ count });
}

const kindNames: Record<PartKind, (values: { count: number }) => string> = {
  menu: m.menu_edit_a_menu,
  category: m.menu_edit_a_category,
  item: m.menu_edit_an_item,
  group: m.menu_edit_a_group,
  option: m.menu_edit_an_option,
};

const names: Record<string, () => string> = {
  name: m.menu_edit_name,
  price: m.menu_edit_price,
  description: m.menu_edit_description,
  kitchen_name: m.menu_edit_kitchen_name,
  image: m.menu_edit_picture,
  vat_rate: m.menu_edit_vat,
  is_active: m.menu_edit_shown,
  is_available: m.menu_edit_available,
  unavailable_until: m.menu_edit_until,
  allergens: m.menu_edit_allergens,
  allergen_answers: m.menu_edit_allergen_answers,
  dietary: m.menu_edit_dietary,
  spice_level: m.menu_edit_spice,
  min_age: m.menu_edit_min_age,
  prep_minutes: m.menu_edit_prep,
  max_per_order: m.menu_edit_max_per_order,
  station: m.menu_edit_station,
  portions_left: m.menu_edit_portions,
  price_change: m.menu_edit_later_price,
  availability: m.menu_edit_served,
  pricing: m.menu_edit_pricing_field,
  min_select: m.menu_edit_min_select,
  max_select: m.menu_edit_max_select,
  free_select: m.menu_edit_free_select,
  max_per_option: m.menu_edit_max_per_option,
  is_default: m.menu_edit_default,
  item_id: m.menu_edit_deal_dish,
  item_options: m.menu_edit_deal_answers,
  menu_id: () => m.menu_edit_a_menu({ count: 1 }),
  option_groups: m.menu_edit_conditions,
  options: m.menu_edit_prices_here,
};

export function partFieldWords(field: string): string {
  return names[field]?.() ?? field;
}

export function fieldValueWords(
  field: string,
  value: unknown,
  { currency, index }: { currency: string; index: PartsIndex },
): string {
  if (field === 'allergens') return allergenWords(value as Allergens);
  if (field === 'allergen_answers') return answersWords(value as AllergenAnswers);
  if (value === null || value === undefined || value === '') return m.menu_edit_none();
  const words = wordsByField[field]?.(value, currency, index);
  if (words !== undefined) return words;
  if (typeof value === 'boolean') return value ? m.menu_edit_yes() : m.menu_edit_no();
  if (Array.isArray(value)) return value.map((one) => linkWords(one as Link, currency, index)).join('; ');
  if (typeof value === 'object') {
    const { days = [], from, to } = value as { days?: string[]; from?: string; to?: string };
    return `${days.join(', ')} ${from}–${to}`;
  }
  return String(value);
}

/** Words for field values that an owner would not understand in their stored form. */
const wordsByField: Record<string, (value: unknown, currency: string, index: PartsIndex) => string> = {
  price: (value, currency) => formatMoney(Number(value), currency),
  price_change: (value, currency) => formatMoney((value as NonNullable<PriceChange>).price, currency),
  pricing: (value) => (value === 'adds' ? m.menu_edit_pricing_adds() : m.menu_edit_pricing_is_price()),
  vat_rate: (value) => m.menu_edit_percent({ percent: Number(value) / 100 }),
  menu_id: (value, _, index) => index.menus.get(String(value))?.name ?? m.menu_edit_none(),
  dietary: (value) => dietWords(value as Dietary[]).join(', ') || m.menu_edit_none(),
  item_id: (value, _, index) => index.items.get(String(value))?.name ?? m.menu_edit_none(),
  item_options: (value, _, index) =>
    (value as ItemOption[]).flatMap(({ option_id: id }) => index.options.get(id)?.name ?? []).join(', ') ||
    m.menu_edit_none(),
};

function answersWords(answers: AllergenAnswers): string {
  if (!answers) return m.menu_edit_none();
  const lists = [
    [m.menu_edit_allergen_contains(), answers.contains],
    [m.menu_edit_allergen_may(), answers.may_contain],
    [m.menu_edit_allergen_no(), answers.not_in],
  ] as const;
  return lists
    .flatMap(([words, codes]) => (codes.length > 0 ? `${words}: ${allergenListWords(codes)}` : []))
    .join('; ');
}

interface Link {
  id: string;
  shown_when_option_id?: string | null;
  price_override?: number | null;
}

function linkWords(link: Link, currency: string, index: PartsIndex): string {
  const name = index.groups.get(link.id)?.name ?? index.options.get(link.id)?.name ?? link.id;
  const { price_override: price, shown_when_option_id: condition } = link;
  if (typeof price === 'number') return `${name}: ${formatMoney(price, currency)}`;
  return condition ? m.menu_edit_shown_with({ name, option: index.options.get(condition)?.name ?? condition }) : name;
}
