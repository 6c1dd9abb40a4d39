import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { Store } from '#store/contract.ts';
import { dayEntriesWords } from '#store/hours-words.ts';
import { dateAfterArrowKey, addMonths, weeksOfMonth } from '#store/month-days.ts';
import { hoursOfDay } from '#store/opening-hours.ts';
import { withoutIncompleteHours } from '#store/store-changes.ts';
import { weekdayName } from '#store/weekday-words.ts';
import classes from '#store/web/manage/sections/hours-calendar.module.css';
import { calendarDayWords, monthWords } from '#platform/date-words.ts';
import { dayNumberOf } from '#platform/zone-clock.ts';
import { weekdays } from '#database/page-values.ts';

interface CalendarProps {
  store: Store;
  today: string;
  chosen: string | null;
  onChoose: (date: string) => void;
}

/** A month of the shop's hours by date: a grid with arrow keys on a wide screen, a list on a phone. */
export function HoursCalendar({ store, today, chosen, onChoose }: CalendarProps) {
  const [reached, setReached] = useState(chosen ?? today);
  const [shown, setShown] = useState(chosen);
  // Another component has chosen a date, which may be in another month, so the calendar shows that date's month.
  if (chosen !== shown) {
    setShown(chosen);
    if (chosen !== null) setReached(chosen);
  }
  const frame = useRef<HTMLDivElement>(null);
  const isByKey = useRef(false);
  // A date's button in another month exists only after the render, so the focus moves in an effect.
  useEffect(() => {
    if (isByKey.current) frame.current?.querySelector<HTMLElement>(`table [data-date="${reached}"]`)?.focus();
    isByKey.current = false;
  }, [reached]);
  const typed = withoutIncompleteHours(store);
  const weeks = weeksOfMonth(reached);
  // On a phone the list of this month begins at today, because nobody plans the days before.
  const isListed = (date: string): boolean => date >= today || date.slice(0, 7) !== today.slice(0, 7);
  const day = (date: string, name: string, isByKeys: boolean) => {
    const isNext = !isByKeys || date === reached;
    const keys = isByKeys ? { onKeyDown: move } : {};
    return <Day {...keys} {...{ date, name, today, chosen, isNext }} store={typed} onChoose={choose} />;
  };
  const choose = (date: string): void => {
    setReached(date);
    onChoose(date);
  };
  const move = (event: KeyboardEvent): void => {
    const next = dateAfterArrowKey(reached, event.key);
    if (next === null) return;
    event.preventDefault();
    isByKey.current = true;
    setReached(next);
  };
  return (
    <div ref={frame}>
      <div className={classes.head}>
        <ActionIcon aria-label={m.store_manage_month_before()} onClick={() => setReached(addMonths(reached, -1))}>
          <Icon name="chevronLeft" />
        </ActionIcon>
        <h3 aria-live="polite">{monthWords(reached)}</h3>
        <ActionIcon aria-label={m.store_manage_month_after()} onClick={() => setReached(addMonths(reached, 1))}>
          <Icon name="chevronRight" />
        </ActionIcon>
      </div>
      <table className={classes.grid} aria-label={monthWords(reached)}>
        <thead>
          <tr>
            {weekdays.map((weekday) => (
              <th key={weekday} scope="col" abbr={weekdayName(weekday)}>
                {weekdayName(weekday).slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.join()}>
              {week.map((date, place) => (
                <td key={date ?? weekdays[place]}>{date && day(date, String(Number(date.slice(8))), true)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={classes.list} aria-label={monthWords(reached)}>
        {weeks.flat().map((date) => date && isListed(date) && <li key={date}>{day(date, shortDay(date), false)}</li>)}
      </ul>
    </div>
  );
}

interface DayProps extends CalendarProps {
  date: string;
  name: string;
  /** Whether Tab reaches the date's button. In the grid, Tab reaches one button only; arrow keys move to the others. */
  isNext: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
}

function Day({ store, date, name, today, chosen, isNext, onKeyDown, onChoose }: DayProps) {
  const { entries, closure, special } = hoursOfDay(store, dayNumberOf(date));
  const reason = closure?.reason ?? special?.reason;
  const kind = entries.length === 0 ? 'closed' : special ? 'special' : 'week';
  const words = dayEntriesWords(entries);
  return (
    <button
      type="button"
      className={classes.day}
      data-date={date}
      data-kind={closure || special ? kind : 'week'}
      data-past={date < today || undefined}
      tabIndex={isNext ? 0 : -1}
      aria-pressed={date === chosen}
      aria-current={date === today ? 'date' : undefined}
      onKeyDown={onKeyDown}
      onClick={() => onChoose(date)}
    >
      <VisuallyHidden>{calendarDayWords(date)}</VisuallyHidden>
      <b aria-hidden="true">{date === today ? `${name} · ${m.platform_today()}` : name}</b>
      <span>{words}</span>
      {reason && <span>{reason}</span>}
    </button>
  );
}

function shortDay(date: string): string {
  const [weekday = '', ...rest] = calendarDayWords(date).split(' ');
  return [weekday.slice(0, 3), ...rest].join(' ');
}
