import { useMemo } from 'react';
import type { User } from '#accounts/contract.ts';
import { readSession, useSession } from '#accounts/web/session.ts';
import { type AllergenConflict, allergenConflictsOf } from '#menu/allergen-conflicts.ts';
import { type AllergenCode, allergenCodes } from '#database/page-values.ts';
import type { BasketLineView } from '#ordering/web/basket/basket-view.ts';
import {
  type AppliedFilter,
  readMenuFilter,
  useMenuFilter,
  usePickedAllergens,
} from '#ordering/web/menu/menu-filter.ts';

/**
 * The allergens that the visitor avoids, from their profile and from those picked on the menu. The allergens are not sent before
 * the customer confirms them at the checkout. `person` is the customer who began the form; their profile counts even
 * after their sign-in has ended.
 */
export function useAvoidedAllergens(person: Pick<User, 'allergies'> | null = null): readonly AllergenCode[] {
  const { user } = useSession();
  const picked = usePickedAllergens();
  const allergies = (person ?? user)?.allergies;
  return useMemo(() => avoidedAllergens(picked, allergies), [picked, allergies]);
}

/** The menu's filter, which also hides the dishes with allergens of the visitor's profile. */
export function useAppliedFilter(): AppliedFilter {
  const { text, diets, hidesAllergens } = useMenuFilter();
  const avoided = useAvoidedAllergens();
  return useMemo(
    () => ({ text, diets, without: hidesAllergens ? avoided : [] }),
    [text, diets, hidesAllergens, avoided],
  );
}

/** Reads the avoided allergens outside of components. */
export function readAvoidedAllergens(): readonly AllergenCode[] {
  return avoidedAllergens(readMenuFilter().allergens, readSession().user?.allergies);
}

function avoidedAllergens(picked: readonly string[], allergies: User['allergies'] | undefined): AllergenCode[] {
  return allergenCodes.filter((code) => picked.includes(code) || allergies?.includes(code));
}

export interface ConflictingDish {
  key: string;
  name: string;
  conflicts: AllergenConflict[];
}

export function lineConflicts(
  { now }: Pick<BasketLineView, 'now'>,
  avoided: readonly AllergenCode[],
): AllergenConflict[] {
  if (!now) return [];
  return allergenConflictsOf([now.allergens, ...now.selected.map(({ option }) => option.allergens)], avoided);
}

export function linesWithConflicts(
  lines: readonly Pick<BasketLineView, 'line' | 'now'>[],
  avoided: readonly AllergenCode[],
): ConflictingDish[] {
  return lines
    .map((view) => ({
      key: view.line.key,
      name: view.now?.name ?? view.line.name,
      conflicts: lineConflicts(view, avoided),
    }))
    .filter(({ conflicts }) => conflicts.length > 0);
}
