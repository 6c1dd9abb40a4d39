import { m } from '#messages';
import { type AllergenConflict, codesOf } from '#menu/allergen-conflicts.ts';
import { type AllergenCode, type ConflictKind, conflictKinds } from '#menu/allergen-codes.ts';
import { nameAll } from '#menu/allergen-words.ts';
import { Icon } from '#ui/web/icon.tsx';

const words: Record<ConflictKind, (codes: readonly AllergenCode[]) => string> = {
  contains: (codes) => m.menu_contains({ list: nameAll(codes) }),
  may_contain: (codes) => m.menu_may_contain({ list: nameAll(codes) }),
  not_stated: () => m.menu_conflict_not_stated(),
};

/** The conflicts of a dish or a choice, a sentence for each kind; nothing if there is none. */
export function ConflictMarks({ conflicts }: { conflicts: readonly AllergenConflict[] }) {
  return conflictKinds.map((kind) => {
    const codes = codesOf(conflicts, kind);
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
