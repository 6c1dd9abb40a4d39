import { wishWords } from '#ordering/order-words.ts';
import { memo, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { orderUrgency, cardHoldState } from '#kitchen/order-urgency.ts';
import { alarmKey, hasFailedPayment, stopConfirmationKey } from '#kitchen/board-alarms.ts';
import { wasCancelledAfterAccept } from '#kitchen/board-layout.ts';
import { mustEnterPaymentMethod, callsDelayedForUndo } from '#kitchen/board-steps.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { AnswerControls } from '#kitchen/web/ticket/answer-controls.tsx';
import { AvoidedAllergens, RemovedLines, TicketLines } from '#kitchen/web/ticket/ticket-lines.tsx';
import { useBoardSettings } from '#kitchen/web/board/use-board-settings.ts';
import { useTickLine, useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardCallWords, boardStatusWords } from '#kitchen/web/board-words.ts';
import { PaymentBadge, TicketButton, TicketHead } from '#kitchen/web/ticket/ticket-head.tsx';
import { useShopTime, useShopTimeValue } from '#platform/web/clock.ts';
import classes from '#kitchen/web/ticket/ticket.module.css';
import { m } from '#messages';
import { useScreenLanguage } from '#platform/web/screen-language.ts';
import { isUnanswered } from '#ordering/order-status.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { Order } from '#ordering/order.ts';
import { nextStepCall } from '#ordering/next-status.ts';
import { formatMoney } from '#platform/money.ts';
import { TypedText } from '#ui/web/typed-text.tsx';
import heldActionClasses from '#kitchen/web/ticket/held-action.module.css';
import { timeWords } from '#platform/date-words.ts';
import ticketContentsClasses from '#kitchen/web/ticket/ticket-contents.module.css';
import lineClasses from '#kitchen/web/ticket/ticket-lines.module.css';
import { listCutHeight, lineBottoms } from '#kitchen/ticket-fit.ts';

interface TicketProps {
  order: Order;
  isMoved: boolean;
  /** The latest action on this order without a response yet. */
  waiting: QueuedAction | undefined;
  isUnsent: boolean;
  isRinging: boolean;
}

export const Ticket = memo(function Ticket({ order, isMoved, waiting, isUnsent, isRinging }: TicketProps) {
  useScreenLanguage();
  const { store } = useBoardControls();
  const level = useShopTimeValue((now) => orderUrgency(order, store, now));
  const isHeld = waiting !== undefined && callsDelayedForUndo.has(waiting.call) && !isUnsent;
  const mustStop = wasCancelledAfterAccept(order);
  return (
    <article
      className={classes.ticket}
      aria-labelledby={`ticket-${order.id}`}
      data-ticket={order.id}
      data-status={order.status}
      data-unanswered={isUnanswered(order.status) || undefined}
      data-level={level}
      data-ringing={isRinging || undefined}
      data-stop={mustStop || undefined}
      data-moved={isMoved || undefined}
    >
      <TicketHead order={order} />
      {mustStop && (
        <p className={classes.alarm} role="alert">
          <Icon name="warning" />{' '}
          {order.packed_at === null ? m.kitchen_board_stop_title() : m.kitchen_board_stop_packed()}
        </p>
      )}
      {hasFailedPayment(order) && (
        <div className={classes.alarm} role="alert">
          <Icon name="warning" />
          <p>
            <strong>{m.kitchen_board_payment_failed()}</strong> {m.kitchen_board_payment_failed_hint()}
          </p>
        </div>
      )}
      <HoldWarning order={order} />
      {order.allergy_note && (
        <p className={classes.allergy}>
          <Icon name="warning" />
          <span>
            <strong>{m.kitchen_board_allergy()}:</strong> <TypedText text={order.allergy_note} />
          </span>
        </p>
      )}
      <AvoidedAllergens order={order} />
      <TicketContents order={order} />
      <div className={classes.foot}>
        <p className={classes.contact}>
          <span className={classes.name}>{order.contact.name}</span>
          {order.fulfilment_type === 'delivery' && order.address && (
            <span className={classes.postcode}>{order.address.postcode}</span>
          )}
          <span className={classes.phone}>{order.contact.phone}</span>
        </p>
        <p className={classes.money}>
          <PaymentBadge order={order} />
          <strong className={classes.total}>{formatMoney(order.total, store.currency)}</strong>
          {isUnsent && (
            <span className={classes.waiting}>
              <Icon name="offline" /> <span>{m.kitchen_board_waiting()}</span>
            </span>
          )}
        </p>
      </div>
      <div className={classes.actions}>
        {isHeld ? (
          <DelayedCallNotice action={waiting} />
        ) : (
          <Actions order={order} isMoved={isMoved} mustStop={mustStop} />
        )}
      </div>
    </article>
  );
});

function Actions({ order, isMoved, mustStop }: { order: Order; isMoved: boolean; mustStop: boolean }) {
  const { acknowledge } = useBoardControls();
  if (isMoved)
    return <p className={classes.moved}>{m.kitchen_board_gone_title({ status: boardStatusWords[order.status]() })}</p>;
  if (mustStop)
    return (
      <TicketButton
        look="stop"
        data-step
        onClick={() => acknowledge([alarmKey('stop', order), stopConfirmationKey(order)])}
      >
        {m.kitchen_board_stop_seen()}
      </TicketButton>
    );
  return isUnanswered(order.status) ? <AnswerControls order={order} /> : <NextStepButton order={order} />;
}

/** The button of an order's next step; `mark` renders before its text. */
export function NextStepButton({ order, mark }: { order: Order; mark?: ReactNode }) {
  const { ask, askPaid } = useBoardControls();
  const call = nextStepCall(order);
  if (!call) return null;
  return (
    <TicketButton
      look="step"
      data-step
      onClick={() => (mustEnterPaymentMethod(order, call) ? askPaid : ask)(order, call)}
    >
      {mark}
      <span>{boardCallWords[call]()}</span>
    </TicketButton>
  );
}

export function DelayedCallNotice({ action }: { action: QueuedAction }) {
  const now = useShopTime(1);
  const { takeBack } = useBoardControls();
  const seconds = Math.max(0, Math.floor((action.sendAt - now) / 1000));
  return (
    <div className={heldActionClasses.held}>
      <p>{m.kitchen_board_sending_in({ call: boardCallWords[action.call](), seconds })}</p>
      <TicketButton data-step onClick={() => takeBack(action)}>
        <Icon name="undo" /> {m.platform_undo()}
      </TicketButton>
    </div>
  );
}

function HoldWarning({ order }: { order: Order }) {
  const { store } = useBoardControls();
  const state = useShopTimeValue((now) => cardHoldState(order, now));
  if (state === null) return null;
  return (
    <div className={classes.alarm} role="alert">
      <Icon name="warning" />
      <p>
        {state === 'ended'
          ? m.kitchen_board_hold_ended_hint()
          : m.kitchen_board_hold_ends({ time: timeWords(order.payment.held_until ?? '', store.timezone) })}
      </p>
    </div>
  );
}

/** The order's dishes. A long list is cut after a dish or a note line, and opens at a tap. */
function TicketContents({ order }: { order: Order }) {
  const { lines, note } = order;
  const { tap } = useBoardSettings();
  const tick = useTickLine(order);
  const [isOpen, setOpen] = useState(false);
  const { box, height } = useFittingHeight();
  const isLong = height !== null;
  return (
    <div className={ticketContentsClasses.contents} data-open={(isLong && isOpen) || undefined}>
      <div
        ref={box}
        className={ticketContentsClasses.fitting}
        data-list
        style={{ clipPath: isLong && !isOpen ? `inset(0 0 calc(100% - ${height}px) 0)` : undefined }}
      >
        <div>
          <RemovedLines order={order} />
          <TicketLines lines={lines} tick={tick && tap === 'step' ? null : tick} />
          {note && (
            <p className={lineClasses.note}>
              <strong>{m.kitchen_board_order_note()}:</strong> <TypedText text={note} />
            </p>
          )}
          <OrderWishes order={order} />
        </div>
      </div>
      {isLong && (
        <button
          type="button"
          className={ticketContentsClasses.rest}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span style={{ marginTop: isOpen ? undefined : height }}>
            <Icon name={isOpen ? 'up' : 'down'} />
            {isOpen
              ? m.kitchen_board_show_less()
              : note
                ? m.kitchen_board_show_all_and_note({ count: lines.length })
                : m.kitchen_board_show_all({ count: lines.length })}
          </span>
        </button>
      )}
    </div>
  );
}

function OrderWishes({ order }: { order: Parameters<typeof wishWords>[0] }) {
  const words = wishWords(order);
  return words.length === 0 ? null : <p className={lineClasses.note}>{words.join('. ')}</p>;
}

/** The height of the text below a cut list (em). */
const REST = 1.75;

/**
 * Fits a list and the text below it into a box that may be lower than the list. `height`: where to cut the list, after
 * a whole dish or a line; null: the whole list fits. If a list exceeds its column's list height, its ticket is marked
 * with `data-long`, and fills its row.
 */
function useFittingHeight(): { box: RefObject<HTMLDivElement | null>; height: number | null } {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return undefined;
    // The observer fires at the first render and for changed sizes; tickets far below the screen are not measured.
    const observer = new ResizeObserver(() => {
      // An opened list keeps its whole height, and has a button that closes it.
      if (outer.closest('[data-open]')) return;
      outer.closest('[data-ticket]')?.toggleAttribute('data-long', isLong(outer, inner));
      setHeight(fittingHeight(outer, inner));
    });
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return { box, height };
}

/** Whether the list exceeds the list height of its column, so that the ticket may need its whole row. */
function isLong(outer: HTMLElement, inner: Element): boolean {
  const most = Number.parseFloat(getComputedStyle(outer).maxHeight);
  return inner.getBoundingClientRect().height > most + 0.5;
}

function fittingHeight(outer: HTMLElement, inner: Element): number | null {
  const { top, height: whole } = inner.getBoundingClientRect();
  const room = outer.getBoundingClientRect().height;
  const style = getComputedStyle(outer);
  return listCutHeight({
    whole,
    room,
    rest: REST * Number.parseFloat(style.fontSize),
    line: Number.parseFloat(style.lineHeight),
    // The lines of a list that fits are not measured.
    ends: whole > room ? wholeEnds(inner).map((end) => end - top) : [],
  });
}

/**
 * The heights at which a list may be cut: below each line of a note, and below each whole dish. A cut within a dish
 * could hide its options from the cook.
 */
function wholeEnds(list: Element): number[] {
  const dishes = [...list.querySelectorAll(':scope > ul > li')].map((dish) => dish.getBoundingClientRect().bottom);
  const others = [...list.children].filter((child) => child.localName !== 'ul');
  return [...dishes, ...lineBottoms(others.flatMap(textPieces))].toSorted((a, b) => a - b);
}

function textPieces(within: Element): DOMRect[] {
  const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const pieces: DOMRect[] = [];
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    pieces.push(...range.getClientRects());
  }
  return pieces;
}
