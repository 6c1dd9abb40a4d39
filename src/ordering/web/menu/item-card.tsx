import { memo } from 'react';
import { m } from '#messages';
import { dishConflicts } from '#menu/allergen-conflicts.ts';
import type { AllergenCode } from '#menu/allergen-codes.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import { ConflictMarks, ItemMarks } from '#menu/web/dish-marks.tsx';
import { DishPicture } from '#menu/web/dish-picture.tsx';
import { countOf, useSettledPart } from '#ordering/web/basket-store.ts';

interface ItemCardProps {
  item: Item;
  currency: string;
  isSoldOut: boolean;
  isFirst: boolean;
  /** The allergens that the visitor avoids. */
  avoided: readonly AllergenCode[];
}

/** One dish of the menu. The whole face is one link, so that it opens in a new tab and without JavaScript too. */
export const ItemCard = memo(function ItemCard({ item, currency, isSoldOut, isFirst, avoided }: ItemCardProps) {
  return (
    <a
      href={`/menu?item=${item.id}`}
      className="dish flex h-full gap-4 rounded-box border border-line bg-surface p-3 hover:border-accent-text active:border-accent-text active:bg-sunken"
    >
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="display text-[1.0625rem]">{item.name}</span>
        <span className="line-clamp-2 text-sm text-ink-soft">{item.description}</span>
        <ConflictMarks conflicts={dishConflicts(item, avoided)} />
        <span className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-1">
          <span className="num font-semibold">{startingPriceWords(item, currency)}</span>
          <ItemMarks item={item} isShort />
        </span>
      </span>
      <span className="relative shrink-0 self-start">
        <DishPicture
          src={item.image}
          isFirst={isFirst}
          place="list"
          sizes="(min-width: 40rem) 9rem, 7rem"
          className={`h-21 w-28 rounded-chip sm:h-27 sm:w-36 ${isSoldOut ? 'opacity-60 grayscale' : ''}`}
        />
        {isSoldOut && (
          <span className="chip absolute inset-x-1.5 bottom-1.5 justify-center bg-ink text-paper">
            {m.menu_sold_out()}
          </span>
        )}
        <InBasket itemId={item.id} />
      </span>
    </a>
  );
});

/** How many of a dish are in the basket. On its own, so that adding one renders one mark and not the menu. */
function InBasket({ itemId }: { itemId: string }) {
  const count = useSettledPart((held) => countOf(held, itemId));
  if (count === 0) return null;
  return (
    <span className="num absolute -top-2 -right-2 grid h-7 min-w-7 place-items-center rounded-full border border-accent-edge bg-accent px-1.5 text-sm font-bold text-accent-ink">
      <span className="sr-only">{m.menu_in_basket()} </span>
      {count}
    </span>
  );
}
