import { expect, test } from 'vitest';
import { awaitsAllergenConfirmation, allAllergensAbsent } from '#menu/allergen-answers.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { makeChangeOperation, findPart, indexParts } from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { dishAllergens, choicesWithoutStatedAllergens } from '#menu/dish-allergens.ts';
import { allergenWords, dishAllergenWords } from '#menu/allergen-words.ts';
import { planCopy } from '#menu/web/editor/copies.ts';
import { itemWithChoices } from '#menu/web/editor/pricing-edit.tsx';

test('a copy under another name waits with whole answers, and takes over none of those so far', () => {
  const copied = (fields: Record<string, unknown>) => {
    const parts = applyOperations(sampleParts(), [makeChangeOperation('item', 'soup', fields)]);
    const copy = planCopy({ parts, index: indexParts(parts) }, 'item', 'soup', 'mains', (name) => `${name} (copy)`);
    const made = copy && findPart(applyOperations(parts, copy.operations), 'item', copy.id);
    if (!made) throw new Error('A dish can be copied.');
    return made;
  };
  const whole = copied({ allergens: { contains: [], may_contain: [] } });
  expect([whole.allergen_answers, awaitsAllergenConfirmation(whole)]).toEqual([allAllergensAbsent, true]);
  // One answer more would state thirteen that were given for another dish.
  const partly = copied({ allergen_answers: { ...allAllergensAbsent, not_in: allAllergensAbsent.not_in.slice(1) } });
  expect([partly.allergens, partly.allergen_answers]).toEqual([null, null]);
});

test('the editor reads a dish as customers do: with its required choices, and names those that are not answered', () => {
  const stated = { allergens: { contains: ['gluten' as const], may_contain: [] } };
  const none = { allergens: { contains: [], may_contain: [] } };
  const read = (...options: [string, Record<string, unknown>][]) => {
    const operations = options.map(([id, fields]) => makeChangeOperation('option', id, fields));
    const parts = applyOperations(sampleParts(), [makeChangeOperation('item', 'pizza', stated), ...operations]);
    const index = indexParts(parts);
    const item = index.items.get('pizza');
    if (!item) throw new Error('The sample has a pizza.');
    const seen = itemWithChoices(index, item);
    return [dishAllergenWords(dishAllergens(seen)), choicesWithoutStatedAllergens(seen)];
  };
  expect(read()).toEqual([allergenWords(null), ['Small (Size)', 'Large (Size)', 'Olives (Toppings)']]);
  expect(read(['small', none], ['large', none])).toEqual([
    'Contains gluten. Allergens are not stated for every choice. Please ask the shop.',
    ['Olives (Toppings)'],
  ]);
  const milk = { allergens: { contains: ['milk'], may_contain: [] } };
  expect(read(['small', milk], ['large', milk], ['olives', none])).toEqual(['Contains gluten, milk.', []]);
});
