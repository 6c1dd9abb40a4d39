import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { holdStateOf } from '#kitchen/board-hold.ts';
import { useShopValue } from '#platform/web/clock.ts';
import { dueWords } from '#kitchen/web/board-words.ts';
import { TicketTimes } from '#kitchen/web/ticket/ticket-times.tsx';
import classes from '#kitchen/web/ticket/ticket-head.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import type { Order } from '#ordering/order.ts';
import { Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { offersCancel } from '#kitchen/board-steps.ts';
import { laterBy } from '#kitchen/web/ticket/later-by.ts';
import { TicketButton } from '#kitchen/web/ticket/ticket-button.tsx';
import ticketMenuClasses from '#kitchen/web/ticket/ticket-menu.module.css';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { hasCall } from '#ordering/order-status.ts';

/** The order's number, whether it is collected or delivered, and the time. */
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
      <div className={classes.how}>
        <p className={classes.kind} data-kind={order.fulfilment_type}>
          <Icon name={isDelivery ? 'delivery' : 'bag'} />
          <span>{isDelivery ? m.kitchen_board_delivery() : m.kitchen_board_collection()}</span>
        </p>
        {order.channel === 'phone' && <p className={classes.channel}>{m.kitchen_board_channel_phone()}</p>}
        {order.channel === 'counter' && <p className={classes.channel}>{m.kitchen_board_channel_counter()}</p>}
        {order.payment.is_test && <p className={classes.channel}>{m.kitchen_board_test()}</p>}
      </div>
      <TicketTimes order={order} />
      <TicketMenu order={order} />
    </header>
  );
}

export function PaymentBadge({ order }: { order: Order }) {
  const isHoldEnded = useShopValue((now) => holdStateOf(order, now) ?? '') === 'ended';
  const isPaid = order.payment_status === 'paid' || order.payment_status === 'authorised';
  const tone = isHoldEnded || order.payment_status === 'failed' ? 'failed' : isPaid ? 'paid' : 'due';
  return (
    <span className={classes.payment} data-payment={tone}>
      {isHoldEnded ? m.kitchen_board_hold_ended() : dueWords(order)}
    </span>
  );
}

/** The other actions on an order. A menu is created when it opens: of 200 tickets, only one has it open at a time. */
function TicketMenu({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = `more-${order.id}`;
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <div className={ticketMenuClasses.more}>
      <TicketButton
        ref={button}
        look="quiet"
        id={id}
        aria-label={m.kitchen_board_more({ number: order.number })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
      </TicketButton>
      {isOpen && (
        <Menu opened onClose={close} position="bottom-end" width={260}>
          <Menu.Target>
            <span className={ticketMenuClasses.moreOpen} aria-hidden="true" />
          </Menu.Target>
          <Menu.Dropdown aria-labelledby={id}>
            <Entries order={order} />
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

function Entries({ order }: { order: Order }) {
  const { print, openDetails, openReceipts, askReason, askTakeOff, ask } = useBoardControls();
  const hasPrinter = useHasPrinter();
  const isPromisable = hasCall(order.status, 'promise');
  return (
    <>
      <Menu.Item onClick={() => openDetails(order)}>{m.kitchen_board_details()}</Menu.Item>
      {isPromisable && (
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
      {hasPrinter && (
        <>
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
        </>
      )}
      <Menu.Item onClick={() => openReceipts(order)}>{m.kitchen_board_receipts()}</Menu.Item>
      {hasCall(order.status, 'lines/remove') && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => askTakeOff(order)}>{m.kitchen_take_off()}</Menu.Item>
        </>
      )}
      {offersCancel(order) && (
        <>
          <Menu.Divider />
          <Menu.Item color="bad" onClick={() => askReason(order, 'cancel')}>
            {m.kitchen_board_cancel()}
          </Menu.Item>
        </>
      )}
    </>
  );
}
