import { m } from '#messages';
import type { BasketProblem } from '#ordering/basket.ts';

type Aged = Iterable<{ min_age?: number | null | undefined }>;

export function findAgeProblem(lines: Aged, isConfirmed: boolean): BasketProblem | null {
  const age = minAgeOf(lines);
  if (age === null || isConfirmed) return null;
  return { code: 'age_unconfirmed', message: m.ordering_age_unconfirmed({ age }), path: 'age_confirmed' };
}

export function minAgeOf(lines: Aged): number | null {
  let most: number | null = null;
  for (const { min_age: age } of lines) if (age != null && age > (most ?? 0)) most = age;
  return most;
}
