import { m } from '#messages';
import type { Quote } from '#ordering/basket.ts';
import { BasketLines } from '#ordering/web/basket-lines.tsx';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { type DeliveryState, deliveryState } from '#ordering/web/delivery-state.ts';
import { MinimumWords } from '#ordering/web/minimum-words.tsx';
import { Totals } from '#ordering/web/totals.tsx';
import { formatMoney } from '#platform/money.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link } from '#platform/web/navigation.tsx';
import { fieldId } from '#platform/web/ui/field.tsx';
import type { PaymentMethod } from '#store/contract.ts';
import { takesOrders } from '#store/web/fulfilment.ts';
import { NoOrders } from '#store/web/no-orders.tsx';

interface CheckoutSummaryProps {
  view: BasketView;
  price: Quote;
  method: PaymentMethod;
  isBusy: boolean;
  onAnswer: () => void;
}

/** What is ordered and every part of what it costs, right at the button that orders it. */
export function CheckoutSummary({ view, price, method, isBusy, onAnswer }: CheckoutSummaryProps) {
  const { store } = view;
  const isTaking = takesOrders(store, useNow());
  const total = formatMoney(price.total, store.currency);
  const delivery = deliveryState(view);
  return (
    <section
      aria-labelledby="summary-title"
      className="card flex flex-col self-start lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)]"
    >
      <h2 id="summary-title" className="px-5 pt-5 text-2xl">
        {m.ordering_basket()}
      </h2>
      <div id={fieldId('lines')} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto px-5 outline-none">
        <BasketLines view={view} isInForm onAnswer={onAnswer} />
      </div>
      <div className="grid gap-4 border-t border-line p-5">
        {isTaking && <MinimumWords view={view} problems={price.problems} />}
        <Totals price={price} currency={store.currency} delivery={delivery} />
        {isTaking ? (
          <>
            <button type="submit" className="btn btn-primary num min-h-14 text-lg" aria-disabled={isBusy}>
              {isBusy ? m.ordering_placing() : buttonWords(method, delivery, total)}
            </button>
            <p className="text-center text-sm text-ink-soft">
              {method === 'card' ? m.ordering_pay_card_when() : m.ordering_pay_cash_when()}
            </p>
          </>
        ) : (
          <>
            <NoOrders store={store} />
            <Link href="/menu" className="btn btn-primary">
              {m.platform_see_menu()}
            </Link>
          </>
        )}
      </div>
    </section>
  );
}

/** What the tap does, and for how much as far as that is known. */
function buttonWords(method: PaymentMethod, delivery: DeliveryState, total: string): string {
  if (delivery === 'refused') return m.ordering_check_address();
  if (delivery === 'open') return method === 'card' ? m.ordering_pay_open({ total }) : m.ordering_place_open({ total });
  return method === 'card' ? m.ordering_pay_now({ total }) : m.ordering_place({ total });
}
