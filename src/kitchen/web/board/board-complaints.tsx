import { Alert, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createElement, Suspense, useEffect, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import type { OrderComplaint } from '#complaints/contract.ts';
import { AnswerForm } from '#complaints/web/answer-form.tsx';
import type { ComplaintWish } from '#database/column-values.ts';
import { fetchOrder } from '#kitchen/web/action-queue.ts';
import { Banner } from '#kitchen/web/board/banner-strip.tsx';
import { BoardSheet, DialogLoadFailure } from '#kitchen/web/board/board-panels.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardMomentWords } from '#kitchen/web/board-words.ts';
import { hasMoreToSay, refundWords } from '#kitchen/web/order/order-money.tsx';
import { refundStateWords } from '#payment/refund-status-words.ts';
import classes from '#kitchen/web/board/board-complaints.module.css';
import panels from '#kitchen/web/board/panels.module.css';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { m } from '#messages';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import type { Order } from '#ordering/order.ts';
import { RefundOffer } from '#payment/web/refund-offer.tsx';
import { formatMoney } from '#platform/money.ts';
import { api } from '#platform/web/api.ts';
import { useShopTime } from '#platform/web/clock.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';
import { useChannel, usePollingInterval } from '#realtime/web/use-channel.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { notify } from '#ui/web/notify.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

const refundDialog = lazyPart(
  async () => (await import('#payment/web/refund-dialog.tsx')).RefundDialog,
  DialogLoadFailure,
);

/** The interval of refetches (ms), for missed events. */
const askEvery = 60_000;

/** The open complaints about the store's orders: their number, and a sheet in which staff answer them. */
export function BoardComplaints({ onComplaints }: { onComplaints: (complaints: OrderComplaint[]) => void }) {
  const { store } = useBoardControls();
  const { complaints, refetch } = useOpenComplaints(store.id);
  const [isOpen, setOpen] = useState(false);
  // The dialog outlives its complaint, which somebody else may answer meanwhile.
  const [refunding, setRefunding] = useState<OrderComplaint | null>(null);
  useEffect(() => onComplaints(complaints), [complaints, onComplaints]);
  const count = complaints.length;
  if (count === 0 && !isOpen && !refunding) return null;
  const title = m.kitchen_complaints_open({ count });
  return (
    <>
      {count > 0 && (
        <Banner
          icon="warning"
          tone="bad"
          isAsking
          buttons={
            <Button variant="white" color="dark" onClick={() => setOpen(true)}>
              {m.kitchen_complaints_show()}
            </Button>
          }
        >
          {title}
        </Banner>
      )}
      <BoardSheet title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ul className={classes.list}>
          {complaints.map((complaint) => (
            <Complaint
              key={complaint.id}
              complaint={complaint}
              onChange={refetch}
              onRefund={setRefunding}
              onLeave={() => setOpen(false)}
            />
          ))}
        </ul>
      </BoardSheet>
      {refunding && (
        <Suspense>
          {createElement(refundDialog(), {
            orderId: refunding.order_id,
            store,
            begin: { lines: refunding.lines, reason: m.kitchen_complaints_reason(refunding) },
            onClose: () => setRefunding(null),
          })}
        </Suspense>
      )}
    </>
  );
}

const none: OrderComplaint[] = [];

function useOpenComplaints(storeId: string): { complaints: OrderComplaint[]; refetch: () => void } {
  const client = useQueryClient();
  const key = ['board complaints', storeId];
  const { data = none } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/complaints', { id: storeId }, { signal, timeout: 15_000 })).data,
    refetchInterval: usePollingInterval() || askEvery,
    refetchIntervalInBackground: true,
  });
  const refetch = () => void cancelAndRefetch(client, key);
  useChannel<{ 'complaint.updated': unknown; 'order.updated': { order: Pick<Order, 'id'> } }>(
    storeOrdersChannelName(storeId),
    {
      'complaint.updated': refetch,
      // Another device may have refunded it.
      'order.updated': ({ order }) => void client.invalidateQueries({ queryKey: ['order-money', order.id] }),
    },
    {
      onCaughtUp: () => {
        refetch();
        void client.invalidateQueries({ queryKey: ['order-money'] });
      },
    },
  );
  return { complaints: data, refetch };
}

const wishWords: Record<ComplaintWish, () => string> = {
  money_back: m.kitchen_complaints_money_back,
  make_again: m.kitchen_complaints_make_again,
  only_tell: m.kitchen_complaints_only_tell,
};

interface ComplaintProps {
  complaint: OrderComplaint;
  onChange: () => void;
  onRefund: (complaint: OrderComplaint) => void;
  onLeave: () => void;
}

function Complaint({ complaint, onChange, onRefund, onLeave }: ComplaintProps) {
  const { store, openDetails } = useBoardControls();
  const { role } = useSession();
  const now = useShopTime(60);
  const { order_id: orderId, order_number: number, is_allergy: isAllergy, name, phone, lines, wish } = complaint;
  const open = () =>
    fetchOrder(orderId).then(
      (order) => {
        if (!order) return;
        onLeave();
        openDetails(order);
      },
      (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }),
    );
  return (
    <li className={classes.complaint} data-complaint={complaint.id}>
      <div className={classes.head}>
        <button type="button" className={classes.order} onClick={() => void open()}>
          {m.kitchen_board_ticket({ number: number ?? '' })}
        </button>
        <span className={panels.soft}>{boardMomentWords(complaint.created_at, now, store.timezone)}</span>
      </div>
      {isAllergy && (
        <Alert color="bad" icon={<Icon name="warning" />}>
          <strong>{m.kitchen_complaints_allergy()}</strong>
        </Alert>
      )}
      <p className={classes.sender}>
        <strong>{name}</strong>
        {phone && (
          <a className={classes.phone} href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
            <Icon name="phone" /> {m.kitchen_board_call({ phone })}
          </a>
        )}
      </p>
      {lines.length > 0 && (
        <p className={classes.lines}>
          {lines.map((line) => m.kitchen_take_off_of({ quantity: line.quantity, name: line.name })).join(', ')}
        </p>
      )}
      <p className={classes.message}>
        <TypedText text={complaint.message} />
      </p>
      {wish && <p className={classes.lines}>{wishWords[wish]()}</p>}
      <RefundOffer
        orderId={orderId}
        since={complaint.created_at}
        refundWords={(refund) =>
          m.kitchen_complaints_refunded({
            refund: [
              refundWords[refund.status]({ amount: formatMoney(refund.amount, refund.currency) }),
              ...(hasMoreToSay(refund) ? [refundStateWords(refund)] : []),
            ].join(': '),
            time: boardMomentWords(refund.settled_at ?? refund.created_at, now, store.timezone),
          })
        }
        labels={{ first: m.kitchen_complaints_refund(), more: m.kitchen_complaints_refund_more() }}
        onRefund={role === 'admin' ? () => onRefund(complaint) : null}
      />
      <Answer complaint={complaint} onChange={onChange} />
    </li>
  );
}

function Answer({ complaint, onChange }: Pick<ComplaintProps, 'complaint' | 'onChange'>) {
  const { id, reference, email } = complaint;
  const send = async (answer: string) => {
    try {
      await api('POST /v1/complaints/{id}/answer', { id, answer }, { timeout: 20_000 });
      notify({ text: m.kitchen_complaints_answered({ reference }) });
      return true;
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
      return false;
    } finally {
      onChange();
    }
  };
  return (
    <AnswerForm
      id={id}
      label={m.kitchen_complaints_answer()}
      hint={pickByMailServer(m.kitchen_complaints_answer_mail, m.kitchen_complaints_answer_unsent)({ email })}
      action={m.kitchen_complaints_send()}
      minRows={3}
      className={classes.answer}
      buttonsClassName={panels.buttons}
      onSend={send}
    />
  );
}
