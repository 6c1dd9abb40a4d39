import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { type TicketBox, commonListHeight, displacedTickets, type TicketSize } from '#kitchen/ticket-fit.ts';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';

/** Milliseconds for which a ticket ignores taps after it took another ticket's place: nobody reads faster. */
const unread = 400;

/**
 * Fits a column: sets the height of its lists, and blocks taps on tickets that took another ticket's place. While the
 * column is frozen (`isHeld`), heights do not change.
 */
export function useColumnFit(
  ids: readonly string[],
  isHeld: boolean,
): { column: RefObject<HTMLDivElement | null>; onClickCapture: (event: MouseEvent) => void } {
  const column = useRef<HTMLDivElement>(null);
  const places = useRef<ReadonlyMap<string, TicketBox>>(new Map());
  const seenIds = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    const tickets = column.current;
    if (!tickets || (isHeld && seenIds.current === ids)) return undefined;
    seenIds.current = ids;
    const look = (): void => {
      if (!isHeld) fitLists(tickets);
      const seen = readPlaces(tickets);
      for (const id of displacedTickets(places.current, seen)) blockTapsUntilRead(find(tickets, id));
      places.current = seen;
    };
    look();
    if (isHeld) return undefined;
    const watch = new ResizeObserver(look);
    watch.observe(tickets);
    for (const list of tickets.querySelectorAll('[data-list] > *')) watch.observe(list);
    return () => watch.disconnect();
  }, [ids, isHeld]);
  return { column, onClickCapture: refuseUnread };
}

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

export function blockTapsUntilRead(ticket: HTMLElement | null): void {
  if (!ticket) return;
  clearTimeout(timers.get(ticket));
  ticket.dataset['fresh'] = '';
  timers.set(
    ticket,
    setTimeout(() => delete ticket.dataset['fresh'], unread),
  );
}

/** The ticket on which a press last began, and its place at that time. */
let pressed: { ticket: Element; box: DOMRect } | null = null;

document.addEventListener(
  'pointerdown',
  ({ target }) => {
    const ticket = ticketAt(target);
    pressed = ticket && { ticket, box: ticket.getBoundingClientRect() };
  },
  true,
);
// This listener runs before the page's own. A click's target may be no ticket: if a press begins on a ticket and ends
// on another element, the browser clicks their common parent.
document.addEventListener(
  'click',
  (event) => {
    // A click by keyboard has no press before it.
    if (event.detail > 0 && pressed && isOverOther(pressed, event.target)) refuse(event);
  },
  true,
);

/** Whether the click misses the pressed ticket, because the ticket moved or another ticket is in its place. */
function isOverOther({ ticket, box }: { ticket: Element; box: DOMRect }, target: EventTarget | null): boolean {
  if (target instanceof Node && ticket.contains(target)) return false;
  return ticketAt(target) !== null || !ticket.isConnected || isMoved(box, ticket.getBoundingClientRect());
}

function isMoved(before: DOMRect, now: DOMRect): boolean {
  return before.x !== now.x || before.y !== now.y || before.height !== now.height;
}

function ticketAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-column] > [data-ticket]') : null;
}

function refuseUnread(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('[data-fresh]')) refuse(event);
}

function refuse(event: Pick<Event, 'stopPropagation' | 'preventDefault'>): void {
  event.stopPropagation();
  event.preventDefault();
  notify({ id: 'just-moved', text: m.kitchen_board_just_moved(), tone: 'bad' });
}

function find(tickets: HTMLElement, id: string): HTMLElement | null {
  return tickets.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(id)}"]`);
}

/** The element that scrolls the tickets; on a phone it is the whole tab. */
function scrollerOf(tickets: HTMLElement): HTMLElement {
  return tickets.closest<HTMLElement>('[role="tabpanel"]') ?? tickets;
}

/** Reads the places of the tickets as they would be without scrolling. */
function readPlaces(tickets: HTMLElement): Map<string, TicketBox> {
  const { scrollTop } = scrollerOf(tickets);
  return new Map(
    [...tickets.querySelectorAll<HTMLElement>('[data-ticket]')].map((ticket) => {
      const { left, top, width, height } = ticket.getBoundingClientRect();
      const box = { x: left, y: top + scrollTop, width, height };
      return [ticket.dataset['ticket'] ?? '', box];
    }),
  );
}

/**
 * Sets the common height of the lists in a lane or a phone's tab. In a dialog lists keep their height, because the
 * dialog scrolls.
 */
function fitLists(tickets: HTMLElement): void {
  const first = tickets.querySelector<HTMLElement>('[data-list]');
  if (!first || tickets.closest('[role="dialog"]')) return;
  const { gridTemplateColumns, rowGap, paddingTop, paddingBottom } = getComputedStyle(tickets);
  const style = getComputedStyle(first);
  const gap = Number.parseFloat(rowGap);
  const least = Number.parseFloat(style.getPropertyValue('--rows')) * Number.parseFloat(style.lineHeight);
  const room = scrollerOf(tickets).clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
  const across = gridTemplateColumns.split(' ').length;
  const { children } = tickets;
  const rows: TicketSize[][] = [];
  let height = -gap;
  let place = 0;
  while (place < children.length && height <= room) {
    const row = [...children].slice(place, place + across).map(readSize);
    rows.push(row);
    height += Math.max(...row.map(({ fixed, list }) => fixed + Math.min(list, least))) + gap;
    place += across;
  }
  const most = commonListHeight({ rows, isAll: place >= children.length, room, gap, least });
  const value = most === Infinity ? 'none' : `${most}px`;
  if (tickets.style.getPropertyValue('--list') !== value) tickets.style.setProperty('--list', value);
}

function readSize(ticket: Element): TicketSize {
  const box = ticket.querySelector('[data-list]');
  const whole = ticket.getBoundingClientRect().height;
  const list = box?.firstElementChild?.getBoundingClientRect().height ?? 0;
  // A ticket far below the screen has no layout to measure.
  if (!box || list === 0) return { fixed: whole, list: 0 };
  const fixed = whole - box.getBoundingClientRect().height;
  // An opened list is never shortened, so its whole height counts as fixed.
  return ticket.querySelector('[data-open]') ? { fixed: fixed + list, list: 0 } : { fixed, list };
}
