import type { OfferDishes } from '#offers/web/dish-choice.tsx';
import type { Store } from '#store/contract.ts';
import type { OfferFields } from '#store/offer-shapes.ts';
import type { FormFailure } from '#ui/web/form-errors.ts';

export interface OfferPartProps {
  offer: OfferFields;
  store: Store;
  dishes: OfferDishes;
  errors: FormFailure['errors'];
  set: (change: Partial<OfferFields>) => void;
}

export function numberOrNull(value: string | number): number | null {
  return value === '' ? null : Math.round(Number(value));
}

export function nullIfEmpty<T>(chosen: T[]): T[] | null {
  return chosen.length === 0 ? null : chosen;
}
