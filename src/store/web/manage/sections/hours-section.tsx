import { ActionIcon, Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { m } from '#messages';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { OpeningEntry } from '#store/hours-shapes.ts';
import { positionalRowKey, SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import { type DayEntry, isAllDay } from '#store/opening-hours.ts';
import { copyDay, overlappingEntries, OpeningHoursChart } from '#store/web/manage/opening-hours-chart.tsx';
import { type Weekday, weekdays } from '#database/page-values.ts';
import { weekdayName } from '#store/weekday-words.ts';
import { settingLabel } from '#store/web/manage/fields.tsx';
import manage from '#store/web/manage/manage.module.css';
import classes from '#store/web/manage/sections/hours-section.module.css';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

export function HoursSection({ draft }: { draft: StoreDraft }) {
  const [copied, setCopied] = useState<Weekday | null>(null);
  const { preview } = draft;
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const change = (entries: OpeningEntry[]): void => draft.set('operational_hours', entries);

  return (
    <SettingsSection
      draft={draft}
      fields={sectionFields.hours}
      title={m.store_manage_hours()}
      hint={m.store_manage_hours_hint({ zone: preview.timezone })}
    >
      <OpeningHoursChart store={preview} />
      {weekdays.map((day) => (
        <Day key={day} day={day} draft={draft} change={change} onCopy={() => setCopied(day)} />
      ))}
      <FieldColumns>
        <TextInput
          type="time"
          name="day_starts_at"
          label={settingLabel('day_starts_at')}
          description={m.store_manage_day_starts_hint()}
          value={preview.day_starts_at}
          error={draft.errorAt('day_starts_at')}
          onChange={(event) => draft.set('day_starts_at', event.currentTarget.value)}
        />
        <NativeSelect
          name="timezone"
          label={settingLabel('timezone')}
          description={m.store_manage_timezone_hint()}
          value={preview.timezone}
          data={zones.includes(preview.timezone) ? zones : [preview.timezone, ...zones]}
          error={draft.errorAt('timezone')}
          onChange={(event) => draft.set('timezone', event.currentTarget.value)}
        />
      </FieldColumns>
      {copied && (
        <CopyDialog
          day={copied}
          onClose={() => setCopied(null)}
          onCopy={(days) => change(copyDay(preview.operational_hours, copied, days))}
        />
      )}
    </SettingsSection>
  );
}

interface DayProps {
  day: Weekday;
  draft: StoreDraft;
  change: (entries: OpeningEntry[]) => void;
  onCopy: () => void;
}

function Day({ day, draft, change, onCopy }: DayProps) {
  const all = draft.preview.operational_hours;
  const own = all.flatMap((entry, index) => (entry.day === day ? [{ entry, index }] : []));
  const overlaps = overlappingEntries(all.filter(({ open, close }) => open !== '' && close !== ''));
  const edit = (index: number, part: Partial<OpeningEntry>): void =>
    change(all.map((entry, at) => (at === index ? { ...entry, ...part } : entry)));
  const add = (): void => {
    const last = own.at(-1)?.entry;
    change([
      ...all,
      { day, open: last ? last.close : '12:00', close: last && last.close < '22:00' ? '22:00' : '23:00' },
    ]);
  };

  return (
    <fieldset className={manage.panel} data-day={day}>
      <legend>{weekdayName(day)}</legend>
      {own.length === 0 && <p className={manage.soft}>{m.store_sign_closed()}</p>}
      {own.length > 0 && (
        <div className={classes.sessions}>
          {own.map(({ entry, index }, at) => (
            <div key={positionalRowKey(own, at)} className={classes.times}>
              <TextInput
                type="time"
                name={`operational_hours.${index}.open`}
                label={m.store_manage_session_opens()}
                aria-label={m.store_manage_session_opens_on({ session: at + 1, day: weekdayName(day) })}
                value={entry.open}
                error={draft.errorAt(`operational_hours.${index}.open`)}
                onChange={(event) => edit(index, { open: event.currentTarget.value })}
              />
              <TextInput
                type="time"
                name={`operational_hours.${index}.close`}
                label={m.store_manage_session_closes()}
                aria-label={m.store_manage_session_closes_on({ session: at + 1, day: weekdayName(day) })}
                value={entry.close}
                error={draft.errorAt(`operational_hours.${index}.close`)}
                onChange={(event) => edit(index, { close: event.currentTarget.value })}
              />
              <ActionIcon
                color="bad"
                aria-label={m.store_manage_session_remove({ session: at + 1, day: weekdayName(day) })}
                onClick={() => change(all.filter((_entry, other) => other !== index))}
              >
                <Icon name="close" />
              </ActionIcon>
              <OpeningEntryHint entry={entry} isOverlapping={overlaps.some((overlap) => overlap.entry === index)} />
            </div>
          ))}
        </div>
      )}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          aria-label={m.store_manage_session_add_on({ day: weekdayName(day) })}
          onClick={add}
        >
          {m.store_manage_session_add()}
        </Button>
        <Button variant="subtle" aria-label={m.store_manage_copy_from({ day: weekdayName(day) })} onClick={onCopy}>
          {m.store_manage_copy()}
        </Button>
      </Group>
    </fieldset>
  );
}

/**
 * Shows a note below an opening that lasts all day, ends after midnight or overlaps another opening, because the owner
 * may not intend this.
 */
export function OpeningEntryHint({ entry, isOverlapping = false }: { entry: DayEntry; isOverlapping?: boolean }) {
  const { open, close } = entry;
  if (open === '' || close === '') return null;
  const isOvernight = close < open && close !== '00:00';
  return (
    <>
      {isAllDay(entry) && (
        <p className={manage.warn} role="status">
          {open === close && open !== '00:00'
            ? m.store_manage_session_all_day_until({ time: close })
            : m.store_manage_session_all_day()}
        </p>
      )}
      {isOvernight && <p className={manage.soft}>{m.store_manage_session_overnight({ time: close })}</p>}
      {isOverlapping && <p className={manage.soft}>{m.store_manage_session_overlaps()}</p>}
    </>
  );
}

interface CopyProps {
  day: Weekday;
  onClose: () => void;
  onCopy: (days: Weekday[]) => void;
}

function CopyDialog({ day, onClose, onCopy }: CopyProps) {
  const [days, setDays] = useState<Weekday[]>([]);
  const others = weekdays.filter((other) => other !== day);
  return (
    <Dialog opened onClose={onClose} title={m.store_manage_copy_from({ day: weekdayName(day) })}>
      <p>{m.store_manage_copy_hint()}</p>
      <Checkbox.Group
        label={m.store_manage_copy_to()}
        value={days}
        onChange={(values) => setDays(others.filter((other) => values.includes(other)))}
      >
        {others.map((other) => (
          <Checkbox key={other} value={other} label={weekdayName(other)} py="xs" />
        ))}
      </Checkbox.Group>
      <Group justify="flex-end" mt="lg">
        <Button variant="subtle" onClick={() => setDays(others)}>
          {m.store_manage_copy_all()}
        </Button>
        <Button
          disabled={days.length === 0}
          onClick={() => {
            onCopy(days);
            onClose();
          }}
        >
          {m.store_manage_copy_do()}
        </Button>
      </Group>
    </Dialog>
  );
}
