import { ActionIcon, Button, Checkbox, Group, Radio, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { closureDaysWords, localDateWords, specialDayProblems } from '#store/closure-rules.ts';
import type { SpecialDay } from '#store/hours-shapes.ts';
import { dayEntriesWords } from '#store/hours-words.ts';
import { clockChangeWords } from '#store/special-days.ts';
import { closureOfDay, type DayEntry, hoursOfDay, specialDayOn, tradingDayOf } from '#store/opening-hours.ts';
import { withoutIncompleteHours } from '#store/store-changes.ts';
import classes from '#store/web/manage/manage.module.css';
import calendarClasses from '#store/web/manage/sections/hours-calendar.module.css';
import { OpeningEntryHint } from '#store/web/manage/sections/hours-section.tsx';
import { positionalRowKey } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { overlappingEntries } from '#store/web/manage/opening-hours-chart.tsx';
import { calendarDayWords } from '#platform/date-words.ts';
import { dayNumberOf } from '#platform/zone-clock.ts';

type Choice = 'week' | 'other' | 'closed';

/** The hours of one date. They can be changed until the end of the date's trading day, which may be after midnight. */
export function SpecialDayPanel({ draft, date, now }: { draft: StoreDraft; date: string; now: Date }) {
  if (date >= tradingDayOf(draft.store, now)) return <SpecialDayForm draft={draft} date={date} />;
  return (
    <fieldset className={classes.panel}>
      <legend>{calendarDayWords(date)}</legend>
      <p className={classes.soft}>{m.store_manage_special_over()}</p>
    </fieldset>
  );
}

/** A choice of the week's hours, special hours or no hours. The draft holds the change until the section is saved. */
function SpecialDayForm({ draft, date }: { draft: StoreDraft; date: string }) {
  const panel = useRef<HTMLFieldSetElement>(null);
  // On a phone the panel is below the list of the month, so it scrolls into view. The braces drop the call's result:
  // newer browsers return a promise, which React would take for a clean-up function.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const days = draft.preview.special_hours;
  const special = specialDayOn(days, date);
  const closure = closureOfDay(draft.preview, dayNumberOf(date));
  const usual = hoursOfDay(
    { ...withoutIncompleteHours(draft.preview), special_hours: [], closures: [] },
    dayNumberOf(date),
  ).entries;
  const index = special ? days.indexOf(special) : days.length;
  const edit = (part: Partial<SpecialDay>): void => {
    const { instead_of: _early, ...before } = special ?? {
      date,
      repeats_yearly: false,
      hours: plainTimes(usual),
      reason: '',
    };
    const next = { ...before, ...part };
    draft.set('special_hours', special ? days.map((day) => (day === special ? next : day)) : [...days, next]);
  };
  const choose = (choice: string): void => {
    if (choice === 'week')
      draft.set(
        'special_hours',
        days.filter((day) => day !== special),
      );
    else edit({ hours: choice === 'closed' ? [] : plainTimes(usual) });
  };
  const problem = specialDayProblems(days).find((found) => found.index === index)?.message;
  const choice: Choice = !special ? 'week' : special.hours.length === 0 ? 'closed' : 'other';
  return (
    <fieldset ref={panel} className={classes.panel}>
      <legend>{calendarDayWords(date)}</legend>
      {closure && (
        <p className={classes.warn}>{m.store_manage_special_in_closure({ days: closureDaysWords(closure) })}</p>
      )}
      {special?.repeats_yearly && special.date !== date && (
        <p className={classes.soft}>{m.store_manage_special_every_year({ date: localDateWords(special.date) })}</p>
      )}
      <Radio.Group
        name="special_day"
        label={m.store_manage_special_hours_of()}
        value={choice}
        error={problem ?? draft.errorAt(`special_hours.${index}.date`)}
        onChange={choose}
      >
        <Radio value="week" py="xs" label={m.store_manage_special_week({ hours: dayEntriesWords(usual) })} />
        <Radio value="other" py="xs" label={m.store_manage_special_other()} />
        <Radio value="closed" py="xs" label={m.store_manage_special_closed()} />
      </Radio.Group>
      {special && choice === 'other' && (
        <Times draft={draft} date={date} hours={special.hours} index={index} onChange={(hours) => edit({ hours })} />
      )}
      {special && (
        <>
          <TextInput
            name={`special_hours.${index}.reason`}
            label={m.store_manage_closure_reason()}
            maxLength={200}
            value={special.reason}
            error={draft.errorAt(`special_hours.${index}.reason`)}
            onChange={({ currentTarget: { value } }) => edit({ reason: value })}
          />
          <Checkbox
            label={m.store_manage_special_repeats({ day: dayOfYear(date) })}
            description={date.endsWith('-02-29') ? m.store_manage_special_leap() : undefined}
            checked={special.repeats_yearly}
            onChange={({ currentTarget: { checked } }) => edit({ repeats_yearly: checked, date })}
          />
        </>
      )}
    </fieldset>
  );
}

interface TimesProps {
  draft: StoreDraft;
  date: string;
  hours: readonly DayEntry[];
  index: number;
  onChange: (hours: DayEntry[]) => void;
}

function Times({ draft, date, hours, index, onChange }: TimesProps) {
  const edit = (at: number, part: Partial<DayEntry>): void =>
    onChange(hours.map((entry, other) => (other === at ? { ...entry, ...part } : entry)));
  const isTyped = hours.every(({ open, close }) => open !== '' && close !== '');
  const isOverlapping =
    isTyped && overlappingEntries(hours.map((entry) => ({ ...entry, day: 'Monday' as const }))).length > 0;
  return (
    <>
      {hours.map((entry, at) => (
        <div key={positionalRowKey(hours, at)} className={calendarClasses.times}>
          <TextInput
            type="time"
            name={`special_hours.${index}.hours.${at}.open`}
            label={m.store_manage_session_opens()}
            aria-label={m.store_manage_special_opens({ session: at + 1 })}
            value={entry.open}
            error={draft.errorAt(`special_hours.${index}.hours.${at}.open`)}
            onChange={({ currentTarget: { value } }) => edit(at, { open: value })}
          />
          <TextInput
            type="time"
            name={`special_hours.${index}.hours.${at}.close`}
            label={m.store_manage_session_closes()}
            aria-label={m.store_manage_special_closes({ session: at + 1 })}
            value={entry.close}
            error={draft.errorAt(`special_hours.${index}.hours.${at}.close`)}
            onChange={({ currentTarget: { value } }) => edit(at, { close: value })}
          />
          {hours.length > 1 && (
            <ActionIcon
              color="bad"
              aria-label={m.store_manage_special_remove({ session: at + 1 })}
              onClick={() => onChange(hours.filter((_entry, other) => other !== at))}
            >
              <Icon name="close" />
            </ActionIcon>
          )}
          <TimesNote zone={draft.preview.timezone} date={date} entry={entry} />
        </div>
      ))}
      {isOverlapping && <p className={classes.soft}>{m.store_manage_session_overlaps()}</p>}
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => onChange([...hours, { open: hours.at(-1)?.close ?? '12:00', close: '23:00' }])}
        >
          {m.store_manage_session_add()}
        </Button>
      </Group>
    </>
  );
}

/**
 * Shows how a clock change affects an opening. Without such an effect, shows the notes that openings on ordinary days
 * have.
 */
function TimesNote({ zone, date, entry }: { zone: string; date: string; entry: DayEntry }) {
  const ofClocks = new Set(
    (['open', 'close'] as const).flatMap((field) => clockChangeWords(zone, date, entry, field) ?? []),
  );
  if (ofClocks.size === 0) return <OpeningEntryHint entry={entry} />;
  return [...ofClocks].map((words) => (
    <p key={words} className={classes.warn} role="status">
      {words}
    </p>
  ));
}

function plainTimes(entries: readonly DayEntry[]): DayEntry[] {
  if (entries.length === 0) return [{ open: '12:00', close: '16:00' }];
  return entries.map(({ open, close }) => ({ open, close }));
}

function dayOfYear(date: string): string {
  return localDateWords(date).replace(/ \d{4}$/, '');
}
