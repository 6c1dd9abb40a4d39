import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { useNow } from '#platform/web/clock.ts';
import {
  type BankHoliday,
  bankHolidaysFrom,
  closureDaysWords,
  localDateWords,
  type HolidayName,
  type UkNation,
  ukNations,
  closureProblems,
} from '#store/closure-rules.ts';
import type { Store } from '#store/contract.ts';
import type { Closure, SpecialDay } from '#store/hours-shapes.ts';
import { dayEntriesWords } from '#store/hours-words.ts';
import { withSpecialDay } from '#store/special-days.ts';
import { HoursCalendar } from '#store/web/manage/sections/hours-calendar.tsx';
import { SpecialDayPanel } from '#store/web/manage/sections/special-day-panel.tsx';
import { timeAndDayWords } from '#store/customer-preview.ts';
import { mergedEntries, sessionAtOrAfter, specialDayOn } from '#store/opening-hours.ts';
import classes from '#store/web/manage/manage.module.css';
import { positionalRowKey, SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { DAY, dateOfDayNumber, dayNumberOfWallTime, dayNumberOf, instantAt, wallTimeAt } from '#platform/zone-clock.ts';
import { withoutIncompleteHours } from '#store/store-changes.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

export function ClosuresSection({ draft }: { draft: StoreDraft }) {
  const now = useNow();
  const { closures } = draft.preview;
  const [chosen, setChosen] = useState<string | null>(null);
  const today = dateOfDayNumber(dayNumberOfWallTime(wallTimeAt(draft.store.timezone, now.getTime())));
  const tomorrow = dateOfDayNumber(dayNumberOf(today) + 1);
  const { special_hours: specials } = draft.preview;
  const past = closures.filter(({ to }) => to !== '' && to < today);
  const pastSpecials = specials.filter((day) => !day.repeats_yearly && day.date < today);
  const change = (next: Closure[]): void => draft.set('closures', next);

  return (
    <SettingsSection
      draft={draft}
      fields={sectionFields.closures}
      title={m.store_manage_closures()}
      hint={m.store_manage_calendar_hint()}
    >
      <HoursCalendar store={draft.preview} today={today} chosen={chosen} onChoose={setChosen} />
      {chosen === null ? (
        <p className={classes.soft}>{m.store_manage_calendar_choose()}</p>
      ) : (
        <SpecialDayPanel key={chosen} draft={draft} date={chosen} now={now} />
      )}
      <h3>{m.store_manage_closures_long()}</h3>
      <p className={classes.soft}>{m.store_manage_closures_hint()}</p>
      {closures.length === 0 && <p className={classes.soft}>{m.store_manage_closures_none()}</p>}
      {closures.map((closure, index) => (
        <ClosureCard
          key={positionalRowKey(closures, index)}
          draft={draft}
          closure={closure}
          index={index}
          onChange={(next) => change(closures.map((other, at) => (at === index ? next : other)))}
          onRemove={() => change(closures.filter((_other, at) => at !== index))}
        />
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => change([...closures, { from: tomorrow, to: tomorrow, reason: '' }])}
        >
          {m.store_manage_closure_add()}
        </Button>
        {past.length + pastSpecials.length > 0 && (
          <Button
            variant="subtle"
            onClick={() => {
              change(closures.filter((closure) => !past.includes(closure)));
              draft.set(
                'special_hours',
                specials.filter((day) => !pastSpecials.includes(day)),
              );
            }}
          >
            {m.store_manage_closures_tidy()}
          </Button>
        )}
      </Group>
      <Holidays
        today={today}
        closures={closures}
        special={specials}
        onOther={(date, reason) => {
          draft.set(
            'special_hours',
            withSpecialDay(specials, { date, repeats_yearly: false, hours: [noonToFour], reason }),
          );
          setChosen(date);
        }}
        onAdd={(closure) => change([...closures, closure].sort((a, b) => a.from.localeCompare(b.from)))}
      />
    </SettingsSection>
  );
}

interface CardProps {
  draft: StoreDraft;
  closure: Closure;
  index: number;
  onChange: (closure: Closure) => void;
  onRemove: () => void;
}

function ClosureCard({ draft, closure, index, onChange, onRemove }: CardProps) {
  const problems = closureProblems(draft.preview.closures);
  const errorOf = (field: 'from' | 'to'): string | undefined =>
    problems.find((problem) => problem.index === index && problem.field === field)?.message ??
    draft.errorAt(`closures.${index}.${field}`);
  const name = (field: string): string => `closures.${index}.${field}`;
  const reopens = reopensWords(draft.preview, closure);
  return (
    <fieldset className={classes.panel}>
      <legend>
        {closure.from === '' || closure.to === '' ? m.store_manage_closure_new() : closureDaysWords(closure)}
      </legend>
      <FieldColumns>
        <TextInput
          type="date"
          name={name('from')}
          label={m.store_manage_closure_from()}
          value={closure.from}
          error={errorOf('from')}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...closure, from: value, to: closure.to < value ? value : closure.to })
          }
        />
        <TextInput
          type="date"
          name={name('to')}
          label={m.store_manage_closure_to()}
          value={closure.to}
          error={errorOf('to')}
          onChange={({ currentTarget: { value } }) => onChange({ ...closure, to: value })}
        />
        <TextInput
          name={name('reason')}
          label={m.store_manage_closure_reason()}
          maxLength={200}
          value={closure.reason}
          error={draft.errorAt(name('reason'))}
          onChange={({ currentTarget: { value } }) => onChange({ ...closure, reason: value })}
        />
      </FieldColumns>
      <Group justify="space-between">
        <span className={classes.soft}>{reopens}</span>
        <Button
          variant="subtle"
          color="bad"
          aria-label={m.store_manage_closure_remove_days({ days: closureDaysWords(closure) })}
          onClick={onRemove}
        >
          {m.store_manage_remove()}
        </Button>
      </Group>
    </fieldset>
  );
}

/** Words that say when the shop opens again after a closure, by the shop's clock. Empty for an invalid closure. */
function reopensWords(store: Store, closure: Closure): string {
  if (closure.from === '' || closure.to === '' || closure.to < closure.from) return '';
  const after = instantAt(store.timezone, (dayNumberOf(closure.to) + 1) * DAY);
  const next = sessionAtOrAfter(withoutIncompleteHours(store), after);
  if (!next) return m.store_manage_closure_no_opening();
  return m.store_manage_closure_reopens({
    when: timeAndDayWords(new Date(Math.max(next.from, after)), new Date(0), store.timezone),
  });
}

const noonToFour = { open: '12:00', close: '16:00' };

interface HolidayProps {
  today: string;
  closures: readonly Closure[];
  special: readonly SpecialDay[];
  onOther: (date: string, reason: string) => void;
  onAdd: (closure: Closure) => void;
}

function Holidays({ today, closures, special, onOther, onAdd }: HolidayProps) {
  const [nation, setNation] = useState<UkNation>('england_wales');
  const nationWords: Record<UkNation, string> = {
    england_wales: m.store_manage_nation_england_wales(),
    scotland: m.store_manage_nation_scotland(),
    northern_ireland: m.store_manage_nation_northern_ireland(),
  };
  return (
    <fieldset className={classes.panel}>
      <legend>{m.store_manage_holidays()}</legend>
      <p className={classes.soft}>{m.store_manage_holidays_hint()}</p>
      <NativeSelect
        label={m.store_manage_nation()}
        value={nation}
        data={ukNations.map((value) => ({ value, label: nationWords[value] }))}
        onChange={(event) => setNation(ukNations.find((value) => value === event.currentTarget.value) ?? nation)}
      />
      <ul className={classes.list}>
        {bankHolidaysFrom(today, nation).map((holiday) => {
          const { date } = holiday;
          const isClosed = closures.some(({ from, to }) => from <= date && date <= to);
          const other = specialDayOn(special, date);
          return (
            <li key={`${date} ${holiday.name}`}>
              <span>
                <strong>{holidayWords(holiday)}</strong> <span className={classes.soft}>{localDateWords(date)}</span>
              </span>
              {isClosed ? (
                <span className={classes.soft}>{m.store_manage_holiday_closed()}</span>
              ) : other ? (
                <span className={classes.soft}>{dayEntriesWords(mergedEntries(other.hours))}</span>
              ) : (
                <Group gap="xs">
                  <Button
                    variant="default"
                    aria-label={m.store_manage_holiday_other_on({
                      name: holidayWords(holiday),
                      date: localDateWords(date),
                    })}
                    onClick={() => onOther(date, holidayWords(holiday))}
                  >
                    {m.store_manage_special_other()}
                  </Button>
                  <Button
                    variant="default"
                    aria-label={m.store_manage_holiday_close_on({
                      name: holidayWords(holiday),
                      date: localDateWords(date),
                    })}
                    onClick={() => onAdd({ from: date, to: date, reason: holidayWords(holiday) })}
                  >
                    {m.store_manage_holiday_close()}
                  </Button>
                </Group>
              )}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

function holidayWords({ name, isSubstitute }: BankHoliday): string {
  const words: Record<HolidayName, () => string> = {
    new_year: m.store_holiday_new_year,
    second_january: m.store_holiday_second_january,
    st_patrick: m.store_holiday_st_patrick,
    good_friday: m.store_holiday_good_friday,
    easter_monday: m.store_holiday_easter_monday,
    early_may: m.store_holiday_early_may,
    spring: m.store_holiday_spring,
    boyne: m.store_holiday_boyne,
    summer: m.store_holiday_summer,
    st_andrew: m.store_holiday_st_andrew,
    christmas: m.store_holiday_christmas,
    boxing: m.store_holiday_boxing,
  };
  return isSubstitute ? m.store_holiday_substitute({ name: words[name]() }) : words[name]();
}
