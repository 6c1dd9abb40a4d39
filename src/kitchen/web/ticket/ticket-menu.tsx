import { Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { offersCancel } from '#kitchen/board-steps.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { laterBy } from '#kitchen/web/ticket/later-by.ts';
import { TicketButton } from '#kitchen/web/ticket/ticket-button.tsx';
import classes from '#kitchen/web/ticket/ticket-menu.module.css';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import { hasCall } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';

/** The other actions on an order. A menu is created when it opens: of 200 tickets, only one has it open at a time. */
export function TicketMenu({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = `more-${order.id}`;
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <div className={classes.more}>
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
            <span className={classes.moreOpen} aria-hidden="true" />
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
