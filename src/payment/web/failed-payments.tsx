import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { confirm } from '#ui/web/office/confirm.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { isTaken } from '#ordering/order-status.ts';
import type { OrderPayment } from '#payment/contract.ts';
import { refetchMoney } from '#payment/web/order-money.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import type { Store, PaymentMethod } from '#store/contract.ts';

/** Accepted orders whose card payment failed: staff have to ask for the money. */
export function FailedPayments({ store }: { store: Store }) {
  const query = useQuery({
    queryKey: ['payments', store.id, 'failed'],
    queryFn: ({ signal }) =>
      api(
        'GET /v1/payments',
        { store_id: store.id, payment_status: 'failed', per_page: 50 },
        { signal, timeout: 20_000 },
      ),
  });
  const failed = (query.data?.data ?? []).filter(({ status }) => isTaken(status));
  if (failed.length === 0) return null;
  return (
    <Alert color="bad" mb="md" title={m.payment_failed_title({ count: failed.length })}>
      <p>{m.payment_failed_hint()}</p>
      {failed.map((payment) => (
        <Failed key={payment.order_id} payment={payment} currency={store.currency} />
      ))}
    </Alert>
  );
}

function Failed({ payment, currency }: { payment: OrderPayment; currency: string }) {
  const { order_id: id, order_number: number, customer_name: name } = payment;
  const amount = formatMoney(payment.total, currency);
  const mark = async (method: PaymentMethod): Promise<void> => {
    const body = m.payment_mark_body({ number, amount });
    if (!(await confirm({ title: m.payment_mark_title(), body, action: m.payment_mark() }))) return;
    await api('POST /v1/orders/{id}/payment/mark-paid', { id, payment_method: method }, { timeout: 20_000 }).catch(
      (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }),
    );
    await refetchMoney();
  };
  return (
    <Group justify="space-between" mt="xs">
      <span>{m.payment_failed_row({ number, name, amount })}</span>
      <Group gap="xs">
        <Button variant="default" onClick={() => void mark('cash')}>
          {m.payment_mark_cash()}
        </Button>
        <Button variant="default" onClick={() => void mark('card')}>
          {m.payment_mark_card()}
        </Button>
      </Group>
    </Group>
  );
}
