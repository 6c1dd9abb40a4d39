import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { isTaken } from '#ordering/order-status.ts';
import { MarkPaidButtons } from '#payment/web/mark-paid-buttons.tsx';
import { refetchMoney } from '#payment/web/order-money.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

const timeout = 20_000;

interface Owing {
  id: string;
  number: string;
  name: string;
  total: number;
}

/** Accepted orders whose card payment failed: staff have to ask for the money. */
export function FailedPayments({ store }: { store: Store }) {
  const { data } = useQuery({
    queryKey: ['payments', store.id, 'failed'],
    queryFn: ({ signal }) =>
      api('GET /v1/payments', { store_id: store.id, payment_status: 'failed', per_page: 50 }, { signal, timeout }),
  });
  const failed = (data?.data ?? []).filter(({ status }) => isTaken(status));
  return (
    <OwedMoney
      title={m.payment_failed_title({ count: failed.length })}
      hint={m.payment_failed_hint()}
      store={store}
      orders={failed.map(({ order_id: id, order_number: number, customer_name: name, total }) => ({
        id,
        number,
        name,
        total,
      }))}
    />
  );
}

/** Orders that were handed over, and that staff said were not paid. */
export function HandedOverUnpaid({ store }: { store: Store }) {
  const { data } = useQuery({
    queryKey: ['payments', store.id, 'not paid'],
    queryFn: ({ signal }) =>
      api('GET /v1/orders', { store_id: store.id, not_paid: '1', per_page: 50 }, { signal, timeout }),
  });
  const orders = data?.data ?? [];
  return (
    <OwedMoney
      title={m.payment_not_paid_title({ count: data?.meta.total ?? 0 })}
      hint={m.payment_not_paid_hint()}
      store={store}
      orders={orders.map(({ id, number, contact, total }) => ({ id, number, name: contact.name, total }))}
    />
  );
}

function OwedMoney({
  title,
  hint,
  orders,
  store,
}: {
  title: string;
  hint: string;
  orders: readonly Owing[];
  store: Store;
}) {
  if (orders.length === 0) return null;
  return (
    <Alert color="bad" mb="md" title={title}>
      <p>{hint}</p>
      {orders.map(({ id, number, name, total }) => {
        const amount = formatMoney(total, store.currency);
        return (
          <Group key={id} justify="space-between" mt="xs">
            <span>{m.payment_failed_row({ number, name, amount })}</span>
            <MarkPaidButtons orderId={id} number={number} amount={amount} onDone={refetchMoney} />
          </Group>
        );
      })}
    </Alert>
  );
}
