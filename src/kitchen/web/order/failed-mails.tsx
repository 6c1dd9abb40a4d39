import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { momentWords } from '#kitchen/web/board-words.ts';
import { shopNow } from '#platform/web/clock.ts';
import { mailKindWords, mailStateWords } from '#mail/mail-words.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';

/** That the customer did not get a mail about the order, so that somebody rings them; nothing while all is well. */
export function FailedMails({ order }: { order: Order }) {
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
              time: momentWords(at, shopNow(), store.timezone),
            })}
          </li>
        ))}
      </ul>
      <p>{m.kitchen_mail_failed_next()}</p>
    </Alert>
  );
}
