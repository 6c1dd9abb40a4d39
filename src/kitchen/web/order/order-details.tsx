import { Button } from '@mantine/core';
import { canBoardCancel, undoDeadline } from '#kitchen/board-steps.ts';
import { countOpenDishes } from '#kitchen/dish-counts.ts';
import { AvoidedAllergens, RemovedLines, TicketLines } from '#kitchen/web/ticket/ticket-lines.tsx';
import { useTickLine, useBoardControls } from '#kitchen/web/board/board-controls.ts';
import {
  actorWords,
  printCopyWords,
  boardMomentWords,
  paymentWords,
  boardPrintStatusWords,
  orderReasonWords,
  boardStatusWords,
} from '#kitchen/web/board-words.ts';
import { OrderCustomer } from '#kitchen/web/order/order-customer.tsx';
import { UndoButton } from '#kitchen/web/ticket/done-list.tsx';
import { OrderMoneyPanel } from '#kitchen/web/order/order-money.tsx';
import { promisedTimeAfterDelay, PaymentBadge, TicketTimes } from '#kitchen/web/ticket/ticket-head.tsx';
import classes from '#kitchen/web/order/order-details.module.css';
import panels from '#kitchen/web/board/panels.module.css';
import { shopNow } from '#platform/web/clock.ts';
import type { Print } from '#ordering/print.ts';
import { printErrorWords } from '#printing/printer-rules.ts';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { feeWords } from '#ordering/fee-words.ts';
import { historyReasonWords } from '#ordering/history-words.ts';
import { statusAllowsCall, isCalledOff, isInKitchen, orderStatusTable } from '#ordering/order-status.ts';
import type { HistoryEntry, Order, RemovedLinesRefundState } from '#ordering/order.ts';
import { wishWords } from '#ordering/order-words.ts';
import { effectivePaymentMethod } from '#ordering/payment-status.ts';
import { formatMoney } from '#platform/money.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

export function OrderDetails({ order }: { order: Order }) {
  const { store } = useBoardControls();
  const tick = useTickLine(order);
  return (
    <div className={`${panels.stack} ${classes.details}`}>
      <div className={classes.detailHead}>
        <p className={classes.status}>{boardStatusWords[order.status]()}</p>
        {!isNeverPaid(order) && <PaymentBadge order={order} />}
        {undoDeadline(order) !== null && <UndoButton order={order} />}
      </div>
      {!isCalledOff(order.status) && <TicketTimes order={order} />}
      {order.allergy_note && (
        <p className={classes.allergy}>
          <Icon name="warning" />
          <span>
            <strong>{m.kitchen_board_allergy()}:</strong> <TypedText text={order.allergy_note} />
          </span>
        </p>
      )}
      <AvoidedAllergens order={order} />
      <Missing order={order} />
      <section>
        <h3>{m.kitchen_board_lines_title()}</h3>
        <TicketLines lines={order.lines} priceOf={({ total }) => formatMoney(total, store.currency)} tick={tick} />
        <RemovedLines order={order} />
        {order.note && (
          <p className={classes.note}>
            <TypedText text={order.note} />
          </p>
        )}
        {wishWords(order).map((words) => (
          <p key={words} className={classes.note}>
            {words}
          </p>
        ))}
        <Sums order={order} />
      </section>
      <OrderCustomer order={order} />
      <OrderMoneyPanel order={order} />
      <Receipts order={order} />
      <History order={order} />
      <Actions order={order} />
    </div>
  );
}

/** The dishes that are not ticked, by station, while the kitchen has the order. */
function Missing({ order }: { order: Order }) {
  if (!isInKitchen(order.status)) return null;
  const stations = countOpenDishes([order]).filter(({ dishes }) => dishes.length > 0);
  return (
    <section data-missing>
      <h3>{m.kitchen_missing_title()}</h3>
      {stations.length === 0 && <p className={panels.soft}>{m.kitchen_missing_none()}</p>}
      {stations.map(({ station, dishes }) => {
        const list = dishes.map(({ name, toCook }) => m.kitchen_take_off_of({ quantity: toCook, name })).join(', ');
        return <p key={station}>{station ? m.kitchen_missing_of({ station, dishes: list }) : list}</p>;
      })}
    </section>
  );
}

/** Whether a called-off order was never paid, so that nothing is owed. */
function isNeverPaid({ status, payment_status: payment }: Order): boolean {
  return isCalledOff(status) && payment === 'unpaid';
}

function Sums({ order }: { order: Order }) {
  const { store } = useBoardControls();
  const money = (amount: number): string => formatMoney(amount, store.currency);
  const method = effectivePaymentMethod(order) === 'cash' ? m.kitchen_board_cash() : m.kitchen_board_card();
  return (
    <dl className={classes.sums}>
      <Sum label={m.kitchen_board_subtotal()} value={money(order.subtotal)} />
      {order.discounts.map((discount) => (
        <Sum key={discount.offer_id} label={discount.name} value={`−${money(discount.amount)}`} />
      ))}
      {order.fees.map((fee) => (
        <Sum key={fee.code} label={feeWords(fee)} value={money(fee.amount)} />
      ))}
      {order.tip > 0 && <Sum label={m.kitchen_board_tip()} value={money(order.tip)} />}
      <Sum label={m.kitchen_board_total()} value={money(order.total)} isTotal />
      {order.removed_refunds.map(({ state, amount }) => (
        <Sum key={state} label={removedRefundWords[state]()} value={money(amount)} />
      ))}
      <Sum
        label={m.kitchen_board_payment_title()}
        value={[
          method,
          isNeverPaid(order) ? m.kitchen_board_payment_none() : paymentWords[order.payment_status](),
          ...(order.payment.is_test ? [m.kitchen_board_test()] : []),
        ].join(', ')}
      />
    </dl>
  );
}

const removedRefundWords: Record<RemovedLinesRefundState, () => string> = {
  on_its_way: m.kitchen_take_off_refunded,
  made: m.kitchen_take_off_made,
  waits: m.kitchen_take_off_waits,
  by_bank: m.kitchen_take_off_by_bank,
  not_made: m.kitchen_take_off_not_made,
  by_hand: m.kitchen_take_off_by_hand,
};

function Sum({ label, value, isTotal = false }: { label: string; value: string; isTotal?: boolean }) {
  return (
    <div data-total={isTotal || undefined}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Trouble({ print }: { print: Print }) {
  const words = printErrorWords(print);
  return words && ` (${words})`;
}

function Receipts({ order }: { order: Order }) {
  const { openReceipts } = useBoardControls();
  const hasPrinter = useHasPrinter();
  return (
    <section>
      <h3>{m.kitchen_board_receipts()}</h3>
      {hasPrinter === false && <p className={panels.soft}>{m.kitchen_board_no_printer()}</p>}
      {order.prints.map((print) => (
        <p key={print.id}>
          {printCopyWords[print.copy]()}:{' '}
          {print.printer === null
            ? boardPrintStatusWords[print.status]()
            : m.kitchen_receipt_printer({ printer: print.printer, story: boardPrintStatusWords[print.status]() })}
          <Trouble print={print} />
        </p>
      ))}
      <Button variant="default" leftSection={<Icon name="print" />} onClick={() => openReceipts(order)}>
        {m.kitchen_board_receipts()}
      </Button>
    </section>
  );
}

function History({ order }: { order: Order }) {
  const { store } = useBoardControls();
  return (
    <section>
      <h3>{m.kitchen_board_history()}</h3>
      <ol className={classes.history}>
        {order.history.map((entry) => (
          <li key={`${entry.at} ${entry.to}`}>
            <strong>{entryWords(entry)}</strong>
            <span className={panels.soft}>
              {m.kitchen_board_history_by({
                actor: actorWords(entry.actor),
                time: boardMomentWords(entry.at, shopNow(), store.timezone),
              })}
            </span>
            {entry.promised_at && (
              <span>
                {m.kitchen_board_history_promised({
                  time: boardMomentWords(entry.promised_at, shopNow(), store.timezone),
                })}
              </span>
            )}
            <Reason entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Reason({ entry }: { entry: HistoryEntry }) {
  const reason = historyReasonWords(entry);
  // Reasons of rejections and follow-ups are codes; other reasons are free text.
  if (!reason) return null;
  return (
    <span>
      {orderStatusTable[entry.to].reason === 'listed' ? orderReasonWords(reason) : <TypedText text={reason} />}
    </span>
  );
}

function entryWords({ from, to, note }: HistoryEntry): string {
  if (from !== to) return boardStatusWords[to]();
  if (note?.kind === 'arrived') return m.kitchen_board_contact_title();
  if (note?.kind === 'lines_removed') return m.kitchen_take_off_entry();
  if (note) return m.kitchen_money_title();
  return statusAllowsCall(to, 'followed-up') ? m.kitchen_lost_followed_up() : m.kitchen_board_history_promise();
}

function Actions({ order }: { order: Order }) {
  const { ask, askReason, askTakeOff } = useBoardControls();
  const isPromisable = statusAllowsCall(order.status, 'promise');
  const canCancel = canBoardCancel(order);
  const canTakeOff = statusAllowsCall(order.status, 'lines/remove');
  if (!isPromisable && !canCancel && !canTakeOff) return null;
  return (
    <section>
      {isPromisable && (
        <>
          <h3>{m.kitchen_board_promise_title()}</h3>
          <p className={panels.soft}>{m.kitchen_board_promise_hint()}</p>
          <div className={panels.buttons}>
            {[10, 20].map((minutes) => (
              <Button
                key={minutes}
                variant="default"
                onClick={() => ask(order, 'promise', { readyAt: promisedTimeAfterDelay(order, minutes) })}
              >
                {m.kitchen_board_promise_more({ minutes })}
              </Button>
            ))}
          </div>
        </>
      )}
      {canTakeOff && (
        <Button variant="default" onClick={() => askTakeOff(order)}>
          {m.kitchen_take_off()}
        </Button>
      )}
      {canCancel && (
        <Button variant="outline" color="bad" onClick={() => askReason(order, 'cancel')}>
          {m.kitchen_board_cancel()}
        </Button>
      )}
    </section>
  );
}
