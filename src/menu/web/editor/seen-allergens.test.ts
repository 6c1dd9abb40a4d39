import { expect, test } from 'vitest';
import { awaitsConfirmation, noneOfThem } from '#menu/allergen-answers.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { change } from '#menu/operations/menu-operation.ts';
import { findPart, indexParts } from '#menu/operations/menu-part.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { copyOf } from '#menu/web/editor/copies.ts';

test('a copy under another name waits with whole answers, and takes over none of those so far', () => {
  const copied = (fields: Record<string, unknown>) => {
    const parts = applyOperations(sampleParts(), [change('item', 'soup', fields)]);
    const copy = copyOf({ parts, index: indexParts(parts) }, 'item', 'soup', 'mains', (name) => `${name} (copy)`);
    const made = copy && findPart(applyOperations(parts, copy.operations), 'item', copy.id);
    if (!made) throw new Error('A dish can be copied.');
    return made;
  };
  const whole = copied({ allergens: { contains: [], may_contain: [] } });
  expect([whole.allergen_answers, awaitsConfirmation(whole)]).toEqual([noneOfThem, true]);
  // One answer more would state thirteen that were given for another dish.
  const partly = copied({ allergen_answers: { ...noneOfThem, not_in: noneOfThem.not_in.slice(1) } });
  expect([partly.allergens, partly.allergen_answers]).toEqual([null, null]);
});
