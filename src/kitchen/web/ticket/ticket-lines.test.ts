import { expect, test } from 'vitest';
import { dishesWithAvoidedAllergens } from '#kitchen/web/ticket/ticket-lines.tsx';
import type { Line } from '#ordering/order.ts';

const line = (name: string, allergen_conflicts: Line['allergen_conflicts'], kitchen_name: string | null = null) => ({
  name,
  kitchen_name,
  allergen_conflicts,
});

test('dishes are named by how surely they have what is avoided, each once and as the kitchen calls it', () => {
  const lines = [
    line('Plain naan', [{ code: 'milk', kind: 'not_stated' }]),
    line('Chicken tikka masala', [{ code: 'nuts', kind: 'contains' }], 'CTM'),
    line('Chicken tikka masala', [{ code: 'milk', kind: 'contains' }], 'CTM'),
    line('Rice', []),
    line('Dal', undefined),
  ];
  expect(dishesWithAvoidedAllergens(lines)).toEqual([
    { kind: 'contains', dishes: [{ name: 'CTM', codes: ['nuts', 'milk'] }] },
    { kind: 'not_stated', dishes: [{ name: 'Plain naan', codes: ['milk'] }] },
  ]);
});

test('an order whose dishes have none of it names none', () => {
  expect(dishesWithAvoidedAllergens([line('Rice', [])])).toEqual([]);
});
