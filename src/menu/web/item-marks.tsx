import { m } from '#messages';
import type { Item } from '#menu/menu-shapes.ts';
import { dietWords, spiceWords } from '#menu/web/menu-words.ts';
import { Icon } from '#ui/web/icon.tsx';

/** Diet, heat and minimum age in a few words each. */
export function ItemMarks({
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
