import { Button } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import classes from '#payment/web/checks-list.module.css';
import { readOrderMoney, refetchMoney } from '#payment/web/order-money.ts';
import { api } from '#platform/web/api.ts';

/** Asks the provider about an order's payments, and says whether anything was missed. */
export function CheckProvider({ orderId }: { orderId: string }) {
  const [isBusy, setBusy] = useState(false);
  const check = async (): Promise<void> => {
    setBusy(true);
    try {
      const before = await readOrderMoney(orderId);
      // Each payment is asked for in turn, and the provider may be slow.
      await api('POST /v1/orders/{id}/payment/reconcile', { id: orderId }, { timeout: 40_000 });
      const after = await readOrderMoney(orderId);
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      notify({ text: isSame ? m.payment_check_provider_same() : m.payment_check_provider_changed() });
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    } finally {
      setBusy(false);
      await refetchMoney();
    }
  };
  return (
    <div className={classes.check}>
      <Button variant="default" loading={isBusy} onClick={() => void check()}>
        {m.payment_check_provider()}
      </Button>
      <p>{m.payment_check_provider_hint()}</p>
    </div>
  );
}
