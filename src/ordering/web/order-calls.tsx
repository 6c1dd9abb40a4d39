import { useMutation, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { mayPay } from '#ordering/payment-status.ts';
import { sessionHeader } from '#ordering/web/order-sessions.ts';
import { orderKey } from '#ordering/web/use-order.ts';
import { formatMoney } from '#platform/money.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';
import { offeredMethods } from '#store/card-provider.ts';
import { failureOf } from '#ui/web/form-errors.ts';
import { Icon } from '#ui/web/icon.tsx';

interface PayButtonsProps {
  order: Order;
  store: Store;
  /** The words of the buttons; without `card` the amount is named. */
  card?: string | undefined;
  cash: string;
}

/** The ways in which the order can be paid now. An open payment page is gone to, and not asked for again. */
export function PayButtons({ order, store, card, cash }: PayButtonsProps) {
  const change = useOrderCall(order.id);
  const methods = offeredMethods(store, order.fulfilment_type, order.total);
  const pay = (method: PaymentMethod) =>
    change.mutate(
      async () =>
        (await api('POST /v1/orders/{id}/pay', { id: order.id, payment_method: method }, callOptions(order.id))).data,
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
      {/* Of a sign-in that has ended the page tells. */}
      {error && !(error instanceof ApiError && error.status === 401) ? failureOf(error).message : null}
    </p>
  );
}

/** A call that answers with the order, which then shows. A payment page that it names is gone to. */
export function useOrderCall(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (call: () => Promise<Order>) => {
      if (!navigator.onLine) throw new ApiError(0, { code: 'not_sent', message: m.ordering_not_sent() });
      return call();
    },
    onSuccess: (order) => {
      queries.setQueryData(orderKey(id), order);
      if (mayPay(order) && order.payment.redirect_url) nativeShell().openPage(order.payment.redirect_url);
    },
    onError: () => queries.invalidateQueries({ queryKey: orderKey(id) }),
  });
}

export function callOptions(id: string) {
  return { headers: sessionHeader(id), timeout: 30_000 };
}
