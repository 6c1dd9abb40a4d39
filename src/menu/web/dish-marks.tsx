import { m } from '#messages';
import { type AllergenAnswer, conflictCodes } from '#menu/allergen-conflicts.ts';
import { conflictKinds } from '#database/page-values.ts';
import { allergenListWords } from '#menu/allergen-words.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Item } from '#menu/menu-shapes.ts';
import { dietWords, spiceWords } from '#menu/web/menu-words.ts';

type AnswerKind = AllergenAnswer['kind'];

const answerKinds: readonly AnswerKind[] = [...conflictKinds, 'by_choice', 'free'];
const words: Record<AnswerKind, (list: { list: string }) => string> = {
  contains: m.menu_contains,
  may_contain: m.menu_may_contain,
  not_stated: m.menu_conflict_not_stated,
  by_choice: m.menu_by_choice,
  free: m.menu_not_in_it,
};

/** Renders a dish's answers about the allergens that a customer avoids, with one sentence for each kind of answer. */
export function ConflictMarks({ conflicts }: { conflicts: readonly AllergenAnswer[] }) {
  return answerKinds.map((kind) => {
    const codes = conflictCodes(conflicts, kind);
    if (codes.length === 0) return null;
    const tone = kind === 'contains' ? 'text-bad-text' : kind === 'free' ? 'text-good-text' : 'text-warn-text';
    return (
      <span key={kind} className={`flex gap-1.5 text-sm font-semibold ${tone}`}>
        <Icon name={kind === 'free' ? 'check' : 'warning'} className="mt-0.5 size-4 shrink-0" />
        <span>{words[kind]({ list: allergenListWords(codes) })}</span>
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
