import { createElement, type ReactNode, Suspense } from 'react';
import { isCalledOff, isAccepted, isUnderWay, isAwaitingPayment } from '#ordering/order-status.ts';
import { OrderHeadline } from '#ordering/web/order/order-headline.tsx';
import { OrderActions, PayButtons } from '#ordering/web/order/order-actions.tsx';
import { isFullOrder, type AnyOrder, timeWithDayWords } from '#ordering/web/order/use-order.ts';
import type { Store } from '#store/contract.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { m } from '#messages';
import { useSession, wasSignedOutByServer } from '#accounts/web/session.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { Link, usePath } from '#platform/web/navigation.tsx';
import { addressWords } from '#store/address-words.ts';
import { DirectionsLink } from '#store/web/directions-link.tsx';
import { PhoneLink } from '#store/web/shop-parts.tsx';
import { isCardPaymentRefused, mayPayOnline } from '#ordering/payment-status.ts';
import { formatMoney } from '#platform/money.ts';
import { offeredPaymentMethods } from '#store/card-provider.ts';
import {
  wishWords,
  chosenOptionWords,
  paymentWords,
  refundsNotMadeWords,
  removedDishesMoneyWords,
  type TrackerStep,
  trackerSteps,
} from '#ordering/order-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import { allergenListWords } from '#menu/allergen-words.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import type { Order } from '#ordering/order.ts';
import { givenReasonWords } from '#ordering/history-words.ts';
import { PriceTotals } from '#ordering/web/basket/totals.tsx';
import { TypedText } from '#ui/web/typed-text.tsx';

const orderQuestions = lazyPart(
  async () => (await import('#ordering/web/order/order-questions.tsx')).OrderQuestions,
  () => null,
);

interface OrderViewProps {
  order: AnyOrder;
  store: Store;
  /** If the shop cannot be reached, the time at which the shown order was received; null while the order is current. */
  asOf: Date | null;
  notice?: ReactNode;
  /**
   * Whether the shop has responded to this visitor. Until then the page does not say that only the customer sees the
   * whole order, because the visitor may be the customer.
   */
  isAnswered: boolean;
  complaints?: ReactNode;
}

export function OrderView({ order, store, asOf, notice, isAnswered, complaints }: OrderViewProps) {
  return (
    <OrderLayout>
      <div className="grid content-start gap-6">
        <CardRefused order={order} store={store} />
        <OrderHeadline order={order} store={store} asOf={asOf} />
        <p role="status" className="rounded-box bg-warn-soft px-4 py-3 font-medium empty:hidden">
          {notice}
        </p>
        <SignedOutHere isWhole={isFullOrder(order)} />
        <CollectFrom order={order} store={store} />
        <Suspense>{complaints}</Suspense>
        <OrderActions order={order} store={store} />
        {/* Only a delivery needs this phone link. For a collection, `CollectFrom` has one beside the address. */}
        {order.fulfilment_type === 'delivery' && isUnderWay(order.status) && <PhoneLink store={store} />}
        <OrderSteps order={order} store={store} />
      </div>
      <OrderReceipt order={order} store={store} isAnswered={isAnswered} isOld={asOf !== null} />
      {/* The question to the customer comes last. On a phone it is below the receipt. */}
      <div className="grid content-start gap-6 empty:hidden">
        {isAnswered && isFullOrder(order) && <Suspense>{createElement(orderQuestions(), { order, store })}</Suspense>}
      </div>
    </OrderLayout>
  );
}

/** The columns of an order's page, which are one below the other on a phone. */
export function OrderLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-6 px-4 py-6 lg:grid-cols-[1fr_24rem] lg:grid-rows-[auto_1fr] lg:gap-x-10 lg:px-8 lg:py-10">
      {children}
    </div>
  );
}

/**
 * A notice that the visitor was signed out. The order's page shows it, because the customer's details may have
 * disappeared.
 */
function SignedOutHere({ isWhole: mayGoOn }: { isWhole: boolean }) {
  const { user, initialized } = useSession();
  const path = usePath();
  return (
    <p role="status" className="rounded-box bg-warn-soft px-4 py-2 font-medium empty:hidden">
      {initialized && user === null && wasSignedOutByServer() && (
        <>
          {mayGoOn ? m.ordering_order_signed_out() : m.ordering_order_signed_out_guest_view()}{' '}
          <Link
            href="/login"
            className="link inline-flex min-h-11 items-center"
            onClick={() => saveSignInReturnPath(path)}
          >
            {m.accounts_sign_in()}
          </Link>
        </>
      )}
    </p>
  );
}

function CollectFrom({ order, store }: { order: AnyOrder; store: Store }) {
  if (order.fulfilment_type !== 'collection' || !isUnderWay(order.status)) return null;
  return (
    <section aria-labelledby="collect-from" className="card grid gap-3 p-5 tight:p-3 sm:p-6">
      <h2 id="collect-from" className="text-xl">
        {m.ordering_checkout_collect_from()}
      </h2>
      <address className="text-lg not-italic">{addressWords(store.address)}</address>
      <div className="flex flex-wrap gap-3">
        <DirectionsLink store={store} />
        <PhoneLink store={store} />
      </div>
    </section>
  );
}

/** A notice that the order is still being made although its card was refused, with the ways to pay. */
function CardRefused({ order, store }: { order: AnyOrder; store: Store }) {
  if (!isAccepted(order.status) || !isCardPaymentRefused(order)) return null;
  const canPay = mayPayOnline(order) && !order.payment_processing;
  return (
    <section aria-labelledby="refused-title" className="grid gap-4 rounded-pane bg-bad-soft p-5 text-bad-text sm:p-6">
      <div role="alert" className="grid gap-2">
        <h2 id="refused-title" className="text-2xl">
          {m.ordering_refused_title()}
        </h2>
        <p className="num">{m.ordering_refused({ total: formatMoney(order.total, store.currency) })}</p>
        <p className="font-semibold">{nextWords(order, store)}</p>
      </div>
      {canPay && isFullOrder(order) && (
        <PayButtons
          order={order}
          store={store}
          cash={
            order.fulfilment_type === 'delivery'
              ? m.ordering_refused_cash_delivery()
              : m.ordering_refused_cash_collection()
          }
        />
      )}
      <PhoneLink store={store} />
    </section>
  );
}

/** A sentence about the next step after a refused card. Only the customer can pay. */
function nextWords(order: AnyOrder, store: Store): string {
  if (order.payment_processing) return m.ordering_refused_asking();
  if (!mayPayOnline(order)) return m.ordering_refused_at_handover();
  if (!isFullOrder(order)) return m.ordering_refused_guest();
  const methods = offeredPaymentMethods(store, order.fulfilment_type, order.total);
  if (methods.length === 0) return m.ordering_refused_call();
  return methods.includes('cash') ? m.ordering_refused_pay() : m.ordering_refused_pay_now();
}

function OrderSteps({ order, store }: { order: AnyOrder; store: Store }) {
  const now = useNow();
  if (isAwaitingPayment(order.status) || isCalledOff(order.status)) return null;
  return (
    <section aria-label={m.ordering_order_steps()} className="card p-5 sm:p-6">
      <ol className="grid">
        {trackerSteps(order, store, now).map((step) => (
          <Step key={step.status} step={step} now={now} timeZone={store.timezone} />
        ))}
      </ol>
    </section>
  );
}

const marks: Record<TrackerStep['state'], string> = {
  // Forced colours remove backgrounds and show transparent borders, so the done mark has a transparent border.
  done: 'border-2 border-transparent bg-good text-good-ink',
  now: 'border-2 border-accent-edge bg-accent text-accent-ink',
  ahead: 'border-2 border-line-strong',
};

function Step({ step: { name, at, state }, now, timeZone }: { step: TrackerStep; now: Date; timeZone: string }) {
  return (
    <li aria-current={state === 'now' ? 'step' : undefined} className="group flex gap-4">
      <span className="flex flex-col items-center">
        <span className={`grid size-8 shrink-0 place-items-center rounded-full ${marks[state]}`}>
          {state === 'done' && <Icon name="check" />}
          {state === 'now' && <span className="rounded-full border-5 border-current" />}
        </span>
        <span className={`min-h-5 w-0.5 flex-1 group-last:hidden ${state === 'done' ? 'bg-good' : 'bg-line'}`} />
      </span>
      <span className="flex flex-1 flex-wrap justify-between gap-x-4 pt-1 pb-5 group-last:pb-0">
        <span className={state === 'ahead' ? 'text-ink-soft' : 'font-semibold'}>
          {name}
          {state === 'done' && <span className="sr-only">, {m.ordering_step_done()}</span>}
        </span>
        {at && <span className="num text-right text-ink-soft">{timeWithDayWords(at, now, timeZone)}</span>}
      </span>
    </li>
  );
}

interface OrderReceiptProps {
  order: AnyOrder;
  store: Store;
  /**
   * Whether the shop has responded to this visitor. Before that the order comes from the cache or from HTML, which has
   * the guest's view for everybody.
   */
  isAnswered: boolean;
  /** Whether the order is from the cache, because the shop cannot be reached. */
  isOld: boolean;
}

/** The dishes and their prices. Readers of the whole order also see the customer's details. */
function OrderReceipt({ order, store, isAnswered, isOld }: OrderReceiptProps) {
  const age = minAgeOf(order.lines);
  const notMade = refundsNotMadeWords(order, store.currency);
  return (
    <section
      aria-labelledby="receipt-title"
      className="card grid content-start gap-5 self-start p-5 tight:p-3 sm:p-6 lg:col-start-2 lg:row-span-2 lg:row-start-1"
    >
      <h2 id="receipt-title" className="text-2xl">
        {m.ordering_order_lines()}
      </h2>
      <ul className="grid gap-3">
        {order.lines.map((line) => (
          <li key={line.id} className="grid grid-cols-[auto_1fr_auto] tight:grid-cols-1 gap-x-3">
            <span className="num font-semibold whitespace-nowrap">{line.quantity}×</span>
            <span className="min-w-0">
              <span className="font-semibold">{line.name}</span>
              {line.options.length > 0 && (
                <span className="block text-sm text-ink-soft">{chosenOptionWords(line.options)}</span>
              )}
              {'note' in line && line.note && (
                <span className="block text-sm text-ink-soft italic">
                  “<TypedText text={line.note} />”
                </span>
              )}
            </span>
            <span className="num whitespace-nowrap ">{formatMoney(line.total, store.currency)}</span>
          </li>
        ))}
      </ul>
      <Removed order={order} currency={store.currency} />
      {age !== null && isUnderWay(order.status) && (
        <p className="rounded-box bg-warn-soft px-4 py-3 font-semibold">{m.ordering_order_id_ready({ age })}</p>
      )}
      <PriceTotals
        price={order}
        currency={store.currency}
        delivery={order.fulfilment_type === 'delivery' ? 'known' : 'none'}
      />
      <p className="text-ink-soft">{paymentWords(order, store.currency)}</p>
      {notMade !== null && <p className="num rounded-box bg-warn-soft px-4 py-3">{notMade}</p>}
      {isFullOrder(order) ? (
        <Private order={order} />
      ) : (
        (isAnswered || isOld) && (
          <p className="text-sm text-ink-soft">
            {isOld ? m.ordering_order_private_offline() : m.ordering_order_private()}
          </p>
        )
      )}
    </section>
  );
}

function Removed({ order, currency }: { order: AnyOrder; currency: string }) {
  if (order.removed.length === 0) return null;
  const money = removedDishesMoneyWords(order, currency);
  return (
    <section aria-labelledby="removed-title" className="grid gap-1 rounded-box bg-warn-soft px-4 py-3">
      <h3 id="removed-title" className="font-semibold">
        {m.ordering_removed_title()}
      </h3>
      <ul className="grid gap-1">
        {order.removed.map((piece) => (
          <li key={piece.line_id + piece.at} className="grid grid-cols-[auto_1fr_auto] tight:grid-cols-1 gap-x-3">
            <s className="num whitespace-nowrap">{piece.quantity}×</s>
            <span className="min-w-0">
              <s>{piece.name}</s>
              {piece.options.length > 0 && <span className="block text-sm">{chosenOptionWords(piece.options)}</span>}
              {'reason' in piece && <span className="block text-sm">{givenReasonWords(piece.reason)}</span>}
            </span>
            <s className="num whitespace-nowrap">{formatMoney(piece.amount, currency)}</s>
          </li>
        ))}
      </ul>
      {money !== null && <p>{money}</p>}
    </section>
  );
}

function Private({ order }: { order: Order }) {
  const { address, contact } = order;
  const facts: [name: string, value: string][] = [[m.ordering_receipt_for(), [contact.name, contact.phone].join(', ')]];
  if (address) facts.push([m.ordering_order_to(), addressWords(address)]);
  if (order.allergy_note) facts.push([m.ordering_order_allergy(), order.allergy_note]);
  if (order.allergies.length > 0) facts.push([m.ordering_order_avoided(), allergenListWords(order.allergies)]);
  if (order.note) facts.push([m.ordering_order_note(), order.note]);
  const wishes = wishWords(order);
  if (wishes.length > 0) facts.push([m.ordering_order_wishes(), wishes.join('. ')]);
  return (
    <dl className="grid gap-3 border-t border-line pt-4">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="num">
            <TypedText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
