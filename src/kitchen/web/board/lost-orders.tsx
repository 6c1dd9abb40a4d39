import { Button } from '@mantine/core';
import { useState } from 'react';
import { Banner } from '#kitchen/web/board/banner-strip.tsx';
import { BoardSheet } from '#kitchen/web/board/board-panels.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { followUpWords, boardMomentWords } from '#kitchen/web/board-words.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import classes from '#kitchen/web/board/lost-orders.module.css';
import { useShopTime } from '#platform/web/clock.ts';
import { TicketButton } from '#kitchen/web/ticket/ticket-head.tsx';
import type { TicketListData } from '#kitchen/web/board/ticket-list.tsx';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { FollowUp, Order } from '#ordering/order.ts';
import { formatMoney } from '#platform/money.ts';

const hows = ['rung', 'left'] as const satisfies readonly FollowUp[];

/** The number and amount of lost orders, and a sheet with the customers to call, until staff record a follow-up. */
export function LostOrders({ lists }: { lists: TicketListData }) {
  const { store } = useBoardControls();
  const [isOpen, setOpen] = useState(false);
  const orders = lists.layout.lost.flatMap((id) => lists.orders.get(id) ?? []);
  if (orders.length === 0) return null;
  const amount = formatMoney(
    orders.reduce((sum, { total }) => sum + total, 0),
    store.currency,
  );
  const count = m.kitchen_lost_count({ count: orders.length, amount });
  return (
    <>
      <Banner
        icon="warning"
        tone="bad"
        isAsking
        buttons={
          <Button variant="white" color="dark" onClick={() => setOpen(true)}>
            {m.kitchen_lost_open()}
          </Button>
        }
      >
        <span data-lost-orders>{count}</span>
      </Banner>
      <BoardSheet title={count} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className={classes.hint}>{m.kitchen_lost_hint()}</p>
        <ul className={classes.lost}>
          {orders.map((order) => (
            <LostOrder
              key={order.id}
              order={order}
              waiting={lists.waiting.findLast((action) => action.orderId === order.id)}
            />
          ))}
        </ul>
      </BoardSheet>
    </>
  );
}

function TakeBack({ action }: { action: QueuedAction }) {
  const { takeBack } = useBoardControls();
  const seconds = Math.floor((action.sendAt - useShopTime(1)) / 1000);
  return (
    <TicketButton disabled={seconds < 0} onClick={() => takeBack(action)}>
      <Icon name="undo" /> {m.kitchen_board_undo_left({ seconds: Math.max(0, seconds) })}
    </TicketButton>
  );
}

function LostOrder({ order, waiting }: { order: Order; waiting: QueuedAction | undefined }) {
  const { store, ask, openDetails } = useBoardControls();
  const now = useShopTime(60);
  const { name, phone } = order.contact;
  return (
    <li className={classes.order} data-lost={order.id}>
      <button type="button" className={classes.number} onClick={() => openDetails(order)}>
        <span aria-hidden="true">{m.kitchen_board_number({ number: order.number })}</span>
        <span className="visually-hidden">{m.kitchen_board_open_details({ number: order.number })}</span>
      </button>
      <strong className={classes.name}>{name || m.kitchen_history_forgotten()}</strong>
      {phone && (
        <a className={classes.phone} href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
          {phone}
        </a>
      )}
      <strong className={classes.amount}>{formatMoney(order.total, store.currency)}</strong>
      {order.closed_at && (
        <span className={classes.time}>
          {m.kitchen_lost_at({ time: boardMomentWords(order.closed_at, now, store.timezone) })}
        </span>
      )}
      <div className={classes.answers}>
        {waiting ? (
          <TakeBack action={waiting} />
        ) : (
          hows.map((how) => (
            <TicketButton
              key={how}
              disabled={order.followed_up !== null}
              onClick={() => ask(order, 'followed-up', { followUp: how })}
            >
              {followUpWords[how]()}
              <span className="visually-hidden">{m.kitchen_lost_of({ number: order.number })}</span>
            </TicketButton>
          ))
        )}
      </div>
    </li>
  );
}
