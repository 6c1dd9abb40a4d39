import { m } from '#messages';
import type { Item } from '#menu/menu-shapes.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import type { PriceByOffer } from '#ordering/offers/find-discounts.ts';
import { formatMoney } from '#platform/money.ts';

interface DishPriceProps {
  item: Item;
  currency: string;
  offered: PriceByOffer | undefined;
}

/**
 * Shows a dish's price before the customer chooses options. While an offer runs, this is the offer's price. If
 * `offered.usual` contains the usual price, it follows, struck out.
 */
export function DishPrice({ item, currency, offered }: DishPriceProps) {
  return (
    <>
      {startingPriceWords(offered?.item ?? item, currency)}
      {offered?.usual != null && (
        <s className="ml-2 font-normal text-ink-soft">
          <span className="sr-only">{m.ordering_usual_price()} </span>
          {formatMoney(offered.usual, currency)}
        </s>
      )}
    </>
  );
}
