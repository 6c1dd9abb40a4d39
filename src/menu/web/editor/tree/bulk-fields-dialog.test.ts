import { expect, test } from 'vitest';
import { m } from '#messages';
import { allAllergensAbsent } from '#menu/allergen-answers.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { makeChangeOperation, findPart } from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { type BulkFields, planBulkFields } from '#menu/web/editor/tree/bulk-fields-dialog.tsx';

const none: BulkFields = { vat_rate: null, station: '', groupId: '', allergens: {} };

function change(fields: Partial<BulkFields>, before = sampleParts()) {
  const operations = planBulkFields(before.items, { ...none, ...fields });
  const parts = applyOperations(before, operations);
  return { operations, soup: findPart(parts, 'item', 'soup'), pizza: findPart(parts, 'item', 'pizza') };
}

test('VAT, station and toppings change in each dish, and in none that has them already', () => {
  const { operations, soup, pizza } = change({ vat_rate: 0, station: ' Fryer ', groupId: 'topping' });
  expect(soup).toMatchObject({ vat_rate: 0, station: 'Fryer', option_groups: [{ id: 'topping' }] });
  expect(pizza?.option_groups.map(({ id }) => id)).toEqual(['size', 'topping']);
  expect(operations).toHaveLength(5);
  expect(change({}).operations).toEqual([]);
  expect(change({ vat_rate: 2000 }).operations).toEqual([]);
});

test('allergens are only added: an answer never becomes less certain', () => {
  const stated = { contains: ['milk' as const], may_contain: ['eggs' as const] };
  const before = applyOperations(sampleParts(), [makeChangeOperation('item', 'soup', { allergens: stated })]);
  const { soup, pizza } = change({ allergens: { milk: 'may_contain', eggs: 'contains', nuts: 'may_contain' } }, before);
  expect(soup?.allergens).toEqual({ contains: ['eggs', 'milk'], may_contain: ['nuts'] });
  expect(pizza?.allergens).toBeNull();
  expect(pizza?.allergen_answers).toEqual({ contains: ['eggs'], may_contain: ['milk', 'nuts'], not_in: [] });
  // The dialog says so, because customers read nothing of these answers yet.
  expect(m.menu_edit_many_allergens()).toContain('“not stated” until all 14 are answered');
});

test('a dish that awaits confirmation still awaits it', () => {
  const waiting = { allergens: null, allergen_answers: allAllergensAbsent };
  const before = applyOperations(sampleParts(), [makeChangeOperation('item', 'soup', waiting)]);
  const { soup } = change({ allergens: { fish: 'contains' } }, before);
  expect([soup?.allergens, soup?.allergen_answers?.contains]).toEqual([null, ['fish']]);
});
