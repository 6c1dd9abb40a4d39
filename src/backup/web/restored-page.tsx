import { Alert, Button, Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenOrder, Restored } from '#backup/contract.ts';
import { shopTimeWords, PaymentsSinceBackup } from '#backup/web/payments-since-copy.tsx';
import { lastRestoreQuery } from '#backup/web/restored-query.ts';
import classes from '#backup/web/restored-page.module.css';
import { m } from '#messages';
import { intlLocale } from '#platform/language.ts';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { orderStatusNames } from '#ordering/history-words.ts';
import type { Store } from '#store/contract.ts';
import { refetchStores } from '#store/web/stores.ts';
import { notify } from '#ui/web/notify.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';

/** The page of a restored shop, on which its owner ends the hold. */
export function RestoredPage({ store }: { store: Store }) {
  const query = useQuery(lastRestoreQuery);
  if (query.isError && !query.data)
    return <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingState />;
  const restored = query.data.data;
  return (
    <OfficePage title={m.backup_restored_title()}>
      {restored === null ? (
        <EmptyState title={m.backup_restored_none()} />
      ) : (
        <div className={classes.parts}>
          <p>
            {m.backup_restored_from({
              made: shopTimeWords(restored.copy_made_at, store),
              restored: shopTimeWords(restored.restored_at, store),
            })}
          </p>
          {restored.continued_at !== null && (
            <p>{m.backup_restored_went_on({ time: shopTimeWords(restored.continued_at, store) })}</p>
          )}
          {restored.continued_at === null && <OpenOrders restored={restored} store={store} />}
          <PaymentsSinceBackup since={restored.since_copy} store={store} />
          {restored.continued_at === null && <ContinueSection waiting={restored.waiting} />}
        </div>
      )}
    </OfficePage>
  );
}

function OpenOrders({ restored, store }: { restored: Restored; store: Store }) {
  const { open_orders: orders, copy_made_at: madeAt } = restored;
  return (
    <>
      <Alert color="bad" title={m.backup_restored_old()}>
        {m.backup_restored_lost({ time: shopTimeWords(madeAt, store) })}
      </Alert>
      <section className={classes.orders}>
        <h2>
          {orders.length > 0 ? m.backup_restored_orders({ count: orders.length }) : m.backup_restored_orders_none()}
        </h2>
        {orders.length > 0 && <p>{m.backup_restored_orders_hint()}</p>}
        {orders.length > 0 && (
          <ul>
            {orders.map((order) => (
              <OrderRow key={order.id} order={order} store={store} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function OrderRow({ order, store }: { order: OpenOrder; store: Store }) {
  const { number, name, total, placed_at: placedAt } = order;
  const time = placedAt === null ? '' : shopTimeWords(placedAt, store);
  return (
    <li>
      <strong>{m.backup_restored_order({ number, name })}</strong>
      <span>{orderStatusNames[order.status]()}</span>
      <span>{m.backup_restored_order_total({ total: formatMoney(total, store.currency), time })}</span>
    </li>
  );
}

function ContinueSection({ waiting }: Pick<Restored, 'waiting'>) {
  const client = useQueryClient();
  const [sends, setSends] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const count = waiting.mails + waiting.prints + waiting.alerts;
  const goOn = async () => {
    setBusy(true);
    try {
      client.setQueryData(
        lastRestoreQuery.queryKey,
        await api('POST /v1/restored/continue', { waiting: sends ? 'send' : 'drop' }),
      );
      await refetchStores();
      notify({ id: 'restored', text: m.backup_restored_gone() });
    } catch (error) {
      notify({ id: 'restored', text: refusalWords(error), tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={classes.orders}>
      <h2>{m.backup_restored_waiting_title()}</h2>
      <p>{count > 0 ? m.backup_restored_waiting({ list: listWords(waiting) }) : m.backup_restored_waiting_none()}</p>
      {count > 0 && (
        <Checkbox
          label={m.backup_restored_send()}
          description={m.backup_restored_dropped()}
          checked={sends}
          onChange={(event) => setSends(event.currentTarget.checked)}
        />
      )}
      <Button size="lg" loading={isBusy} onClick={() => void goOn()}>
        {m.backup_restored_go()}
      </Button>
    </section>
  );
}

function listWords({ mails, prints, alerts }: Restored['waiting']): string {
  const words = [
    mails > 0 ? m.backup_restored_mails({ count: mails }) : '',
    prints > 0 ? m.backup_restored_prints({ count: prints }) : '',
    alerts > 0 ? m.backup_restored_alerts({ count: alerts }) : '',
  ];
  return new Intl.ListFormat(intlLocale(), { type: 'conjunction' }).format(words.filter(Boolean));
}
