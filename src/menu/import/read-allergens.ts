import { m } from '#messages';
import {
  allergenFields,
  answered,
  answersOf,
  inOrder,
  type KnownAllergens,
  noneOfThem,
} from '#menu/allergen-answers.ts';
import { type AllergenCode, allergenCodes } from '#menu/allergen-codes.ts';
import { allergenName } from '#menu/allergen-words.ts';
import { fold } from '#menu/import/names-in-cell.ts';
import { emptySign, type Read, readYesNo } from '#menu/import/read-cell.ts';

/** Other names: those of the law (Regulation (EU) No 1169/2011, Annex II), its cereals and nuts, and other spellings. */
const otherNames: Record<AllergenCode, string> = {
  celery: '',
  gluten: 'cereals containing gluten, cereals, cereal, wheat, spelt, khorasan wheat, rye, barley, oats, oat',
  crustaceans: 'crustacean, crustacea',
  eggs: 'egg',
  fish: '',
  lupin: 'lupins, lupine',
  milk: 'dairy, lactose',
  molluscs: 'mollusc, mollusks, mollusk',
  mustard: '',
  nuts:
    'nut, tree nuts, tree nut, almonds, almond, hazelnuts, hazelnut, walnuts, walnut, cashews, cashew, cashew nuts, ' +
    'pecans, pecan nuts, brazil nuts, pistachios, pistachio nuts, macadamia, macadamia nuts, queensland nuts',
  peanuts: 'peanut, groundnuts',
  sesame: 'sesame seeds, sesame seed',
  soya: 'soybeans, soybean, soy beans, soya beans, soy',
  sulphites:
    'sulphur dioxide and sulphites, sulphur dioxide, sulphites and sulphur dioxide, sulphite, sulfites, sulfite, ' +
    'sulfur dioxide, sulfur dioxide and sulfites, sulphur dioxide/sulphites, so2',
};

const codeOfName = new Map(
  allergenCodes.flatMap((code) => [code, ...otherNames[code].split(', ')].map((name) => [fold(name), code] as const)),
);

/** Commas inside of brackets belong to an allergen: `nuts (almonds, walnuts)`. */
const betweenNames = /[;,\n](?![^()]*\))/;
/** The law says it of most: `eggs and products thereof`. */
const ofProducts = / (?:and|&) products thereof.*$/;

type ReadAllergens = Read<Partial<KnownAllergens>> & { at?: 'contains' | 'mayContain' | 'allergensStated' };

/**
 * Reads the cells about allergens together: `none` means none of them, `-` that nothing is stated. Only a row that states
 * all 14 says that the others are not in it; else what it names is added to the answers of `known`.
 */
export function readAllergens(
  cell: (key: string) => string | undefined,
  known: KnownAllergens | undefined,
  statesAll: boolean,
): ReadAllergens {
  const [contains, may] = [cell('contains'), cell('mayContain')];
  const stated = readYesNo(cell('allergensStated'));
  if ('error' in stated) return { ...stated, at: 'allergensStated' };
  if (!contains && !may) return { value: {} };
  if ((contains ?? emptySign) === emptySign && (may ?? emptySign) === emptySign)
    return { value: { allergens: null, allergen_answers: null } };
  const read = { contains: readAllergenList(contains), mayContain: readAllergenList(may) };
  for (const at of ['contains', 'mayContain'] as const) {
    const { unknown } = read[at];
    if (unknown !== undefined) return { error: m.menu_import_allergen({ name: unknown }), at };
  }
  const named = { contains: read.contains.codes, may_contain: read.mayContain.codes, not_in: [...allergenCodes] };
  if (stated.value ?? statesAll) return { value: allergenFields({ allergen_answers: inOrder(named) }) };
  const before = answersOf(known ?? { allergens: null, allergen_answers: null });
  const isNone = named.contains.length + named.may_contain.length === 0;
  if (isNone && (before.contains.length + before.may_contain.length > 0 || known?.allergens)) return { value: {} };
  // Nobody has confirmed that it is none of them: the file alone does not say so.
  if (isNone) return { value: allergenFields({ allergens: null, allergen_answers: noneOfThem }) };
  const possible = answered(before, read.mayContain.codes, 'may_contain');
  const answers = answered(possible, read.contains.codes, 'contains');
  return { value: allergenFields({ ...(!known?.allergens && { allergens: null }), allergen_answers: answers }) };
}

function readAllergenList(cell: string | undefined): { codes: AllergenCode[]; unknown?: string } {
  const names = (cell ?? '').split(betweenNames).flatMap((name) => name.trim() || []);
  if (names.length === 1 && (fold(names[0] ?? '') === 'none' || names[0] === emptySign)) return { codes: [] };
  const found = new Set<AllergenCode>();
  for (const name of names) {
    const code = readAllergen(name);
    if (!code) return { codes: [], unknown: name };
    found.add(code);
  }
  return { codes: allergenCodes.filter((code) => found.has(code)) };
}

function readAllergen(name: string): AllergenCode | undefined {
  const folded = fold(name.replaceAll(/\([^()]*\)/g, ' ')).replace(ofProducts, '');
  return codeOfName.get(folded) ?? allergenCodes.find((one) => fold(allergenName(one)) === folded);
}
