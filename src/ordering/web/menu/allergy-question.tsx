import { m } from '#messages';
import type { AllergenCode } from '#database/page-values.ts';
import { allergenListWords } from '#menu/allergen-words.ts';
import { ConflictMarks } from '#menu/web/dish-marks.tsx';
import type { ConflictingDish } from '#ordering/web/menu/avoided-allergens.ts';
import { Sheet } from '#ui/web/sheet.tsx';

interface AllergyQuestionProps {
  title: string;
  avoided: readonly AllergenCode[];
  dishes: readonly ConflictingDish[];
  /** A sentence about the effect of "yes", for questions whose title does not name the effect. */
  hint?: string;
  yes: string;
  no: string;
  onYes: () => void;
  onNo: () => void;
}

/**
 * Names the avoided allergens, and the dishes that contain or may contain them. The customer decides, and nothing is
 * refused.
 */
export function AllergyQuestion({ title, avoided, dishes, hint, yes, no, onYes, onNo }: AllergyQuestionProps) {
  return (
    <Sheet labelledBy="allergy-question" onClose={onNo}>
      <div className="grid gap-4 overflow-y-auto p-6">
        <h2 id="allergy-question" className="text-2xl">
          {title}
        </h2>
        <p>{m.ordering_allergy_avoided({ list: allergenListWords(avoided) })}</p>
        <ul className="grid gap-2">
          {dishes.map(({ key, name, conflicts }) => (
            <li key={key} className="grid gap-1 rounded-box bg-warn-soft px-4 py-3">
              <span className="font-semibold">{name}</span>
              <ConflictMarks conflicts={conflicts} />
            </li>
          ))}
        </ul>
        {hint && <p className="text-ink-soft">{hint}</p>}
        <div className="flex flex-wrap gap-3">
          <button type="button" className="btn btn-primary min-h-12" onClick={onNo}>
            {no}
          </button>
          <button type="button" className="btn btn-quiet min-h-12" onClick={onYes}>
            {yes}
          </button>
        </div>
      </div>
    </Sheet>
  );
}
