import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import type { MenuParts } from '#menu/fields.ts';
import type { PriceChange } from '#menu/menu-shapes.ts';
import {
  makeGuardedChangeOperation,
  type ItemPart,
  type MenuOperation,
  type OptionPart,
  type PartsIndex,
} from '#menu/operations/menu-operation.ts';
import { readTypedPrice } from '#menu/web/editor/edit-fields.tsx';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { formatMoney } from '#platform/money.ts';
import { useNow } from '#platform/web/clock.ts';
import { parseLocalTime, timeAndDayWords } from '#store/customer-preview.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

/**
 * A typed local time: either the instant at which prices change, with a note if the clock changes then, or why the time
 * is refused.
 */
type ChangeTime = { at: string; note: string | null } | { problem: string };

/**
 * Reads a date and time of the shop's clock. A repeated time means its first instant; a skipped time means the instant
 * of the clock change.
 */
export function parsePriceChangeTime(zone: string, text: string, now: Date): ChangeTime {
  const read = parseLocalTime(zone, text);
  if (!read) return { problem: m.menu_edit_later_wrong() };
  const instant = read.kind === 'twice' ? read.instants[0] : read.instant;
  if (instant <= now) return { problem: m.menu_edit_later_past() };
  const words = timeAndDayWords(instant, now, zone);
  const note =
    read.kind === 'twice'
      ? m.menu_edit_later_twice()
      : read.kind === 'skipped'
        ? m.menu_edit_later_skipped({ when: words })
        : null;
  return { at: instant.toISOString(), note };
}

export function PriceChangeTimeInput({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { store } = useMenuEditing();
  const now = useNow();
  const read = value === '' ? null : parsePriceChangeTime(store.timezone, value, now);
  return (
    <TextInput
      type="datetime-local"
      label={m.menu_edit_later_at()}
      description={read && 'note' in read ? read.note : m.menu_edit_later_clock({ zone: store.timezone })}
      value={value}
      error={read && 'problem' in read ? read.problem : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface EditProps {
  value: PriceChange;
  price: number;
  onCommit: (change: PriceChange) => void;
}

/**
 * A field for a scheduled price. It shows the scheduled price with a button that cancels it. Without a scheduled price,
 * it shows a button that opens the fields for scheduling.
 */
export function PriceChangeEdit({ value, price, onCommit }: EditProps) {
  const { store } = useMenuEditing();
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [when, setWhen] = useState('');
  if (value) {
    return (
      <Later words={scheduledPriceWords(value, store, now)}>
        <Button variant="default" onClick={() => onCommit(null)}>
          {m.menu_edit_later_back()}
        </Button>
      </Later>
    );
  }
  if (!isOpen) {
    return (
      <Group>
        <Button variant="subtle" onClick={() => setOpen(true)}>
          {m.menu_edit_later_set()}
        </Button>
      </Group>
    );
  }
  const reading = readTypedPrice(typed, { currency: store.currency, empty: undefined, kept: price });
  const time = parsePriceChangeTime(store.timezone, when, now);
  const save = (): void => {
    if (!('value' in reading) || !('at' in time)) return;
    onCommit({ price: reading.value, at: time.at });
    setOpen(false);
  };
  return (
    <fieldset>
      <legend>{m.menu_edit_later_set()}</legend>
      <Stack gap="xs">
        <FieldColumns cols={2}>
          <TextInput
            label={m.menu_edit_later_price()}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            error={typed !== '' && 'problem' in reading ? reading.problem : undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <PriceChangeTimeInput value={when} onChange={setWhen} />
        </FieldColumns>
        <Group>
          <Button disabled={!('value' in reading) || !('at' in time)} onClick={save}>
            {m.menu_edit_later_save()}
          </Button>
          <Button variant="subtle" onClick={() => setOpen(false)}>
            {m.platform_cancel()}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}

function Later({ words, children }: { words: string; children: ReactNode }) {
  return (
    <Group gap="xs" justify="space-between">
      <span>{words}</span>
      {children}
    </Group>
  );
}

/** A later price in words: `£9.50 from 06:00 on Friday 4 December`. */
export function scheduledPriceWords(
  { price, at }: NonNullable<PriceChange>,
  { currency, timezone }: { currency: string; timezone: string },
  now: Date,
): string {
  return m.menu_edit_later_words({ price: formatMoney(price, currency), when: timeAndDayWords(at, now, timezone) });
}

export function ScheduledPrices() {
  const { parts, index, edit, store } = useMenuEditing();
  const now = useNow();
  const times = scheduledPricesByTime(parts, index);
  if (times.length === 0) return null;
  return (
    <Alert mb="md" title={m.menu_edit_later_title()}>
      <Stack gap="xs">
        {times.map(({ at, names, takeBack }) => (
          <Later
            key={at}
            words={m.menu_edit_later_count({
              count: names.length,
              when: timeAndDayWords(at, now, store.timezone),
              names: joinLeadingNames(names, '; '),
            })}
          >
            <Button
              variant="default"
              onClick={() => edit(m.menu_edit_later_taken({ count: names.length }), takeBack.slice(0, atOnce))}
            >
              {m.menu_edit_later_back()}
            </Button>
          </Later>
        ))}
      </Stack>
    </Alert>
  );
}

const namedAtMost = 5;
/** The maximum number of parts that one call may change. */
const atOnce = 1000;

export function joinLeadingNames(names: readonly string[], separator = ', '): string {
  return [...names.slice(0, namedAtMost), ...(names.length > namedAtMost ? ['…'] : [])].join(separator);
}

/** An option's name after its dishes and its group: `Pizza, Calzone · Size: Small`. */
export function optionWithDishesWords(dishes: readonly ItemPart[], group: string, option: string): string {
  return `${joinLeadingNames(dishes.map(({ name }) => name))} · ${group}: ${option}`;
}

/** An option's name after the dishes in which its own price applies, because the group does not override the price. */
function optionWithDishes({ groupsOfOption, itemsOfGroup }: PartsIndex, { id, name }: OptionPart): string {
  const groups = (groupsOfOption.get(id) ?? []).filter(({ options }) =>
    options.some((link) => link.id === id && link.price_override === null),
  );
  const dishes = new Set(groups.flatMap((group) => itemsOfGroup.get(group.id) ?? []));
  return groups[0] && dishes.size > 0 ? optionWithDishesWords([...dishes], groups[0].name, name) : name;
}

export function scheduledPricesByTime({ items, options }: Pick<MenuParts, 'items' | 'options'>, index: PartsIndex) {
  const none = { price_change: null };
  const all = [
    ...items.map((part) => ({
      part,
      name: part.name,
      takeBack: (): MenuOperation => makeGuardedChangeOperation('item', part, none),
    })),
    ...options.map((part) => ({
      part,
      name: optionWithDishes(index, part),
      takeBack: (): MenuOperation => makeGuardedChangeOperation('option', part, none),
    })),
  ].filter(({ part }) => part.price_change !== null);
  return [...Map.groupBy(all, ({ part }) => part.price_change?.at ?? '')]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, changes]) => ({
      at,
      names: changes.map(({ name }) => name),
      takeBack: changes.map(({ takeBack }) => takeBack()),
    }));
}
