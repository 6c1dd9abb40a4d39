import { m } from '#messages';
import { priceOfEmptyField } from '#menu/empty-price.ts';
import {
  makeChangeOperation,
  makeGuardedChangeOperation,
  makeCreateOperation,
  type GroupPart,
  makeLinkOperation,
  type OptionPart,
  newPartWithDefaults,
} from '#menu/operations/menu-operation.ts';
import { optionCells } from '#menu/import/export-menu.ts';
import { noExtraAllergens, priceGroupRules, findPriceGroupRuleProblem } from '#menu/price-group.ts';
import {
  changedFields,
  matchIgnoringAccents,
  type ImportDraft,
  type RowMatch,
  type PlannedRow,
  RowReader,
  importRowKey,
} from '#menu/import/plan-draft.ts';
import { findGroup, createImportedGroup, refuseSecondPriceGroup } from '#menu/import/find-parts.ts';
import {
  type CellReading,
  fieldClearingText,
  foldName,
  foldNameCase,
  readAllergensCell,
  readNameCell,
  readPriceCell,
  readPricingCell,
  readVatCell,
  readWholeNumberCell,
  readYesNoCell,
  cellToText,
} from '#menu/import/read-cell.ts';
import { unlimitedMaxSelect } from '#menu/option-rules.ts';
import { shorten } from '#platform/graphemes.ts';
import type { FileRow, FileTable } from '#menu/import/table.ts';

type Rules = Pick<GroupPart, 'pricing' | 'min_select' | 'max_select' | 'free_select' | 'max_per_option'>;

const ruleCells = [
  ['minSelect', 'min_select', 0, unlimitedMaxSelect],
  ['maxSelect', 'max_select', 1, unlimitedMaxSelect],
  ['freeSelect', 'free_select', 0, unlimitedMaxSelect],
  ['maxPerOption', 'max_per_option', 1, 20],
] as const;

interface GroupDraft {
  group: GroupPart;
  isNew: boolean;
  rules: Partial<Rules>;
  seen: Map<string, number>;
  overrides: Map<string, number | null>;
  linked: string[];
}

export function planOptions(draft: ImportDraft, { rows }: FileTable): PlannedRow[] {
  draft.dishRows = rows.filter(({ kind }) => kind === 'item');
  const groups = new Map<string, GroupDraft>();
  const fieldsByOption = new Map<string, { fields: string; number: number }>();
  const planned = rows
    .filter(({ kind }) => kind === 'option')
    .map((row) => planRow(draft, groups, fieldsByOption, row));
  for (const { group, isNew, rules, overrides, linked } of groups.values()) {
    if (linked.length > 0) draft.links.push(makeLinkOperation('group', group.id, linked));
    const prices = [...overrides].map(([id, price]) => ({ id, price_override: price }));
    if (isNew) continue;
    const changed = Object.fromEntries(
      Object.entries(rules).filter(([key, value]) => group[key as keyof Rules] !== value),
    ) as Partial<Rules>;
    if (Object.keys(changed).length > 0) draft.changes.push(makeGuardedChangeOperation('group', group, changed));
    if (prices.length > 0) draft.links.push(makeChangeOperation('group', group.id, { options: prices }));
  }
  return planned;
}

function planRow(
  draft: ImportDraft,
  groups: Map<string, GroupDraft>,
  fieldsByOption: Map<string, { fields: string; number: number }>,
  row: FileRow,
): PlannedRow {
  const groupName = row.cells['group'];
  const known = groupName ? findGroup(draft, groupName) : null;
  const existing = withoutError(known);
  const { part: option, question, keepsName, isOpen } = matchOption(draft, existing, row);
  const current = option && existing ? cellsOf(draft, option, existing) : null;
  const reader = new RowReader(row, current, question);
  const name = keepsName ? '' : (reader.take('name', readNameCell(reader.cell('name'), 80)) ?? '');
  const isNameRefused = reader.problems.length > 0;
  const price = reader.take('price', readPriceCell(reader.cell('price'), draft.options.currency));
  const rules = readRules(reader);
  if (isOpen) reader.refuse('name', m.menu_import_meant_needed());
  refuseGroup(reader, groupName, known);
  refuseId(reader, option);
  const fields = readFields(draft, reader, option);
  refuseAnswers(draft, reader);
  const mayBeUnnamed = option !== undefined || isNameRefused || isOpen;
  if (name === '' && !mayBeUnnamed) reader.refuse('name', m.menu_import_name_needed());
  refuseRules(draft, reader, existing, { name, rules });
  const shownName = name || nameOf(option, row);
  if (reader.problems.length > 0 || !groupName) return reader.planned(shownName, null, {});

  const inGroup = groupDraft(draft, groups, existing, groupName, rules);
  refuseOtherRules(reader, inGroup, rules);
  return planInGroup(draft, reader, inGroup, fieldsByOption, {
    option,
    shownName,
    name,
    price,
    fields,
    // If the choice gets another dish, its answers must be planned again, although their cell may be unchanged.
    answers: fields.item_id === undefined ? reader.cell('dealAnswers') : row.cells['dealAnswers'],
  });
}

interface ReadRow {
  option: OptionPart | undefined;
  shownName: string;
  name: string;
  price: number | undefined;
  fields: Partial<OptionPart>;
  answers: string | undefined;
}

function planInGroup(
  draft: ImportDraft,
  reader: RowReader,
  inGroup: GroupDraft,
  fieldsByOption: Map<string, { fields: string; number: number }>,
  { option, shownName, name, price, fields, answers }: ReadRow,
): PlannedRow {
  const { number } = reader.row;
  const key = option?.id ?? foldNameCase(name);
  const earlier = option && fieldsByOption.get(option.id);
  const said = JSON.stringify([fields, answers]);
  refuseTwice(reader, inGroup.seen.get(key), earlier, said);
  if (reader.problems.length > 0) return reader.planned(shownName, null, {});
  inGroup.seen.set(key, number);
  const id = option?.id ?? draft.options.newId();
  if (answers) draft.answers.push({ row: reader.row, optionId: id, cell: answers });
  if (!option)
    return addOption(draft, reader, inGroup, { id, name, price: price ?? priceOfEmptyField('option'), ...fields });
  fieldsByOption.set(option.id, { fields: said, number });
  return changeOption(draft, reader, inGroup, option, { ...(name !== '' && { name }), ...fields }, price, !earlier);
}

function nameOf(option: OptionPart | undefined, row: FileRow): string {
  return option?.name ?? cellToText(row.cells['name'] ?? '');
}

function withoutError(known: ReturnType<typeof findGroup> | null): GroupPart | null {
  return known && !('error' in known) ? known : null;
}

function refuseId(reader: RowReader, option: OptionPart | undefined): void {
  if (!option && reader.cell('id')) reader.refuse('id', m.menu_import_id_unknown());
}

function refuseAnswers(draft: ImportDraft, reader: RowReader): void {
  const words = draft.refused.answers.get(importRowKey(reader.row));
  if (words !== undefined) reader.refuse('dealAnswers', words);
}

function refuseGroup(reader: RowReader, name: string | undefined, known: ReturnType<typeof findGroup> | null): void {
  if (!name) reader.refuse('group', m.menu_import_group_needed());
  if (known && 'error' in known) reader.refuse('group', known.error);
}

function refuseRules(
  draft: ImportDraft,
  reader: RowReader,
  existing: GroupPart | null,
  { name, rules }: { name: string; rules: Partial<Rules> },
): void {
  checkRules(reader, { ...(existing ?? newPartWithDefaults('group', { id: '', name, ...rules })), ...rules });
  if (existing && existing.pricing !== rules.pricing) refuseOnDishes(draft, reader, existing, rules);
}

/**
 * Refuses a second row for an option in the same group. A row for the option in another group is refused only if its
 * fields differ from the earlier row.
 */
function refuseTwice(
  reader: RowReader,
  before: number | undefined,
  earlier: { fields: string; number: number } | undefined,
  fields: string,
): void {
  if (before !== undefined) reader.refuse('name', m.menu_import_twice({ row: before }));
  if (earlier && earlier.fields !== fields) reader.refuse('', m.menu_import_differs({ row: earlier.number }));
}

function readRules(reader: RowReader): Partial<Rules> {
  const pricing = reader.take('pricing', readPricingCell(reader.cell('pricing')));
  const rules: Partial<Rules> =
    pricing === undefined ? {} : { pricing, ...(pricing === 'is_price' && priceGroupRules) };
  for (const [key, field, least, most] of ruleCells) {
    const value = reader.take(key, readWholeNumberCell(reader.cell(key), least, most));
    if (value !== undefined) rules[field] = value;
  }
  return rules;
}

function readFields(draft: ImportDraft, reader: RowReader, known: OptionPart | undefined): Partial<OptionPart> {
  const isDefault = reader.take('isDefault', readYesNoCell(reader.cell('isDefault')));
  const vat = reader.cell('vatRate') === '-' ? null : reader.take('vatRate', readVatCell(reader.cell('vatRate')));
  const soldOut = reader.take('soldOut', readYesNoCell(reader.cell('soldOut')));
  const allergens = readAllergensCell((key) => reader.cell(key), known, draft.options.statesAllergens);
  const stated = reader.take(allergens.at ?? 'contains', allergens);
  const dish = reader.take('dealDish', readDealDish(draft, reader.cell('dealDish')));
  return {
    ...(isDefault !== undefined && { is_default: isDefault }),
    ...(dish !== undefined && dish !== known?.item_id && { item_id: dish, item_options: [] }),
    ...(vat !== undefined && { vat_rate: vat }),
    ...stated,
    ...(soldOut !== undefined && { is_available: !soldOut, ...(!soldOut && { unavailable_until: null }) }),
  };
}

/**
 * Reads the dish that the cell names, on the menu or in a row of this file. Returns its id; null for `-`, the sign that
 * clears the field.
 */
function readDealDish(draft: ImportDraft, cell: string | undefined): CellReading<string | null> {
  if (!cell) return { value: undefined };
  if (cell === fieldClearingText) return { value: null };
  const wanted = foldName(cellToText(cell));
  const known = draft.parts.items.find(({ id }) => foldName(draft.names.dish(id) ?? '') === wanted);
  if (known) return { value: known.id };
  const rowNames = ({ cells: { id = '', name = '' } }: FileRow) => [name, `${name} #${id.slice(-6)}`];
  const row = draft.dishRows.find((one) => rowNames(one).some((own) => foldName(cellToText(own)) === wanted));
  if (!row) return { error: m.menu_import_dish_unknown({ name: shorten(cellToText(cell), 60) }) };
  if (draft.refused.dishes.has(importRowKey(row)))
    return { error: m.menu_import_dish_refused({ name: shorten(cellToText(cell), 60), row: row.number }) };
  const id = draft.newDishIds.get(importRowKey(row)) ?? draft.options.newId();
  draft.newDishIds.set(importRowKey(row), id);
  return { value: id };
}

function matchOption(draft: ImportDraft, group: GroupPart | null, row: FileRow): RowMatch<OptionPart> {
  const id = row.cells['id']?.toLowerCase();
  const name = cellToText(row.cells['name'] ?? '');
  const inGroup = new Set(group?.options.map((one) => one.id));
  const alike = draft.parts.options.filter((one) =>
    id ? one.id === id : inGroup.has(one.id) && foldName(one.name) === foldName(name),
  );
  const [part] = alike;
  if (id) return part ? { part } : {};
  return matchIgnoringAccents(draft, row, alike, name);
}

function checkRules(reader: RowReader, rules: Rules): void {
  const { min_select: least, max_select: most, free_select: free } = rules;
  if (least > most) reader.refuse('minSelect', m.menu_import_min_above_max({ least, most }));
  if (free > most) reader.refuse('freeSelect', m.menu_import_free_above_max({ free, most }));
  const refused = findPriceGroupRuleProblem(rules);
  const [key] = ruleCells.find(([, field]) => field === refused?.field) ?? [];
  if (refused && key) reader.refuse(key, refused.words);
}

/** Refuses a change of a group's pricing that would give a dish two groups that set its price. */
function refuseOnDishes(draft: ImportDraft, reader: RowReader, group: GroupPart, { pricing }: Partial<Rules>): void {
  if (pricing === undefined) return;
  draft.pricing.set(group.id, pricing);
  const items = draft.parts.items.filter((item) => item.option_groups.some(({ id }) => id === group.id));
  refuseSecondPriceGroup(draft, reader, 'pricing', draft.parts.option_groups, items);
}

function groupDraft(
  draft: ImportDraft,
  groups: Map<string, GroupDraft>,
  existing: GroupPart | null,
  name: string,
  rules: Partial<Rules>,
): GroupDraft {
  const known = existing && groups.get(existing.id);
  if (known) return known;
  const group = existing ?? createImportedGroup(draft, name, rules);
  const made: GroupDraft = {
    group,
    isNew: existing === null,
    rules: { ...rules },
    seen: new Map(),
    overrides: new Map(),
    linked: [],
  };
  groups.set(group.id, made);
  return made;
}

/** Refuses a row whose rules differ from its group's earlier rows. An empty cell never conflicts. */
function refuseOtherRules(reader: RowReader, { rules: known, group, isNew }: GroupDraft, rules: Partial<Rules>): void {
  for (const [key, field] of [['pricing', 'pricing'] as const, ...ruleCells]) {
    const value = rules[field];
    const before = known[field] ?? (isNew ? group[field] : undefined);
    if (value === undefined) continue;
    if (before === undefined) Object.assign(known, { [field]: value });
    else if (before !== value) reader.refuse(key, m.menu_import_rules_differ({ group: group.name }));
  }
}

function addOption(
  draft: ImportDraft,
  reader: RowReader,
  inGroup: GroupDraft,
  fields: Partial<OptionPart> & { id: string; name: string; price: number },
): PlannedRow {
  const pricing = inGroup.rules.pricing ?? inGroup.group.pricing;
  const allergens = pricing === 'is_price' ? noExtraAllergens : {};
  draft.creations.push(makeCreateOperation('option', { store_id: draft.parts.store_id, ...allergens, ...fields }));
  inGroup.linked.push(fields.id);
  return reader.planned(fields.name, null, {});
}

function changeOption(
  draft: ImportDraft,
  reader: RowReader,
  inGroup: GroupDraft,
  option: OptionPart,
  fields: Partial<OptionPart>,
  price: number | undefined,
  isFirst: boolean,
): PlannedRow {
  const { group, rules } = inGroup;
  const ownLink = group.options.find(({ id }) => id === option.id);
  const { own, override } = placePrice(draft, option, ownLink, price);
  const wanted = { ...option, ...fields, price: own };
  if (!ownLink) inGroup.linked.push(option.id);
  if (override !== (ownLink?.price_override ?? null)) inGroup.overrides.set(option.id, override);
  const changed = changedFields(option, wanted);
  if (isFirst && Object.keys(changed).length > 0)
    draft.changes.push(makeGuardedChangeOperation('option', option, changed));
  const links = ownLink
    ? group.options.map((one) => (one.id === option.id ? { ...one, price_override: override } : one))
    : [...group.options, { id: option.id, price_override: override }];
  const before = cellsOf(draft, option, group);
  return reader.planned(
    wanted.name,
    ownLink ? before : { ...before, group: '' },
    cellsOf(draft, wanted, { ...group, ...rules, options: links }),
  );
}

/**
 * Returns an option's own price and its override after the import. The file's price becomes the own price if only this
 * group has the option, without an override; otherwise it becomes the override.
 */
function placePrice(
  draft: ImportDraft,
  option: OptionPart,
  link: GroupPart['options'][number] | undefined,
  price: number | undefined,
): { own: number; override: number | null } {
  const before = link?.price_override ?? null;
  if (price === undefined || price === (before ?? option.price)) return { own: option.price, override: before };
  const groups = draft.parts.option_groups.filter(({ options }) => options.some(({ id }) => id === option.id));
  const isOwn = before === null && groups.length === 1 && link !== undefined;
  return isOwn ? { own: price, override: null } : { own: option.price, override: price };
}

function cellsOf({ names, decimals }: ImportDraft, option: OptionPart, group: GroupPart) {
  return optionCells(option, group, names, decimals);
}
