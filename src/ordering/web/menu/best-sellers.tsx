import { memo } from 'react';
import { m } from '#messages';
import type { AllergenCode } from '#database/page-values.ts';
import { avoidedAllergenAnswers } from '#menu/allergen-conflicts.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { ConflictMarks } from '#menu/web/dish-marks.tsx';
import { DishPicture } from '#menu/web/dish-picture.tsx';
import type { PriceByOffer } from '#ordering/offers/find-discounts.ts';
import { DishPrice } from '#ordering/web/menu/dish-price.tsx';
import type { VisibleCategory } from '#ordering/web/menu/menu-filter.ts';
import { useNow } from '#platform/web/clock.ts';
import { useShop } from '#shop/web/shop.ts';

const fewestBestSellers = 3;
const mostBestSellers = 8;

interface BestSellersProps {
  categories: readonly VisibleCategory[];
  avoided: readonly AllergenCode[];
  offered: ReadonlyMap<string, PriceByOffer> | undefined;
}

/** The dishes that sell most, in one row, without those that are sold out or are served only at certain times. */
export const BestSellers = memo(function BestSellers({ categories, avoided, offered }: BestSellersProps) {
  const { store } = useShop();
  const now = useNow();
  const served = categories.flatMap((category) => (category.served === null ? category.items : []));
  const dishes = (store.best_sellers ?? [])
    .flatMap((id) => served.find((item) => item.id === id) ?? [])
    .filter((item) => !isDishSoldOut(item, now))
    .slice(0, mostBestSellers);
  if (dishes.length < fewestBestSellers) return null;
  return (
    <section aria-labelledby="best-sellers" className="pb-8">
      <h2 id="best-sellers" className="text-2xl lg:text-[1.75rem]">
        {m.menu_best_sellers()}
      </h2>
      <ul className="-mx-4 mt-3 flex gap-3 overflow-x-auto px-4 py-1 lg:-mx-1 lg:px-1">
        {dishes.map((item, index) => (
          <li key={item.id} className="w-36 shrink-0">
            <a
              href={`/menu?item=${item.id}`}
              className="grid h-full content-start gap-1 rounded-box border border-line bg-surface p-2 hover:border-accent-text active:bg-sunken"
            >
              <DishPicture
                src={item.image}
                isFirst={index < 3}
                place="list"
                sizes="8rem"
                className="aspect-[4/3] w-full rounded-chip"
              />
              <span className="font-semibold leading-tight">{item.name}</span>
              <ConflictMarks conflicts={avoidedAllergenAnswers(item, avoided)} />
              <span className="num mt-auto text-sm">
                <DishPrice item={item} currency={store.currency} offered={offered?.get(item.id)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
});
