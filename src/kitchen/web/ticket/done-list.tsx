import { Button, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { undoDeadline } from '#kitchen/board-steps.ts';
import { filterOrdersBySearch } from '#ordering/find-orders.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardStatusWords } from '#kitchen/web/board-words.ts';
import classes from '#kitchen/web/ticket/done-list.module.css';
import { ButtonChoice } from '#kitchen/web/board/button-choice.tsx';
import panels from '#kitchen/web/board/panels.module.css';
import { PaymentBadge } from '#kitchen/web/ticket/ticket-head.tsx';
import { useShopTime } from '#platform/web/clock.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { isHandedOver } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';

/** Today's finished orders, the latest first, with an undo for two minutes. */
export function DoneList({ orders }: { orders: Order[] }) {
  const [text, setText] = useState('');
  const [isLast, setLast] = useState(false);
  const handedOver = useMemo(() => orders.filter(({ status }) => isHandedOver(status)).slice(0, 20), [orders]);
  const found = filterOrdersBySearch(isLast ? handedOver : orders, text);
  return (
    <div className={classes.done}>
      <TextInput
        label={m.kitchen_board_find()}
        type="search"
        size="md"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {orders.length > 0 && (
        <ButtonChoice
          label={m.kitchen_done_show()}
          options={[
            { value: 'all', label: m.kitchen_done_all() },
            { value: 'last', label: m.kitchen_done_last() },
          ]}
          value={isLast ? 'last' : 'all'}
          onChange={(value) => setLast(value === 'last')}
        />
      )}
      {orders.length === 0 && <p className={panels.empty}>{m.kitchen_board_empty_done()}</p>}
      {orders.length > 0 && found.length === 0 && <p className={panels.empty}>{m.kitchen_board_find_none({ text })}</p>}
      <ul>
        {found.map((order) => (
          <DoneRow key={order.id} order={order} hasReceipts={isLast} />
        ))}
      </ul>
    </div>
  );
}

function DoneRow({ order, hasReceipts }: { order: Order; hasReceipts: boolean }) {
  const { store, openDetails, openReceipts } = useBoardControls();
  const at = order.completed_at ?? order.closed_at;
  const isGood = isHandedOver(order.status);
  return (
    <li className={classes.doneRow} data-done={order.id}>
      <button type="button" className={classes.doneOpen} onClick={() => openDetails(order)}>
        <strong className={classes.doneNumber}>{m.kitchen_board_number({ number: order.number })}</strong>
        <span>
          <span className={classes.doneStatus} data-good={isGood}>
            {boardStatusWords[order.status]()}
          </span>{' '}
          {at && m.kitchen_board_finished_at({ time: timeWords(at, store.timezone) })}
          <br />
          <span className={panels.soft}>{order.contact.name}</span>
        </span>
        <span className={classes.money}>
          {order.paid_by === 'not_paid' && <PaymentBadge order={order} />} {formatMoney(order.total, store.currency)}
        </span>
      </button>
      {hasReceipts && (
        <Button
          variant="default"
          leftSection={<Icon name="print" />}
          aria-label={m.kitchen_done_receipts({ number: order.number })}
          onClick={() => openReceipts(order)}
        >
          {m.kitchen_board_receipts()}
        </Button>
      )}
      <UndoButton order={order} />
    </li>
  );
}

export function UndoButton({ order }: { order: Order }) {
  const until = undoDeadline(order);
  return until === null ? null : <UndoCountdown order={order} until={until} />;
}

function UndoCountdown({ order, until }: { order: Order; until: number }) {
  const { undo } = useBoardControls();
  const seconds = Math.ceil((until - useShopTime(1)) / 1000);
  if (seconds <= 0) return null;
  return (
    <Button variant="default" leftSection={<Icon name="undo" />} onClick={() => undo(order)}>
      {m.kitchen_board_undo_left({ seconds })}
    </Button>
  );
}
