import { m } from '#messages';
import { type AllergenConflict, conflictCodes } from '#menu/allergen-conflicts.ts';
import { type AllergenCode, type ConflictKind, conflictKinds } from '#database/page-values.ts';
import { allergenListWords } from '#menu/allergen-words.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Item } from '#menu/menu-shapes.ts';
import { dietWords, spiceWords } from '#menu/web/menu-words.ts';

const words: Record<ConflictKind, (codes: readonly AllergenCode[]) => string> = {
  contains: (codes) => m.menu_contains({ list: allergenListWords(codes) }),
  may_contain: (codes) => m.menu_may_contain({ list: allergenListWords(codes) }),
  not_stated: () => m.menu_conflict_not_stated(),
};

export function ConflictMarks({ conflicts }: { conflicts: readonly AllergenConflict[] }) {
  return conflictKinds.map((kind) => {
    const codes = conflictCodes(conflicts, kind);
    if (codes.length === 0) return null;
    const tone = kind === 'contains' ? 'text-bad-text' : 'text-warn-text';
    return (
      <span key={kind} className={`flex gap-1.5 text-sm font-semibold ${tone}`}>
        <Icon name="warning" className="mt-0.5 size-4 shrink-0" />
        <span>{words[kind](codes)}</span>
      </span>
    );
  });
}

export function DishMarks({
  item,
  isShort = false,
}: {
  item: Pick<Item, 'dietary' | 'spice_level' | 'min_age'>;
  isShort?: boolean;
}) {
  const diets = dietWords(item.dietary);
  const isGreen = item.dietary.includes('vegetarian') || item.dietary.includes('vegan');
  const shown = isShort ? diets.slice(0, 1) : diets;
  return (
    <>
      {shown.map((diet) => (
        <span key={diet} className="inline-flex items-center gap-1 text-[0.8125rem] font-medium text-good-text">
          {isGreen && <Icon name="leaf" className="size-3.5" />}
          {diet}
        </span>
      ))}
      {item.spice_level > 0 && (
        <span className="inline-flex items-center gap-1 text-[0.8125rem] font-medium text-bad-text">
          <Icon name="chilli" className="size-3.5" />
          {spiceWords(item.spice_level)}
        </span>
      )}
      {item.min_age !== null && (
        <span className="text-[0.8125rem] font-medium text-warn-text">{m.menu_min_age({ age: item.min_age })}</span>
      )}
    </>
  );
}
