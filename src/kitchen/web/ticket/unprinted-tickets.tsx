import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Banner } from '#kitchen/web/board/banner.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { Side } from '#kitchen/web/board/board-panels.tsx';
import { copyWords } from '#kitchen/web/board-words.ts';
import { TicketButton } from '#kitchen/web/ticket/ticket-button.tsx';
import classes from '#kitchen/web/ticket/unprinted-tickets.module.css';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import type { Print } from '#ordering/print.ts';
import { api } from '#platform/web/api.ts';
import { troubleWords } from '#printing/printer-rules.ts';
import { notify } from '#ui/web/notify.ts';
import { Icon } from '#ui/web/office/icon.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

interface UnprintedProps {
  unread: readonly Print[];
  orders: ReadonlyMap<string, Order>;
}

/** How many receipts did not come out, and in a sheet each as it would have, until somebody has read it. */
export function UnprintedTickets({ unread, orders }: UnprintedProps) {
  const [isOpen, setOpen] = useState(false);
  const count = m.kitchen_unprinted_count({ count: unread.length });
  return (
    <>
      <Banner
        icon="print"
        tone="bad"
        buttons={
          <Button variant="white" color="dark" onClick={() => setOpen(true)}>
            {m.kitchen_unprinted_open({ count: unread.length })}
          </Button>
        }
      >
        <span data-unprinted={unread.length}>{count}</span>
      </Banner>
      <Side title={count} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className={classes.hint}>{m.kitchen_unprinted_hint({ count: unread.length })}</p>
        <ul className={classes.unprinted}>
          {unread.map((print) => (
            <Unprinted key={print.id} print={print} order={orders.get(print.order_id ?? '')} />
          ))}
        </ul>
      </Side>
    </>
  );
}

function Unprinted({ print, order }: { print: Print; order: Order | undefined }) {
  const { openDetails, print: printAgain } = useBoardControls();
  const { isSending, read } = useReading(print);
  const copy = copyWords[print.copy]();
  const what = order ? `${m.kitchen_board_number({ number: order.number })} ${copy}` : copy;
  return (
    <li className={classes.ticket} data-print={print.id}>
      <div>
        {order ? (
          <button type="button" className={classes.number} onClick={() => openDetails(order)}>
            {what}
          </button>
        ) : (
          <strong>{what}</strong>
        )}
        <p>{storyOf(print)}</p>
      </div>
      <div className={classes.answers}>
        <TicketButton
          look="yes"
          disabled={isSending}
          aria-label={m.kitchen_unprinted_read_of({ what })}
          onClick={() => void read(what)}
        >
          <Icon name="check" /> {m.kitchen_unprinted_read()}
        </TicketButton>
        {order && (
          <TicketButton
            aria-label={m.kitchen_unprinted_again_of({ what })}
            onClick={() => printAgain(order, print.copy)}
          >
            {m.kitchen_board_print_again()}
          </TicketButton>
        )}
      </div>
      <Paper print={print} version={order?.version} />
    </li>
  );
}

/** The state of a print: one that waits comes out by itself once its printer works. */
function storyOf(print: Print): string {
  const { printer, status } = print;
  if (status === 'queued' && printer !== null) return m.kitchen_unprinted_waits({ printer });
  return [printer, troubleWords(print)].filter(Boolean).join(': ');
}

/** "I have read it": the answer stands in the ledger, with the name of who gave it. */
function useReading({ id, store_id: storeId }: Print) {
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const read = async (what: string): Promise<void> => {
    setSending(true);
    try {
      const { data } = await api('POST /v1/prints/{id}/read', { id }, { timeout: 15_000 });
      notify({ id: `read ${id}`, text: m.kitchen_unprinted_done({ what, name: data.read_by ?? '' }) });
      await client.invalidateQueries({ queryKey: ['printing', storeId] });
    } catch (error) {
      notify({ id: `read ${id}`, text: refusalWords(error), tone: 'bad' });
    } finally {
      setSending(false);
    }
  };
  return { isSending, read };
}

/** The content of the paper. Shown as an image, which cannot run anything that the order's notes may contain. */
function Paper({ print, version }: { print: Print; version: number | undefined }) {
  const { data, isError } = useQuery({
    queryKey: ['unprinted', print.id, version],
    queryFn: ({ signal }) => paperOf(print, signal),
    placeholderData: (shown) => shown,
  });
  if (!data) return <p className={classes.paper}>{isError ? m.platform_trouble_title() : m.platform_loading()}</p>;
  return (
    <div className={classes.paper}>
      <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`} alt={data.text} />
    </div>
  );
}

/** The copy as it was drawn for its printer; one that no printer has taken is drawn as it would be now. */
async function paperOf(print: Print, signal: AbortSignal): Promise<{ svg: string; text: string } | null> {
  const options = { signal, timeout: 15_000 };
  const { data: drawn } = await api('GET /v1/prints/{id}', { id: print.id }, options);
  if (drawn.svg !== null) return { svg: drawn.svg, text: drawn.text ?? '' };
  if (print.order_id === null) return null;
  const { data: both } = await api('GET /v1/orders/{id}/receipts', { id: print.order_id }, options);
  return both.find(({ copy }) => copy === print.copy) ?? null;
}
