import type { Item, OptionGroup } from '#menu/menu-shapes.ts';
import { dishAllergens } from '#menu/dish-allergens.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import { allergenWords, dishAllergenWords } from '#menu/allergen-words.ts';
import { DishPicture } from '#menu/web/dish-picture.tsx';
import { groupRuleWords } from '#menu/web/menu-words.ts';
import { DishMarks } from '#menu/web/dish-marks.tsx';
import { optionPriceWords } from '#ordering/web/menu/option-price-words.ts';

/**
 * Shows the linked dish above the menu page in browsers without scripts. Other browsers open the dish's sheet instead.
 */
export function LinkedDish({ item, currency }: { item: Item; currency: string }) {
  return (
    <noscript>
      <section aria-labelledby="linked-dish" className="mx-auto w-full max-w-page px-4 pt-6 lg:px-8">
        <div className="flex flex-wrap gap-4 rounded-box border border-line bg-surface p-4">
          <DishPicture src={item.image} place="list" isFirst sizes="9rem" className="h-27 w-36 rounded-chip" />
          <div className="min-w-0 flex-1 basis-64">
            <h2 id="linked-dish" className="text-2xl">
              {item.name}
            </h2>
            <p className="num font-semibold">{startingPriceWords(item, currency)}</p>
            <p>{item.description}</p>
            <p className="flex flex-wrap gap-x-3 gap-y-1">
              <DishMarks item={item} />
            </p>
            <p className="font-semibold">{dishAllergenWords(dishAllergens(item))}</p>
            {item.option_groups?.map((group) => (
              <GroupList key={group.id} group={group} currency={currency} />
            ))}
          </div>
        </div>
      </section>
    </noscript>
  );
}

function GroupList({ group, currency }: { group: OptionGroup; currency: string }) {
  return (
    <>
      <h3 className="mt-4 text-xl">{group.name}</h3>
      <p className="text-sm font-semibold text-ink-soft">{groupRuleWords(group)}</p>
      <ul className="divide-y divide-line">
        {group.options?.map((option) => (
          <li key={option.id} className="py-2">
            <span className="flex justify-between gap-3">
              {option.name} <span className="num text-ink-soft">{optionPriceWords(option, group, currency)}</span>
            </span>
            <span className="block text-sm text-ink-soft">{allergenWords(option.allergens)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
