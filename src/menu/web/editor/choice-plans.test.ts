import { describe, expect, test } from 'vitest';
import { copyDishFieldsToChoices } from '#menu/deals.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  makeCreateOperation,
  indexParts,
  makeLinkOperation,
  makeRemoveOperation,
} from '#menu/operations/menu-operation.ts';
import { invertOperations } from '#menu/operations/invert-operations.ts';
import { asPrice, sampleParts } from '#menu/testing/sample-parts.ts';
import { createMenuPart } from '#menu/web/editor/add-part.ts';
import type { MenuEditingState } from '#menu/web/editor/session/editing-context.ts';
import {
  choiceKindOf,
  dishesForDeal,
  emptyQuickEntryRow,
  hiddenChoicesOf,
  planBulkSizes,
  planChoices,
  type QuickEntry,
  choiceKindProblem,
} from '#menu/web/editor/choice-plans.ts';

const at = { storeId: 's1', item: { id: 'loose', option_groups: [] }, currency: 'GBP', example: '£1.50' };
const nameOf = (id: string) => sampleParts().items.find((item) => item.id === id)?.name ?? '';
const plan = (entry: Partial<QuickEntry>) =>
  planChoices(at, { kind: 'extras', name: 'Toppings', rows: [], count: 1, ...entry }, nameOf);
const made = (entry: Partial<QuickEntry>) => {
  const planned = plan(entry);
  if ('words' in planned) throw new Error(planned.words);
  const parts = applyOperations(sampleParts(), planned.operations);
  const group = parts.option_groups.find(({ id }) => id === planned.id);
  if (!group) throw new Error('there is no group');
  const { options: index } = indexParts(parts);
  const options = group.options.map(({ id }) => index.get(id));
  return {
    parts,
    group,
    options,
    kind: choiceKindOf(indexParts(parts), group),
    undo: invertOperations(sampleParts(), planned.operations),
  };
};
const row = (name: string, price = '') => ({ ...emptyQuickEntryRow, name, price });
const dish = (item_id: string, price = '') => ({ ...emptyQuickEntryRow, item_id, price });

describe('typed rows', () => {
  test('become sizes that are the price of the dish', () => {
    const { group, options, kind, parts } = made({
      kind: 'sizes',
      rows: [row('9 inch', '8'), row('12 inch', '£11.50'), emptyQuickEntryRow],
    });
    expect([kind, group]).toMatchObject(['sizes', { pricing: 'is_price', min_select: 1, max_select: 1 }]);
    expect(options).toMatchObject([
      { name: '9 inch', price: 800, allergens: { contains: [], may_contain: [] } },
      { name: '12 inch', price: 1150 },
    ]);
    expect(parts.items.find(({ id }) => id === 'loose')?.option_groups).toMatchObject([{ id: group.id }]);
  });

  test('become sizes above the groups that the dish has, with their conditions', () => {
    const shown_when_option_id = 'small';
    const before = applyOperations(sampleParts(), [
      makeLinkOperation('item', 'loose', ['size', 'topping']),
      makeChangeOperation('item', 'loose', { option_groups: [{ id: 'topping', shown_when_option_id }] }),
    ]);
    const item = indexParts(before).items.get('loose');
    if (!item) throw new Error('there is no dish');
    const rows = [row('9 inch', '8')];
    const planned = planChoices({ ...at, item }, { kind: 'sizes', name: 'Sizes', rows, count: 1 }, nameOf);
    if ('words' in planned) throw new Error(planned.words);
    const { items } = indexParts(applyOperations(before, planned.operations));
    expect(items.get('loose')?.option_groups).toEqual([
      { id: planned.id, shown_when_option_id: null },
      { id: 'size', shown_when_option_id: null },
      { id: 'topping', shown_when_option_id },
    ]);
    expect(
      applyOperations(applyOperations(before, planned.operations), invertOperations(before, planned.operations)),
    ).toEqual(before);
  });

  test('become toppings, of which any may be chosen, also ones added later, and an unpriced one is free', () => {
    const { group, options, kind } = made({ rows: [row('Ham', '1.2'), row('Basil')] });
    expect([kind, group]).toMatchObject(['extras', { pricing: 'adds', min_select: 0, max_select: 50 }]);
    expect(options).toMatchObject([{ price: 120, allergens: null }, { price: 0 }]);
  });

  test('become a part of a deal, in which so many dishes are chosen, also one of them twice', () => {
    const { group, options, kind } = made({ kind: 'deal', count: 2, rows: [dish('soup'), dish('pizza', '50p')] });
    expect([kind, group]).toMatchObject(['deal', { min_select: 2, max_select: 2, max_per_option: 2 }]);
    expect(options).toMatchObject([
      { item_id: 'soup', name: 'Soup', price: 0 },
      { item_id: 'pizza', name: 'Pizza', price: 50 },
    ]);
  });

  test('are taken back as one edit', () => {
    const { parts, undo } = made({ kind: 'deal', rows: [dish('soup')] });
    expect(applyOperations(parts, undo)).toEqual(sampleParts());
  });

  test.each([
    ['no row', { rows: [emptyQuickEntryRow] }, { row: 0, field: 'name' }],
    ['a price without a name', { rows: [emptyQuickEntryRow, row('', '2')] }, { row: 1, field: 'name' }],
    ['a size without a price', { kind: 'sizes' as const, rows: [row('9 inch')] }, { row: 0, field: 'price' }],
    ['an unreadable price', { rows: [row('Ham', 'dear')] }, { row: 0, field: 'price' }],
  ])('with %s are refused at the row', (_name, entry, problem) => {
    expect(plan(entry)).toMatchObject({ ...problem, words: expect.stringMatching(/\.$/) });
  });
});

describe('sizes for several dishes at once', () => {
  const sizes = { name: ' Size ', rows: [row('Small'), row('Large', '2.50'), emptyQuickEntryRow], prices: {} };
  const dishes = sampleParts().items.filter(({ id }) => id !== 'soup');
  const planned = (change: Partial<typeof sizes & { prices: Record<string, string[]> }>) =>
    planBulkSizes(at, dishes, { ...sizes, ...change });

  test('cost the dish’s price and the extra, or the price that is typed for the dish, and are taken back as one', () => {
    const operations = planned({ prices: { pizza: ['', '£12'] } });
    if ('words' in operations) throw new Error(operations.words);
    const parts = applyOperations(sampleParts(), operations);
    const { items, groups, options } = indexParts(parts);
    const ofDish = (id: string) =>
      items.get(id)?.option_groups.map((link) => {
        const group = groups.get(link.id);
        return [group?.name, group?.pricing, ...(group?.options ?? []).map((one) => options.get(one.id)?.price)];
      });
    expect(ofDish('loose')).toEqual([['Size', 'is_price', 100, 350]]);
    expect(ofDish('pizza')?.slice(0, 2)).toEqual([
      ['Size', 'is_price', 950, 1200],
      ['Size', 'adds', 0, 300],
    ]);
    expect(ofDish('soup')).toEqual([]);
    // A size adds nothing to the allergens of its dish.
    const made = parts.options.filter(({ name }) => name === 'Small').slice(1);
    expect(made.map(({ allergens }) => allergens)).toEqual(dishes.map(() => ({ contains: [], may_contain: [] })));
    expect(applyOperations(parts, invertOperations(sampleParts(), operations))).toEqual(sampleParts());
  });

  test.each([
    ['no size', { rows: [emptyQuickEntryRow] }, { row: 0, itemId: null, field: 'name' }],
    ['an extra without a name', { rows: [row('Small'), row('', '1')] }, { row: 1, itemId: null, field: 'name' }],
    ['an unreadable extra', { rows: [row('Small', 'dear')] }, { row: 0, itemId: null, field: 'price' }],
    ['an unreadable price', { prices: { loose: ['', 'dear'] } }, { row: 1, itemId: 'loose', field: 'price' }],
  ])('with %s are refused at their field', (_name, change, problem) => {
    expect(planned(change)).toMatchObject({ ...problem, words: expect.stringMatching(/\.$/) });
  });

  test('are not for a dish that has sizes, even if none is left in them', () => {
    const parts = applyOperations(sampleParts(), [
      makeCreateOperation('group', { id: 'none', name: 'Size', ...asPrice }),
      makeLinkOperation('item', 'soup', ['none']),
    ]);
    const index = indexParts(parts);
    const isFree = parts.items.map((item) => choiceKindProblem({ parts, index }, item, 'sizes') === null);
    expect(parts.items.map(({ id }, place) => [id, isFree[place]])).toEqual([
      ['soup', false],
      ['pizza', true],
      ['loose', true],
    ]);
  });
});

test('a choice that must be made and adds to the price is none of the three kinds', () => {
  const parts = sampleParts();
  const kinds = parts.option_groups.map((group) => choiceKindOf(indexParts(parts), group));
  expect(parts.option_groups.map(({ id }, place) => [id, kinds[place]])).toEqual([
    ['size', null],
    ['topping', 'extras'],
  ]);
});

test('a deal is offered every dish but deals, and a dish of a deal cannot become one', () => {
  const { parts } = made({ kind: 'deal', rows: [dish('soup')] });
  const index = indexParts(parts);
  expect(dishesForDeal(parts, null).map(({ id }) => id)).toEqual(['soup', 'pizza']);
  expect(dishesForDeal(sampleParts(), 'loose').map(({ id }) => id)).toEqual(['soup', 'pizza']);
  const refused = (id: string) => {
    const item = index.items.get(id);
    return item && choiceKindProblem({ parts, index }, item, 'deal');
  };
  expect([refused('pizza'), refused('loose')]).toEqual([null, null]);
  expect(refused('soup')).toContain('part of a meal deal');
});

test('the editor shows a choice as its dish is, and keeps the name of a deleted dish', () => {
  const { parts } = made({ kind: 'deal', rows: [dish('pizza', '1')] });
  const sized = applyOperations(parts, [
    makeCreateOperation('group', { id: 'crust', name: 'Crust', min_select: 1 }),
    makeCreateOperation('option', { id: 'thin', name: 'Thin' }),
    makeLinkOperation('group', 'crust', ['thin']),
    makeLinkOperation('item', 'pizza', ['crust']),
  ]);
  const shown = (of: typeof parts) => copyDishFieldsToChoices(of).options.find(({ item_id }) => item_id === 'pizza');
  expect(shown(sized)).toMatchObject({ name: 'Pizza (Small, Thin)', price: 100, vat_rate: 2000 });
  expect(shown(applyOperations(sized, [makeRemoveOperation('item', 'pizza')]))).toMatchObject({
    name: 'Pizza',
    vat_rate: null,
  });
  expect(copyDishFieldsToChoices(sampleParts())).toEqual(sampleParts());
});

test('a deal names its choices whose dish is deleted or hidden, and says when nobody can order it', () => {
  const rows = [
    { ...emptyQuickEntryRow, item_id: 'soup' },
    { ...emptyQuickEntryRow, item_id: 'pizza' },
  ];
  const { parts, group } = made({ kind: 'deal', rows });
  const lostAfter = (...operations: Parameters<typeof applyOperations>[1]) => {
    const index = indexParts(applyOperations(parts, operations));
    const deal = index.items.get('loose');
    if (!deal) throw new Error('there is no deal');
    const { lost, canBeOrdered } = hiddenChoicesOf(index, deal);
    return [lost.map(({ option, reason }) => `${option.name} ${reason}`), canBeOrdered];
  };
  expect(lostAfter()).toEqual([[], true]);
  expect(lostAfter(makeRemoveOperation('item', 'soup'))).toEqual([['Soup deleted'], true]);
  const hidden = makeChangeOperation('item', 'pizza', { is_active: false });
  expect(lostAfter(makeRemoveOperation('item', 'soup'), hidden)).toEqual([['Soup deleted', 'Pizza hidden'], false]);
  // A part of which nothing must be chosen never stops an order.
  const free = makeChangeOperation('group', group.id, { min_select: 0 });
  expect(lostAfter(makeRemoveOperation('item', 'soup'), hidden, free)).toEqual([
    ['Soup deleted', 'Pizza hidden'],
    true,
  ]);
});

test('a size that is added to sizes takes the answers of its dish, and a topping has none', () => {
  const parts = applyOperations(sampleParts(), [makeChangeOperation('group', 'size', asPrice)]);
  let after = parts;
  const store = { id: 's1' } as MenuEditingState['store'];
  const edit: MenuEditingState['edit'] = (_label, operations) => {
    after = applyOperations(after, operations);
  };
  const editing = { edit, parts, index: indexParts(parts), store };
  const ids = ['size', 'topping'].map((group) =>
    createMenuPart(editing, 'option', group, { name: 'Party', price: 900 }),
  );
  const { options } = indexParts(after);
  expect(ids.map((id) => options.get(id)?.allergens)).toEqual([{ contains: [], may_contain: [] }, null]);
});
