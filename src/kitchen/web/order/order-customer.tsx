import classes from '#kitchen/web/order/order-details.module.css';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { TypedText } from '#ui/web/typed-text.tsx';
import { Alert, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardMomentWords } from '#kitchen/web/board-words.ts';
import { shopNow } from '#platform/web/clock.ts';
import { mailKindWords, mailStateWords } from '#mail/mail-words.ts';
import { api } from '#platform/web/api.ts';
import { useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import { doneStatuses } from '#ordering/order-status.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { ErasureWarning } from '#ui/web/office/erasure-warning.tsx';

export function OrderCustomer({ order }: { order: Order }) {
  const { address, contact } = order;
  const lines = address ? [address.line1, address.line2, address.city, address.postcode].filter(Boolean) : [];
  return (
    <section>
      <h3>{m.kitchen_board_contact_title()}</h3>
      <p>{contact.name || m.kitchen_history_forgotten()}</p>
      {contact.phone && (
        <p>
          <a className={classes.link} href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>
            <Icon name="phone" /> {m.kitchen_board_call({ phone: contact.phone })}
          </a>
        </p>
      )}
      {address && (
        <>
          <address className={classes.address}>
            {lines.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
          {address.instructions && (
            <p className={classes.note}>
              {m.kitchen_board_instructions()} <TypedText text={address.instructions} />
            </p>
          )}
          <p>
            <a className={classes.link} href={mapAddress(lines.join(', '))} target="_blank" rel="noreferrer">
              <Icon name="pin" /> {m.kitchen_board_map()}
            </a>
          </p>
        </>
      )}
      <FailedMails order={order} />
      <ForgetGuest order={order} />
    </section>
  );
}

function mapAddress(address: string): string {
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
}

/** Shows staff which mails failed to reach the customer, so that staff can call the customer instead. */
function FailedMails({ order }: { order: Order }) {
  const { store } = useBoardControls();
  const { data = [] } = useQuery({
    queryKey: ['failed mails', order.id, order.version],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/orders/{id}/failed-mails', { id: order.id }, { signal, timeout: 15_000 })).data,
    refetchInterval: 60_000,
  });
  if (data.length === 0) return null;
  return (
    <Alert color="bad" title={m.kitchen_mail_failed()}>
      <ul>
        {data.map(({ kind, state, at }) => (
          <li key={kind + at}>
            {m.kitchen_mail_failed_one({
              kind: mailKindWords[kind](),
              state: mailStateWords[state](),
              time: boardMomentWords(at, shopNow(), store.timezone),
            })}
          </li>
        ))}
      </ul>
      <p>{m.kitchen_mail_failed_next()}</p>
    </Alert>
  );
}

/** The owner's button that erases a guest from an ended order. Signed-in customers are erased with their account. */
function ForgetGuest({ order }: { order: Order }) {
  const { openDetails } = useBoardControls();
  const { role } = useSession();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { id, number, contact, customer, status } = order;
  if (role !== 'admin' || customer !== null || contact.name === '' || !doneStatuses.includes(status)) return null;

  const forget = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.kitchen_forget_title({ number }),
      body: <ErasureWarning goes={m.kitchen_forget_goes()} />,
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
