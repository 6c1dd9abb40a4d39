import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { m } from '#messages';
import { doneStatuses } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { Erasure } from '#ui/web/office/erasure.tsx';

/** The owner's button that removes a guest from an order that has ended. Those of an account go with the account. */
export function ForgetGuest({ order }: { order: Order }) {
  const { openDetails } = useBoardControls();
  const { role } = useSession();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { id, number, contact, customer, status } = order;
  if (role !== 'admin' || customer !== null || contact.name === '' || !doneStatuses.includes(status)) return null;

  const forget = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.kitchen_forget_title({ number }),
      body: <Erasure goes={m.kitchen_forget_goes()} />,
      action: m.kitchen_forget(),
      isDangerous: true,
    });
    if (!isSure) return;
    setBusy(true);
    try {
      const { data } = await api('POST /v1/orders/{id}/forget', { id });
      openDetails(data);
      void queries.invalidateQueries({ queryKey: ['orders'] });
      notify({ text: m.kitchen_forgotten({ number }) });
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <p>
      <Button variant="outline" color="bad" loading={isBusy} onClick={() => void forget()}>
        {m.kitchen_forget()}
      </Button>
    </p>
  );
}
