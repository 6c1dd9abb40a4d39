import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import type { BasketQuote } from '#ordering/basket.ts';
import { BasketLines, LazyOfferCodeRow } from '#ordering/web/basket/basket-lines.tsx';
import type { BasketView } from '#ordering/web/basket/basket-view.ts';
import {
  deliveryZoneState,
  type ZoneLookupState,
  LostFreeDeliveryNotice,
  BasketAdvice,
  missingToMinimum,
  PriceTotals,
} from '#ordering/web/basket/totals.tsx';
import { requestedTimeWords, chosenTimeWords } from '#ordering/web/checkout/checkout-when.tsx';
import { ParentHeightFitter } from '#ordering/web/basket/parent-height-fitter.tsx';
import { cardProviderOf } from '#platform/card-providers.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link } from '#platform/web/navigation.tsx';
import { fieldId } from '#ui/web/field.tsx';
import { Notices } from '#ui/web/notices.tsx';
import type { PaymentMethod, Store } from '#store/contract.ts';
import type { EarliestSlot } from '#store/slot-rules.ts';
import { canHoldUntilAnswer } from '#store/card-provider.ts';
import { canPlaceOrder } from '#store/web/fulfilment.ts';
import { NoOrdersNotice } from '#store/web/shop-parts.tsx';
import { formatMoney } from '#platform/money.ts';

interface CheckoutSummaryProps {
  view: BasketView;
  /** The person for whom the form was opened; null: a guest. */
  user: User | null;
  price: BasketQuote;
  method: PaymentMethod;
  /** null: as soon as possible. */
  requestedFor: string | null;
  /** Whether a time must be chosen first, because the wanted "as soon as possible" is no longer offered. */
  isTimeAsked: boolean;
  earliest: EarliestSlot | null;
  asked: readonly string[];
  hasNoTime: boolean;
  isBusy: boolean;
  isRetrying: boolean;
  onAnswer: () => void;
}

const maxNamed = 2;

export function CheckoutSummary(props: CheckoutSummaryProps) {
  const {
    view,
    user,
    price,
    method,
    requestedFor,
    isTimeAsked,
    earliest,
    asked,
    hasNoTime,
    isBusy,
    isRetrying,
    onAnswer,
  } = props;
  const { store } = view;
  const now = useNow();
  const isTaking = canPlaceOrder(store, now);
  const delivery = deliveryZoneState(view);
  const words = hasNoTime
    ? m.ordering_when_none()
    : isTimeAsked
      ? m.ordering_when_later()
      : orderButtonWords({ method, delivery, total: price.total, requestedFor }, store, now);
  return (
    <section
      aria-labelledby="summary-title"
      className="card flex flex-col self-start lg:sticky lg:top-4 lg:max-h-[var(--room,calc(100dvh-2rem))]"
    >
      <ParentHeightFitter />
      <h2 id="summary-title" className="px-5 pt-5 text-2xl">
        {m.ordering_basket()}
      </h2>
      <div id={fieldId('lines')} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto px-5 tight:px-3 outline-none">
        <BasketLines view={view} isInForm person={user} onAnswer={onAnswer} />
      </div>
      <Notices look="px-4 py-2" />
      <div className="grid gap-4 border-t border-line p-5">
        {isTaking && <BasketAdvice view={view} problems={price.problems} />}
        <LostFreeDeliveryNotice view={view} price={price} />
        <LazyOfferCodeRow view={view} price={price} />
        <PriceTotals price={price} currency={store.currency} delivery={delivery} offerWords={view.offerWords} />
        {isTaking ? (
          <>
            <div className="pay-bar" ref={raiseAboveKeyboard}>
              <p className="num pb-2 text-center text-sm font-semibold empty:hidden lg:hidden">
                {missingMinimumWords(view) ??
                  chosenTimeWords({ store, earliest, value: requestedFor, isAsked: isTimeAsked }, now)}
              </p>
              <button
                type="submit"
                className="btn btn-primary num min-h-14 w-full flex-col gap-0.5 text-lg text-balance"
                aria-disabled={isBusy || hasNoTime}
              >
                {isRetrying ? m.ordering_placing_again() : isBusy ? m.ordering_placing() : words}
                {!isBusy && asked.length > 0 && (
                  <span className="text-sm font-medium">{m.ordering_place_first({ dishes: namesOf(asked) })}</span>
                )}
              </button>
            </div>
            <p role="status" className="rounded-box bg-warn-soft px-4 py-3 font-semibold empty:hidden">
              {isRetrying && m.ordering_placing_again_words()}
            </p>
            <p className="text-center text-sm text-ink-soft empty:hidden">
              {(price.total > 0 || delivery === 'open') &&
                (method === 'card' ? cardWhen(store, now) : m.ordering_pay_cash_when())}
            </p>
          </>
        ) : (
          <>
            <NoOrdersNotice store={store} />
            <Link href="/menu" className="btn btn-primary">
              {m.menu_see()}
            </Link>
          </>
        )}
      </div>
    </section>
  );
}

function missingMinimumWords(view: BasketView): string | null {
  const missing = missingToMinimum(view);
  return missing > 0 ? m.ordering_to_minimum({ amount: formatMoney(missing, view.store.currency) }) : null;
}

/** Keeps the bar above a phone's keyboard, which covers part of the page without making the page smaller. */
function raiseAboveKeyboard(bar: HTMLElement | null): (() => void) | undefined {
  const visible = window.visualViewport;
  if (!bar || !visible) return undefined;
  const place = () => {
    // The scale is checked, because zooming in also makes the visual viewport smaller.
    const covered = visible.scale === 1 ? window.innerHeight - visible.height - visible.offsetTop : 0;
    bar.style.setProperty('--keyboard', `${Math.max(0, covered)}px`);
  };
  visible.addEventListener('resize', place);
  visible.addEventListener('scroll', place);
  return () => {
    visible.removeEventListener('resize', place);
    visible.removeEventListener('scroll', place);
  };
}

function namesOf(dishes: readonly string[]): string {
  return dishes.slice(0, maxNamed).join(', ') + (dishes.length > maxNamed ? ' …' : '');
}

/**
 * A sentence that says when the card is charged. It names payments from a bank account only if the provider's page
 * offers them.
 */
function cardWhen(store: Store, now: Date): string {
  if (!canHoldUntilAnswer(store, now)) return m.ordering_pay_card_now();
  if (!store.card_provider || !cardProviderOf(store.card_provider).takesBanks) return m.ordering_pay_card_when();
  return `${m.ordering_pay_card_when()} ${m.ordering_pay_bank_when()}`;
}

interface Tap {
  method: PaymentMethod;
  delivery: ZoneLookupState;
  /** The order's total in minor units. */
  total: number;
  /** null: as soon as possible. */
  requestedFor: string | null;
}

/**
 * The label of the order button, with the amount as far as it is known, and with the time if one was chosen. For a
 * refused address it asks to check the address.
 */
export function orderButtonWords({ method, delivery, total, requestedFor }: Tap, store: Store, now: Date): string {
  if (delivery === 'refused') return m.ordering_check_address();
  const amount = { total: formatMoney(total, store.currency) };
  const isOpen = delivery === 'open';
  const action =
    method === 'card' && (isOpen || total > 0)
      ? isOpen
        ? m.ordering_pay_open(amount)
        : m.ordering_pay_now(amount)
      : isOpen
        ? m.ordering_place_open(amount)
        : m.ordering_place(amount);
  if (requestedFor === null) return action;
  return m.ordering_action_for({ action, time: requestedTimeWords(requestedFor, store, now) });
}
