import { m } from '#messages';
import type { Item } from '#menu/menu-shapes.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import type { OfferedPrice } from '#ordering/offers/find-discounts.ts';
import { formatMoney } from '#platform/money.ts';

interface DishPriceProps {
  item: Item;
  currency: string;
  offered: OfferedPrice | undefined;
}

/**
 * A dish's price before its choices: while an offer runs, the offer's price, beside the usual price if that may be
 * shown struck out.
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
