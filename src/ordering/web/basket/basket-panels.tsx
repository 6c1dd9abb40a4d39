import { m } from '#messages';
import { ParentHeightFitter } from '#ordering/web/basket/parent-height-fitter.tsx';
import { openSheet } from '#ordering/web/menu/menu-filter.ts';
import { BasketContent } from '#ordering/web/basket/basket-lines.tsx';
import { hasLineQuestion, useDeferredBasketView } from '#ordering/web/basket/basket-view.ts';
import { findNearestAdvice, nearestAdviceWords } from '#ordering/web/basket/totals.tsx';
import { formatMoney } from '#platform/money.ts';
import { Icon } from '#ui/web/icon.tsx';
import { Notices } from '#ui/web/notices.tsx';
import { usePath } from '#platform/web/navigation.tsx';

/** The basket's bar at the bottom of a phone's screen. Its live region announces the basket's count and total. */
export function FilledBasketBar() {
  const view = useDeferredBasketView();
  const { count, quote, store, blocking, lines } = view;
  const path = usePath();
  const total = quote === null ? '' : formatMoney(quote.total, store.currency);
  const isChanged = lines.some(hasLineQuestion);
  const toMinimum = blocking.find(({ code }) => code === 'below_minimum');
  const nearest = findNearestAdvice(view);
  const advice = toMinimum?.message ?? (nearest && nearestAdviceWords(nearest, store.currency));
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && `${m.ordering_basket_items({ count })}, ${total}`}
        {isChanged && `. ${m.ordering_basket_changed()}`}
      </p>
      {count > 0 && (
        <div className="fixed inset-x-0 bottom-0 z-30 mb-(--banner) bg-gradient-to-t from-paper from-60% to-transparent px-4 pt-6 pb-[max(1rem,env(safe-area-inset-bottom))] lg:hidden">
          <button
            type="button"
            className="btn btn-primary num min-h-14 w-full flex-wrap justify-between px-5 text-lg shadow-float tight:gap-y-0 tight:px-4 tight:text-base"
            onClick={() => openSheet('basket', path)}
          >
            <span className="flex items-center gap-2.5">
              <Icon name="basket" />
              <span className="sr-only">{m.ordering_basket_items({ count })}</span>
              <span aria-hidden="true">{count}</span>
            </span>
            <span className="grid min-w-24 flex-1 leading-tight tight:order-last tight:w-full tight:flex-none">
              <span className="tight:sr-only">{m.ordering_view_basket()}</span>
              {(isChanged || advice) && (
                <span className="text-sm font-medium">{isChanged ? m.ordering_basket_changed() : advice}</span>
              )}
            </span>
            <span>{total}</span>
          </button>
        </div>
      )}
    </>
  );
}

export function BasketAside() {
  return (
    <>
      <ParentHeightFitter />
      <BasketContent view={useDeferredBasketView()} titleId="basket-aside-title" />
      <Notices look="px-4 pb-4" />
    </>
  );
}
