import { Button, Group } from '@mantine/core';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';
import type { PaymentMethod } from '#store/contract.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

interface ButtonsProps {
  orderId: string;
  number: string;
  /** As it is shown. */
  amount: string;
  onDone: () => Promise<unknown>;
}

/** For an order whose money staff have now: in cash or at the card machine. */
export function MarkPaidButtons({ orderId: id, number, amount, onDone }: ButtonsProps) {
  const mark = async (method: PaymentMethod): Promise<void> => {
    const body = m.payment_mark_body({ number, amount });
    if (!(await confirm({ title: m.payment_mark_title(), body, action: m.payment_mark() }))) return;
    await api('POST /v1/orders/{id}/payment/mark-paid', { id, payment_method: method }, { timeout: 20_000 }).catch(
      (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }),
    );
    await onDone();
  };
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => void mark('cash')}>
        {m.payment_mark_cash()}
      </Button>
      <Button variant="default" onClick={() => void mark('card')}>
        {m.payment_mark_card()}
      </Button>
    </Group>
  );
}
