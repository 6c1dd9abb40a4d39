import { Button, Checkbox, Group, NativeSelect, NumberInput, SegmentedControl, Stack, Table } from '@mantine/core';
import { m } from '#messages';
import classes from '#menu/web/editor/tree/bulk-price-dialog.module.css';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { formatMoney, minorDigits, proportionalShare } from '#platform/money.ts';
import { useState } from 'react';
import {
  makeChangeOperation,
  makeGuardedChangeOperation,
  type GroupPart,
  type ItemPart,
  type MenuOperation,
  type PartsIndex,
} from '#menu/operations/menu-operation.ts';
import {
  PriceChangeTimeInput,
  joinLeadingNames,
  optionWithDishesWords,
  parsePriceChangeTime,
} from '#menu/web/editor/price-change.tsx';
import { useNow } from '#platform/web/clock.ts';
import { priceGroupOf } from '#menu/web/editor/pricing-edit.tsx';

interface DialogProps {
  /** The ids of the selected dishes; if empty, the dialog offers one category or the whole menu. */
  selected: ReadonlySet<string>;
  onClose: (isDone: boolean) => void;
}

const roundingNames: Record<Rounding, (currency: string) => string> = {
  none: () => m.menu_edit_round_none(),
  five: (currency) => m.menu_edit_round_step({ step: formatMoney(5, currency) }),
  ten: (currency) => m.menu_edit_round_step({ step: formatMoney(10, currency) }),
  ninety_nine: () => m.menu_edit_round_ninety_nine(),
};
/** The largest change of one price, in minor units: £1,000. */
const largest = 100_000;

export function BulkPriceDialog({ selected, onClose }: DialogProps) {
  const { parts, store } = useMenuEditing();
  const { choice, choose, changes, others, kept, write } = useBulkPrices(selected);
  const [when, setWhen] = useState('');
  const now = useNow();
  const time = choice.isLater ? parsePriceChangeTime(store.timezone, when, now) : null;
  const isReady = time === null || 'at' in time;
  return (
    <Dialog opened size="xl" onClose={() => onClose(false)} title={m.menu_edit_bulk_price()}>
      <Stack>
        {selected.size === 0 && (
          <NativeSelect
            label={m.menu_edit_bulk_which()}
            value={choice.categoryId}
            data={[
              { value: '', label: m.menu_edit_bulk_all() },
              ...parts.categories.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => choose({ categoryId: event.currentTarget.value })}
          />
        )}
        <RuleFields choice={choice} choose={choose} currency={store.currency} />
        <Checkbox
          label={m.menu_edit_bulk_options()}
          checked={choice.withOptions}
          onChange={(event) => choose({ withOptions: event.currentTarget.checked })}
        />
        <SegmentedControl
          aria-label={m.menu_edit_later_when()}
          value={choice.isLater ? 'later' : 'now'}
          onChange={(value) => choose({ isLater: value === 'later' })}
          data={[
            { value: 'now', label: m.menu_edit_later_now() },
            { value: 'later', label: m.menu_edit_later_then() },
          ]}
        />
        {choice.isLater && <PriceChangeTimeInput value={when} onChange={setWhen} />}
        <div aria-live="polite">
          <p>{m.menu_edit_bulk_count({ count: changes.length })}</p>
          {others.length > 0 && <p>{othersWords(others)}</p>}
          {kept > 0 && <p>{m.menu_edit_later_kept({ count: kept })}</p>}
        </div>
        <Preview changes={changes} currency={store.currency} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(false)}>
            {m.platform_cancel()}
          </Button>
          <Button
            disabled={changes.length === 0 || !isReady}
            onClick={() => {
              write(time && 'at' in time ? time.at : null);
              onClose(true);
            }}
          >
            {choice.isLater
              ? m.menu_edit_later_write({ count: changes.length })
              : m.menu_edit_bulk_write({ count: changes.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function othersWords(others: readonly { name: string }[]): string {
  return m.menu_edit_bulk_others({ count: others.length, names: joinLeadingNames(others.map(({ name }) => name)) });
}

interface RuleProps {
  choice: BulkPriceChoice;
  choose: (part: Partial<BulkPriceChoice>) => void;
  currency: string;
}

function RuleFields({ choice, choose, currency }: RuleProps) {
  const priceRoundings = roundingsOfCurrency(currency);
  const most = largest / 10 ** minorDigits(currency);
  return (
    <Group align="end">
      <SegmentedControl
        aria-label={m.menu_edit_bulk_by()}
        value={choice.by}
        onChange={(value) => choose({ by: value === 'amount' ? 'amount' : 'percent' })}
        data={[
          { value: 'percent', label: m.menu_edit_bulk_percent() },
          { value: 'amount', label: m.menu_edit_bulk_amount() },
        ]}
      />
      <NumberInput
        label={
          choice.by === 'percent'
            ? m.menu_edit_bulk_percent_hint()
            : m.menu_edit_bulk_amount_hint({ currency: currency })
        }
        value={choice.amount}
        onChange={(amount) => choose({ amount })}
        decimalScale={choice.by === 'percent' ? 2 : minorDigits(currency)}
        min={choice.by === 'percent' ? -90 : -most}
        max={choice.by === 'percent' ? 500 : most}
        hideControls
        data-autofocus
      />
      <NativeSelect
        label={m.menu_edit_bulk_rounding()}
        value={choice.rounding}
        data={priceRoundings.map((one) => ({ value: one, label: roundingNames[one](currency) }))}
        onChange={(event) =>
          choose({ rounding: priceRoundings.find((one) => one === event.currentTarget.value) ?? 'none' })
        }
      />
    </Group>
  );
}

function Preview({ changes, currency }: { changes: readonly PriceChange[]; currency: string }) {
  const money = (price: number): string => formatMoney(price, currency);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach a scroller
    <div className={classes.preview} tabIndex={0} role="region" aria-label={m.menu_edit_bulk_preview()}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{m.menu_edit_name()}</Table.Th>
            <Table.Th>{m.menu_edit_bulk_old()}</Table.Th>
            <Table.Th>{m.menu_edit_bulk_new()}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ key, name, was, price }) => (
            <Table.Tr key={key}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{money(was)}</Table.Td>
              <Table.Td>
                <strong>{money(price)}</strong>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface BulkPriceChoice {
  categoryId: string;
  by: 'percent' | 'amount';
  /** The amount as typed: percent, or units of the currency. */
  amount: number | string;
  rounding: Rounding;
  withOptions: boolean;
  isLater: boolean;
}

/**
 * Holds the dialog's choices, and plans the new prices of the selected dishes. Without a selection, it plans the prices
 * of one category or of the whole menu.
 */
function useBulkPrices(selected: ReadonlySet<string>) {
  const { parts, index, edit, store } = useMenuEditing();
  const [choice, setChoice] = useState<BulkPriceChoice>({
    categoryId: '',
    by: 'percent',
    amount: 5,
    rounding: 'none',
    withOptions: false,
    isLater: false,
  });
  const { categoryId, by, amount, rounding, withOptions, isLater } = choice;
  const chosen =
    selected.size > 0
      ? parts.items.filter((item) => selected.has(item.id))
      : categoryId === ''
        ? parts.items
        : (index.categories.get(categoryId)?.item_ids ?? []).flatMap((id) => index.items.get(id) ?? []);
  const rule = readPriceRule(by, Number(amount), rounding, store.currency);
  const plan = (at: string | null) => planBulkPrices(index, chosen, rule, { withOptions, at });
  // Scheduled prices are previewed before a time is chosen; `''` stands for the missing time.
  const { changes, others, kept } = plan(isLater ? '' : null);

  return {
    choice,
    choose: (part: Partial<BulkPriceChoice>) => setChoice({ ...choice, ...part }),
    changes,
    others,
    kept,
    write: (at: string | null): void =>
      edit(
        at === null
          ? m.menu_edit_bulk_priced({ count: changes.length })
          : m.menu_edit_later_priced({ count: changes.length }),
        plan(at).operations,
      ),
  };
}

export const roundingKinds = ['none', 'five', 'ten', 'ninety_nine'] as const;
type Rounding = (typeof roundingKinds)[number];

/** How prices change. `amount` is in minor units, or for `percent` in basis points; it may be negative. */
export interface PriceRule {
  by: 'percent' | 'amount';
  amount: number;
  rounding: Rounding;
}

/** Returns the roundings that suit a currency. Rounding to .99 needs a currency with hundredths. */
export function roundingsOfCurrency(currency: string): Rounding[] {
  return roundingKinds.filter((rounding) => rounding !== 'ninety_nine' || minorDigits(currency) === 2);
}

/** Makes a price rule from a typed number: a percentage with at most two decimals, or units of the currency. */
export function readPriceRule(by: PriceRule['by'], typed: number, rounding: Rounding, currency: string): PriceRule {
  const unit = by === 'percent' ? 100 : 10 ** minorDigits(currency);
  return { by, amount: Math.round(typed * unit) || 0, rounding };
}

/** The API's maximum for one price: £10,000. */
const HIGHEST = 1_000_000;

/**
 * Returns the new price in minor units, from 0 to the API's maximum. It is rounded to 5p or 10p, with halves upwards,
 * or by `ninety_nine` to the nearest .99. A free dish remains free.
 */
export function applyPriceRule(price: number, { by, amount, rounding }: PriceRule): number {
  if (price === 0) return 0;
  const change = by === 'amount' ? amount : Math.sign(amount) * proportionalShare(price, Math.abs(amount), 10_000);
  return Math.min(HIGHEST, round(Math.max(0, price + change), rounding));
}

interface PriceChange {
  key: string;
  name: string;
  was: number;
  price: number;
}

export interface BulkPricePlan {
  changes: PriceChange[];
  operations: MenuOperation[];
  /** Dishes that were not chosen, but whose prices change because they share a group or an option. */
  others: ItemPart[];
  /**
   * The number of choices that a scheduled change leaves out. Their group overrides the option's price, and such an
   * override cannot be scheduled.
   */
  kept: number;
}

/**
 * Plans price changes of the chosen dishes, or of the choices that set their prices, such as sizes. `withOptions` adds
 * the prices of all their other choices. `at` is the time of the change (ISO 8601 in UTC); null: now.
 */
export function planBulkPrices(
  index: PartsIndex,
  chosen: readonly ItemPart[],
  rule: PriceRule,
  { withOptions, at }: { withOptions: boolean; at: string | null },
): BulkPricePlan {
  const groups = pricedGroups(index, chosen, withOptions);
  const kept = at === null ? 0 : [...groups].flatMap(overridesIn).length;
  const all: BulkPricePlan = { changes: [], operations: [], others: [], kept };
  const toFields = (price: number) => (at === null ? { price } : { price_change: { price, at } });
  const others = new Set<ItemPart>();
  const note = (key: string, name: string, was: number): number => {
    const price = applyPriceRule(was, rule);
    if (price !== was) all.changes.push({ key, name, was, price });
    return price;
  };
  for (const item of chosen.filter((each) => !priceGroupOf(index, each))) {
    const price = note(item.id, item.name, item.price);
    if (price !== item.price) all.operations.push(makeGuardedChangeOperation('item', item, toFields(price)));
  }
  const seen = new Set<string>();
  for (const group of groups) {
    const nameOf = optionNamer(index, chosen, group);
    const links = at === null ? overridesIn(group) : [];
    const next = links.map(({ id, was }) => ({ id, price_override: note(`${group.id} ${id}`, nameOf(id), was) }));
    if (links.some(({ was }, place) => was !== next[place]?.price_override)) {
      const before = links.map(({ id, was }) => ({ id, price_override: was }));
      all.operations.push(makeChangeOperation('group', group.id, { options: next }, { options: before }));
      for (const item of index.itemsOfGroup.get(group.id) ?? []) others.add(item);
    }
    for (const { id, price_override: override } of group.options) {
      const option = index.options.get(id);
      if (!option || override !== null || seen.has(id)) continue;
      seen.add(id);
      const price = note(id, nameOf(id), option.price);
      if (price === option.price) continue;
      all.operations.push(makeGuardedChangeOperation('option', option, toFields(price)));
      for (const item of itemsWith(index, id)) others.add(item);
    }
  }
  return { ...all, others: [...others].filter((item) => !chosen.includes(item)) };
}

/** Returns a function that puts the group's chosen dishes and the group's name before an option's name. */
function optionNamer(index: PartsIndex, chosen: readonly ItemPart[], { id, name }: GroupPart) {
  const dishes = (index.itemsOfGroup.get(id) ?? []).filter((item) => chosen.includes(item));
  return (optionId: string): string => optionWithDishesWords(dishes, name, index.options.get(optionId)?.name ?? '');
}

function overridesIn({ options }: GroupPart) {
  return options.flatMap(({ id, price_override: was }) => (was === null ? [] : [{ id, was }]));
}

function pricedGroups(index: PartsIndex, chosen: readonly ItemPart[], withOptions: boolean): Set<GroupPart> {
  const groups = chosen.flatMap(({ option_groups }) => option_groups.flatMap(({ id }) => index.groups.get(id) ?? []));
  return new Set(groups.filter((group) => withOptions || group.pricing === 'is_price'));
}

function itemsWith(index: PartsIndex, optionId: string): ItemPart[] {
  const groups = index.groupsOfOption.get(optionId) ?? [];
  return groups
    .filter(({ options }) => options.some(({ id, price_override: own }) => id === optionId && own === null))
    .flatMap(({ id }) => index.itemsOfGroup.get(id) ?? []);
}

function round(price: number, rounding: Rounding): number {
  if (rounding === 'five') return Math.floor((price + 2.5) / 5) * 5;
  if (rounding === 'ten') return Math.floor((price + 5) / 10) * 10;
  if (rounding === 'ninety_nine') return price === 0 ? 0 : Math.max(99, Math.floor((price + 51) / 100) * 100 - 1);
  return price;
}
