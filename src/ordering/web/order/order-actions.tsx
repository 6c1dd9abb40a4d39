import { useState } from 'react';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { isCalledOff, isUnanswered, isUnderWay, isAwaitingPayment } from '#ordering/order-status.ts';
import { cancelPromptMoneyWords } from '#ordering/order-words.ts';
import { ReorderButton } from '#ordering/web/order/reorder-button.tsx';
import { isFullOrder, orderQueryKey, type AnyOrder } from '#ordering/web/order/use-order.ts';
import { restoreBasketFromOrder } from '#ordering/web/checkout/unpaid-order.ts';
import { timeWords } from '#platform/date-words.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { Link, navigate } from '#platform/web/navigation.tsx';
import { Sheet } from '#ui/web/sheet.tsx';
import type { PaymentMethod, Store } from '#store/contract.ts';
import { PhoneLink } from '#store/web/shop-parts.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mayPayOnline } from '#ordering/payment-status.ts';
import { orderSessionHeader } from '#ordering/web/order/stored-order-sessions.ts';
import { formatMoney } from '#platform/money.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { offeredPaymentMethods } from '#store/card-provider.ts';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { Icon } from '#ui/web/icon.tsx';

/**
 * The actions that a customer still has, by the order's status: pay, change the order, cancel it, report their arrival,
 * order again, or complain.
 */
export function OrderActions({ order, store }: { order: AnyOrder; store: Store }) {
  if (isCalledOff(order.status)) return <StartAgain order={order} store={store} />;
  if (!isFullOrder(order)) return null;
  if (isAwaitingPayment(order.status) && order.payment_processing) return <AskingBank order={order} store={store} />;
  if (isAwaitingPayment(order.status)) return <PayAgain order={order} store={store} />;
  if (isUnanswered(order.status) && order.actions.includes('cancel'))
    return <Cancel order={order} words={m.ordering_order_cancel_sure()} money={cancelPromptMoneyWords(order)} />;
  if (isUnderWay(order.status)) return <Arrival order={order} />;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
      <ReorderButton order={order} />
      <Link href={`/complaint?order=${order.number}&id=${order.id}`} className="link inline-flex min-h-11 items-center">
        {m.complaints_order_link()}
      </Link>
      <PhoneLink store={store} />
    </div>
  );
}

/**
 * A button with which a customer reports their arrival, then a confirmation. Renders nothing while no arrival can be
 * reported, as for a delivery.
 */
function Arrival({ order }: { order: Order }) {
  const change = useOrderCall(order.id);
  const hasArrived = Boolean(order.arrived_at);
  if (!hasArrived && !order.actions.includes('arrived')) return null;
  const arrive = () =>
    change.mutate(
      async () => (await api('POST /v1/orders/{id}/arrived', { id: order.id }, orderCallOptions(order.id))).data,
    );
  return (
    <div className="grid justify-items-start gap-3">
      {!hasArrived && (
        <button type="button" className="btn btn-primary" aria-disabled={change.isPending} onClick={arrive}>
          {m.ordering_arrived()}
        </button>
      )}
      <p role="status" className="font-semibold empty:hidden">
        {hasArrived && m.ordering_arrived_done()}
      </p>
      <Failure error={change.error} />
    </div>
  );
}

function PayAgain({ order, store }: { order: Order; store: Store }) {
  const changeIt = () => {
    restoreBasketFromOrder(order, store.currency);
    navigate('/checkout');
  };
  return (
    <section aria-label={m.ordering_pay_title()} className="card grid gap-4 p-5 sm:p-6">
      {order.expires_at && (
        <p className="num">{m.ordering_pay_waiting({ time: timeWords(order.expires_at, store.timezone) })}</p>
      )}
      <PayButtons
        order={order}
        store={store}
        cash={m.ordering_pay_cash()}
        card={order.payment_status === 'failed' ? m.ordering_pay_again() : undefined}
      />
      <div className="flex flex-wrap items-start gap-3 border-t border-line pt-4">
        <button type="button" className="btn btn-quiet" onClick={changeIt}>
          {m.ordering_order_change()}
        </button>
        {order.actions.includes('cancel') && <Cancel order={order} words={m.ordering_order_cancel_unpaid()} />}
      </div>
    </section>
  );
}

/**
 * Shown while the payer's bank has not decided. It offers no second payment, because the shop would have to refund one
 * of the two.
 */
function AskingBank({ order, store }: { order: Order; store: Store }) {
  return (
    <section aria-label={m.ordering_head_processing()} className="card grid gap-4 p-5 sm:p-6">
      <p>{m.ordering_pay_processing()}</p>
      {order.expires_at && (
        <p className="num text-ink-soft">
          {m.ordering_pay_processing_until({ time: timeWords(order.expires_at, store.timezone) })}
        </p>
      )}
      {order.actions.includes('cancel') && <Cancel order={order} words={m.ordering_order_cancel_processing()} />}
    </section>
  );
}

function Cancel({ order, words, money = null }: { order: Order; words: string; money?: string | null }) {
  const [isAsking, setAsking] = useState(false);
  const change = useOrderCall(order.id);
  const cancel = () =>
    change.mutate(
      async () => (await api('POST /v1/orders/{id}/cancel', { id: order.id }, orderCallOptions(order.id))).data,
      {
        onSettled: () => setAsking(false),
      },
    );
  return (
    <div className="grid justify-items-start gap-3">
      <button type="button" className="btn btn-quiet" onClick={() => setAsking(true)}>
        {m.ordering_order_cancel()}
      </button>
      <Failure error={change.error} />
      {isAsking && (
        <Sheet labelledBy="cancel-title" onClose={() => setAsking(false)}>
          <div className="grid gap-5 p-6">
            <h2 id="cancel-title" className="text-2xl">
              {words}
            </h2>
            {money && <p>{money}</p>}
            <div className="flex flex-wrap gap-3">
              <button type="button" className="btn btn-danger" aria-disabled={change.isPending} onClick={cancel}>
                {m.ordering_order_cancel_yes()}
              </button>
              <button type="button" className="btn btn-quiet" onClick={() => setAsking(false)}>
                {m.ordering_order_keep()}
              </button>
            </div>
          </div>
        </Sheet>
      )}
    </div>
  );
}

function StartAgain({ order, store }: { order: AnyOrder; store: Store }) {
  return (
    <div className="flex flex-wrap gap-3">
      {isFullOrder(order) && <ReorderButton order={order} />}
      <Link href="/menu" className="btn btn-quiet">
        {m.menu_see()}
      </Link>
      <PhoneLink store={store} />
    </div>
  );
}

interface PayButtonsProps {
  order: Order;
  store: Store;
  /** The label of the button that pays by card. By default the label names the amount. */
  card?: string | undefined;
  cash: string;
}

/** Buttons for the ways in which the order can be paid now. The card button reuses an open payment page. */
export function PayButtons({ order, store, card, cash }: PayButtonsProps) {
  const change = useOrderCall(order.id);
  const methods = offeredPaymentMethods(store, order.fulfilment_type, order.total);
  const pay = (method: PaymentMethod) =>
    change.mutate(
      async () =>
        (await api('POST /v1/orders/{id}/pay', { id: order.id, payment_method: method }, orderCallOptions(order.id)))
          .data,
    );
  const goOn = () => {
    if (order.payment.redirect_url && order.payment_status !== 'failed')
      nativeShell().openPage(order.payment.redirect_url);
    else pay('card');
  };
  return (
    <>
      <div className="flex flex-wrap gap-3 empty:hidden">
        {methods.includes('card') && (
          <button type="button" className="btn btn-primary" aria-disabled={change.isPending} onClick={goOn}>
            <Icon name="card" />
            {card ?? m.ordering_pay_card({ total: formatMoney(order.total, store.currency) })}
          </button>
        )}
        {methods.includes('cash') && (
          <button type="button" className="btn btn-quiet" aria-disabled={change.isPending} onClick={() => pay('cash')}>
            <Icon name="cash" />
            {cash}
          </button>
        )}
      </div>
      <Failure error={change.error} />
    </>
  );
}

export function Failure({ error }: { error: unknown }) {
  return (
    <p role="alert" className="font-semibold text-bad-text empty:hidden">
      {/* An ended sign-in (401) is not shown here: the page reports it. */}
      {error && !(error instanceof ApiError && error.status === 401) ? formFailureOf(error).message : null}
    </p>
  );
}

/**
 * A mutation for calls that return the order. It shows the returned order, and opens its payment page if there is one.
 */
export function useOrderCall(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (call: () => Promise<Order>) => {
      if (!navigator.onLine) throw new ApiError(0, { code: 'not_sent', message: m.ordering_not_sent() });
      return call();
    },
    onSuccess: (order) => {
      queries.setQueryData(orderQueryKey(id), order);
      if (mayPayOnline(order) && order.payment.redirect_url) nativeShell().openPage(order.payment.redirect_url);
    },
    onError: () => queries.invalidateQueries({ queryKey: orderQueryKey(id) }),
  });
}

export function orderCallOptions(id: string) {
  return { headers: orderSessionHeader(id), timeout: 30_000 };
}
