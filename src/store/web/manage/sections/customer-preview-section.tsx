import { NativeSelect, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { dateWords, dayWords, timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { localDateWords } from '#store/closure-rules.ts';
import {
  type CustomerView,
  customerViewAt,
  isPreviewTimePast,
  gmtOffsetWords,
  parseLocalTime,
  type FulfilmentView,
  timeAndDayWords,
  formatLocalTime,
} from '#store/customer-preview.ts';
import type { Store } from '#store/contract.ts';
import { openingLabel, openSignStatusAt } from '#store/web/opening-status.ts';
import manage from '#store/web/manage/manage.module.css';
import classes from '#store/web/manage/sections/customer-preview-section.module.css';
import { SettingsSection } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { useOrdersPerSlot } from '#store/web/manage/sections/slots-section.tsx';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

export function CustomerPreviewSection({ draft }: { draft: StoreDraft }) {
  const now = useNow();
  const { store } = draft;
  const zone = store.timezone;
  const taken = useOrdersPerSlot(store.id);
  const [typed, setTyped] = useState(() => formatLocalTime(zone, now));
  const [isSecond, setSecond] = useState(false);
  const [zoneIndex, setZoneIndex] = useState(0);
  const read = parseLocalTime(zone, typed);
  const at = read?.kind === 'twice' ? read.instants[isSecond ? 1 : 0] : read?.instant;
  const zones = store.delivery_zones;
  const view = at && customerViewAt(store, at, now, { taken, zone: zones[zoneIndex] });

  return (
    <SettingsSection draft={draft} title={m.store_manage_view()} hint={m.store_manage_view_hint()}>
      <FieldColumns>
        <TextInput
          type="datetime-local"
          label={m.store_manage_view_at({ zone })}
          value={typed}
          error={read ? undefined : m.store_manage_view_wrong()}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setSecond(false);
          }}
        />
        {zones.length > 0 && (
          <NativeSelect
            label={m.store_manage_view_zone()}
            value={zoneIndex}
            data={zones.map(({ name }, index) => ({ value: String(index), label: name }))}
            onChange={(event) => setZoneIndex(Number(event.currentTarget.value))}
          />
        )}
      </FieldColumns>
      {read?.kind === 'twice' && (
        <Radio.Group
          label={m.store_manage_view_twice()}
          value={isSecond ? 'second' : 'first'}
          onChange={(value) => setSecond(value === 'second')}
        >
          {read.instants.map((instant, index) => (
            <Radio
              key={instant.toISOString()}
              py="xs"
              value={index === 0 ? 'first' : 'second'}
              label={
                index === 0
                  ? m.store_manage_view_first({ offset: gmtOffsetWords(zone, instant) })
                  : m.store_manage_view_second({ offset: gmtOffsetWords(zone, instant) })
              }
            />
          ))}
        </Radio.Group>
      )}
      {read?.kind === 'skipped' && (
        <p className={manage.warn}>
          {m.store_manage_view_skipped({
            time: timeWords(read.instant, zone),
            offset: gmtOffsetWords(zone, read.instant),
          })}
        </p>
      )}
      {at && view && <Answer store={store} view={view} at={at} now={now} />}
    </SettingsSection>
  );
}

function Answer({ store, view, at, now }: { store: Store; view: CustomerView; at: Date; now: Date }) {
  const zone = store.timezone;
  const words = openSignStatusAt(store, at).words;
  return (
    <section aria-live="polite" aria-label={m.store_manage_view_answer()} className={manage.panel} data-answer>
      <p className={view.state.is_open ? manage.good : manage.warn}>
        <strong>{openingLabel(view.state)}</strong>
        {/* For a shop that never closes both texts are the same, so only one is shown. */}
        {words !== openingLabel(view.state) && ` · ${words}`}
      </p>
      <p>{view.why}</p>
      {!view.state.is_open && view.state.opens_at && (
        <p>{m.store_manage_view_opens({ when: timeAndDayWords(view.state.opens_at, at, zone) })}</p>
      )}
      <p className={manage.soft}>
        {m.store_manage_view_day({
          day: localDateWords(view.tradingDay),
          date: dateWords(at, zone),
          offset: gmtOffsetWords(zone, at),
        })}
      </p>
      {isPreviewTimePast(at, now) && <p className={manage.soft}>{m.store_manage_view_past()}</p>}
      {store.busy_extra_minutes > 0 && (
        <p className={manage.soft}>{m.store_manage_view_busy({ minutes: store.busy_extra_minutes })}</p>
      )}
      {view.ways.map((way) => (
        <Way key={way.fulfilment} way={way} at={at} zone={zone} />
      ))}
    </section>
  );
}

function Way({ way, at, zone }: { way: FulfilmentView; at: Date; zone: string }) {
  const title = way.fulfilment === 'delivery' ? m.store_delivery() : m.store_collection();
  if (!way.isOffered) {
    return (
      <section>
        <h3>{title}</h3>
        <p className={manage.soft}>{m.store_manage_view_not_offered()}</p>
      </section>
    );
  }
  return (
    <section data-way={way.fulfilment}>
      <h3>{title}</h3>
      <p>
        {'minutes' in way.soon ? m.store_manage_view_soon({ minutes: way.soon.minutes }) : way.soon.problem}{' '}
        {way.earliest !== null &&
          !('minutes' in way.soon) &&
          m.store_manage_view_earliest({ when: timeAndDayWords(way.earliest, at, zone) })}
      </p>
      {way.slots.length === 0 ? (
        <p className={manage.soft}>{m.store_manage_view_no_slots()}</p>
      ) : (
        <ul className={classes.slots} aria-label={m.store_manage_view_slots()}>
          {way.slots.map(({ starts_at: start, is_available: isFree }) => (
            <li key={start} data-full={isFree ? undefined : true}>
              {timeWords(start, zone)}
              {!isFree && <span className="visually-hidden"> {m.store_manage_slot_gone()}</span>}
              {dayWords(start, at, zone) === m.platform_today() ? '' : ` (${dayWords(start, at, zone)})`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
