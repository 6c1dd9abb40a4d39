import { m } from '#messages';
import { useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { openSheet } from '#ordering/web/menu/menu-filter.ts';
import { usePath } from '#platform/web/navigation.tsx';

/** Opens the sheet in which visitors pick the allergens that they avoid. */
export function AllergensButton({ look }: { look: string }) {
  const { length: count } = useAvoidedAllergens();
  const path = usePath();
  return (
    <button
      type="button"
      className={`num min-h-11 text-sm ${look}`}
      aria-haspopup="dialog"
      onClick={() => openSheet('allergens', path)}
    >
      {m.menu_allergens_yours()}
      {count > 0 && ` (${count})`}
    </button>
  );
}
