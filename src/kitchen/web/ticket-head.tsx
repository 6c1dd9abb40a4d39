import { ActionIcon, Menu } from '@mantine/core';
import { useBoardControls } from '#kitchen/web/board-controls.ts';
import { dueWords } from '#kitchen/web/board-words.ts';
import { laterBy } from '#kitchen/web/later-by.ts';
import classes from '#kitchen/web/ticket.module.css';
import { m } from '#messages';
import { Icon } from '#office/web/icon.tsx';
import type { Order } from '#ordering/order.ts';

/** The number to call out, how it leaves the shop, and what is still to be paid. */
export function TicketHead({ order }: { order: Order }) {
  const { openDetails } = useBoardControls();
  const isDelivery = order.fulfilment_type === 'delivery';
  return (
    <header className={classes.head}>
      <h3 className={classes.number} id={`ticket-${order.id}`}>
        <button type="button" data-details onClick={() => openDetails(order)}>
          <span aria-hidden="true">{m.kitchen_board_number({ number: order.number })}</span>
          <span className="visually-hidden">{m.kitchen_board_open_details({ number: order.number })}</span>
        </button>
      </h3>
      <p className={classes.kind} data-kind={order.fulfilment_type}>
        <Icon name={isDelivery ? 'delivery' : 'collection'} />
        <span>{isDelivery ? m.kitchen_board_delivery() : m.kitchen_board_collection()}</span>
      </p>
      {order.channel === 'phone' && <p className={classes.channel}>{m.kitchen_board_channel_phone()}</p>}
      {order.channel === 'counter' && <p className={classes.channel}>{m.kitchen_board_channel_counter()}</p>}
      <TicketMenu order={order} />
    </header>
  );
}

export function PaymentBadge({ order }: { order: Order }) {
  const isPaid = order.payment_status === 'paid' || order.payment_status === 'authorised';
  const tone = order.payment_status === 'failed' ? 'failed' : isPaid ? 'paid' : 'due';
  return (
    <span className={classes.payment} data-payment={tone}>
      {dueWords(order)}
    </span>
  );
}

function TicketMenu({ order }: { order: Order }) {
  const { print, openDetails, openReceipts, askReason, ask } = useBoardControls();
  const canPromise = order.status === 'accepted' || order.status === 'packed';
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon className={classes.more} aria-label={m.kitchen_board_more({ number: order.number })}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => openDetails(order)}>{m.kitchen_board_details()}</Menu.Item>
        {canPromise && (
          <>
            <Menu.Divider />
            <Menu.Label>{m.kitchen_board_promise()}</Menu.Label>
            {[10, 20].map((minutes) => (
              <Menu.Item
                key={minutes}
                leftSection={<Icon name="clock" />}
                onClick={() => ask(order, 'promise', { readyAt: laterBy(order, minutes) })}
              >
                {m.kitchen_board_promise_more({ minutes })}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Label>{m.kitchen_board_print()}</Menu.Label>
        <Menu.Item leftSection={<Icon name="print" />} onClick={() => print(order, 'kitchen')}>
          {m.kitchen_board_print_kitchen()}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="print" />} onClick={() => print(order, 'customer')}>
          {m.kitchen_board_print_customer()}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="print" />} onClick={() => print(order, 'both')}>
          {m.kitchen_board_print_both()}
        </Menu.Item>
        <Menu.Item onClick={() => openReceipts(order)}>{m.kitchen_board_receipts()}</Menu.Item>
        {order.actions.includes('cancel') && order.status !== 'placed' && (
          <>
            <Menu.Divider />
            <Menu.Item color="bad" onClick={() => askReason(order, 'cancel')}>
              {m.kitchen_board_cancel()}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
