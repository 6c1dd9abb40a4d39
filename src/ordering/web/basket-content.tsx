import { m } from '#messages';
import { BasketLines } from '#ordering/web/basket-lines.tsx';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { deliveryState, FreeDeliveryWords, MinimumWords, Totals } from '#ordering/web/totals.tsx';
import { EmptyBasket } from '#ordering/web/empty-basket.tsx';
import { formatMoney } from '#platform/money.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link } from '#platform/web/navigation.tsx';
import { takesOrders } from '#store/web/fulfilment.ts';
import { NoOrders } from '#store/web/shop-parts.tsx';

/** The content of the basket, beside the menu or in its sheet: lines above, totals and the next step below. */
export function BasketContent({ view, titleId }: { view: BasketView; titleId: string }) {
  const { quote, store } = view;
  const now = useNow();
  return (
    <>
      <div className="flex items-center gap-3 px-5 pt-5 pb-1">
        <h2 id={titleId} className="text-2xl">
          {m.ordering_basket()}
        </h2>
      </div>
      {quote ? (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5">
            <BasketLines view={view} />
          </div>
          <div className="grid gap-4 border-t border-line p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
            <MinimumWords view={view} problems={view.blocking} />
            <FreeDeliveryWords view={view} price={quote} />
            <Totals price={quote} currency={store.currency} delivery={deliveryState(view)} />
            {takesOrders(store, now) ? (
              <Link href="/checkout" className="btn btn-primary num min-h-13 text-lg">
                {m.ordering_to_checkout({ total: formatMoney(quote.total, store.currency) })}
              </Link>
            ) : (
              <NoOrders store={store} />
            )}
          </div>
        </>
      ) : (
        <EmptyBasket />
      )}
    </>
  );
}
