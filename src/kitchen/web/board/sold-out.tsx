import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { boardMomentWords } from '#kitchen/web/board-words.ts';
import listClasses from '#kitchen/web/ticket/done-list.module.css';
import panels from '#kitchen/web/board/panels.module.css';
import classes from '#kitchen/web/board/sold-out.module.css';
import { shopNow } from '#platform/web/clock.ts';
import { useMenuIndex } from '#kitchen/web/till/use-menu-index.ts';
import { m } from '#messages';
import { notify } from '#ui/web/notify.ts';
import { keepNoticesAtBottom } from '#ui/web/office/notice-placement.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { isSoldOut } from '#menu/sold-out.ts';
import { api } from '#platform/web/api.ts';
import { tradingDayEnd } from '#store/opening-hours.ts';
import type { MenuIndex } from '#menu/menu-index.ts';
import { compareNames } from '#platform/compare-names.ts';
import { createNameMatcher } from '#menu/search-names.ts';

/**
 * A list in which staff mark items as sold out, for the day or until changed, or as available. Sold-out items are
 * first.
 */
export function SoldOutPanel() {
  const { store } = useBoardControls();
  const menu = useMenuIndex(store.id);
  const [text, setText] = useState('');
  const { busyId, set, count } = useStockChange(store.id);
  if (!menu.data) {
    return menu.error ? <OfficeLoadFailure error={menu.error} onRetry={() => void menu.refetch()} /> : <LoadingState />;
  }
  const now = new Date(shopNow());
  const rows = findDishesAndOptions(menu.data, text, now);
  return (
    <div className={listClasses.done} ref={keepNoticesAtBottom}>
      <TextInput
        data-autofocus
        type="search"
        size="md"
        label={m.kitchen_stock_find()}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {rows.length === 0 && <p className={panels.empty}>{m.kitchen_stock_none({ text })}</p>}
      <ul>
        {rows.map((thing) => (
          <StockRow
            key={thing.id}
            thing={thing}
            now={now}
            isBusy={busyId === thing.id}
            onSet={(until) => void set(thing, until)}
            onCount={(portions) => void count(thing, portions)}
          />
        ))}
      </ul>
    </div>
  );
}

/** The time until which an item is sold out; null: until somebody changes it. `back`: the item is available again. */
type SoldOutUntil = string | null | 'back';

function useStockChange(storeId: string) {
  const client = useQueryClient();
  const [busyId, setBusyId] = useState<string | null>(null);
  const send = async (thing: Stock, change: StockChange, text: string, canUndo = true): Promise<void> => {
    const { kind, id, name, is_available, unavailable_until, portions_left: left } = thing;
    const before = { is_available, unavailable_until, ...('portions_left' in change && { portions_left: left }) };
    const run = () => void send(thing, before, m.kitchen_stock_undone({ name }), false);
    setBusyId(id);
    const body = { id, ...change };
    try {
      if (kind === 'item') await api('POST /v1/items/{id}/availability', body, { timeout: 15_000 });
      else await api('POST /v1/options/{id}/availability', body, { timeout: 15_000 });
      await client.invalidateQueries({ queryKey: ['board menu', storeId] });
      notify({ id: 'stock', text, ...(canUndo && { action: { label: m.platform_undo(), run } }) });
    } catch (error) {
      notify({ id: 'stock', text: refusalWords(error), tone: 'bad' });
    }
    setBusyId(null);
  };
  const set = (thing: Stock, until: SoldOutUntil): Promise<void> => {
    const { name, portions_left: left } = thing;
    if (until !== 'back')
      return send(thing, { is_available: false, unavailable_until: until }, m.kitchen_stock_out_done({ name }));
    const back = { is_available: true, unavailable_until: null, ...(left === 0 && { portions_left: null }) };
    return send(thing, back, m.kitchen_stock_back_done({ name }));
  };
  const count = (thing: Stock, portions: number | null): Promise<void> => {
    const { name, is_available, unavailable_until } = thing;
    const words =
      portions === null
        ? m.kitchen_stock_not_counted({ name })
        : portions === 0
          ? m.kitchen_stock_out_done({ name })
          : m.kitchen_stock_counted({ name, count: portions });
    return send(thing, { is_available, unavailable_until, portions_left: portions }, words);
  };
  return { busyId, set, count };
}

type StockChange = Pick<Stock, 'is_available' | 'unavailable_until'> & { portions_left?: number | null };

interface RowProps {
  thing: Stock;
  now: Date;
  isBusy: boolean;
  onSet: (until: SoldOutUntil) => void;
  onCount: (portions: number | null) => void;
}

function StockRow({ thing, now, isBusy, onSet, onCount }: RowProps) {
  const { store } = useBoardControls();
  const endOfDay = tradingDayEnd(store, now);
  const isOut = isSoldOut(thing, now);
  const kind = thing.kind === 'item' ? m.kitchen_stock_item() : m.kitchen_stock_option({ group: thing.group });
  return (
    <li className={classes.stockRow} data-out={isOut || undefined}>
      <p>
        <strong>{thing.name}</strong> <span className={panels.soft}>{kind}</span>
        {isOut && (
          <span className={classes.out}>
            {thing.is_available
              ? m.kitchen_stock_none_left()
              : thing.unavailable_until === null
                ? m.kitchen_stock_out()
                : m.kitchen_stock_out_until({
                    time: boardMomentWords(thing.unavailable_until, now.getTime(), store.timezone),
                  })}
          </span>
        )}
        {!isOut && thing.portions_left !== null && (
          <span className={classes.left}>{m.kitchen_stock_left({ count: thing.portions_left })}</span>
        )}
      </p>
      <div className={panels.buttons} role="group" aria-label={m.kitchen_stock_row({ name: thing.name, kind })}>
        {isOut ? (
          <Button variant="outline" color="good" loading={isBusy} onClick={() => onSet('back')}>
            {m.kitchen_stock_back()}
          </Button>
        ) : (
          <>
            <Button variant="default" loading={isBusy} onClick={() => onSet(endOfDay)}>
              {m.kitchen_stock_today()}
            </Button>
            <Button variant="default" loading={isBusy} onClick={() => onSet(null)}>
              {m.kitchen_stock_until_told()}
            </Button>
          </>
        )}
        {thing.kind === 'item' && <PortionCount thing={thing} isBusy={isBusy} onCount={onCount} />}
      </div>
    </li>
  );
}

// This ref callback is stable, because React would call an inline one at each render.
const focusWhenShown = (field: HTMLInputElement | null): void => field?.focus();

/** A button that opens a field for the number of portions that can still be ordered; empty: not counted. */
function PortionCount({ thing, isBusy, onCount }: Pick<RowProps, 'thing' | 'isBusy' | 'onCount'>) {
  const [text, setText] = useState<string | null>(null);
  if (text === null) {
    return (
      <Button variant="subtle" disabled={isBusy} onClick={() => setText(String(thing.portions_left ?? ''))}>
        {m.kitchen_stock_count()}
      </Button>
    );
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setText(null);
    onCount(text === '' ? null : Number(text));
  };
  return (
    <form className={classes.count} onSubmit={submit}>
      <TextInput
        ref={focusWhenShown}
        size="md"
        inputMode="numeric"
        maxLength={4}
        aria-label={m.kitchen_stock_count_of({ name: thing.name })}
        placeholder={m.kitchen_stock_count_empty()}
        value={text}
        onChange={(event) => setText(event.currentTarget.value.replaceAll(/\D/g, ''))}
      />
      <Button type="submit">{m.kitchen_stock_count_save()}</Button>
    </form>
  );
}

interface Stock {
  kind: 'item' | 'option';
  id: string;
  name: string;
  /** The names of the option's groups, separated by commas; empty for a dish. */
  group: string;
  is_available: boolean;
  unavailable_until: string | null;
  portions_left: number | null;
}

/**
 * Finds dishes and options whose name has every word of `text`. Order: sold out, dishes with a portions count, other
 * dishes, options.
 */
export function findDishesAndOptions({ items }: MenuIndex, text: string, now: Date): Stock[] {
  const found = new Map<string, Stock & { groups: Set<string> }>();
  for (const { item, groups } of items.values()) {
    found.set(item.id, dishRow(item));
    for (const { group, options } of groups.values()) {
      for (const { option } of options.values()) {
        if (option.item_id) {
          // A deal's choice is listed as its dish, even if the dish itself is not on the menu.
          if (!items.has(option.item_id)) found.set(option.item_id, dishRow({ ...option, id: option.item_id }));
          continue;
        }
        const known = found.get(option.id);
        if (known) known.groups.add(group.name);
        else
          found.set(option.id, {
            ...stockOf(option),
            kind: 'option',
            portions_left: null,
            groups: new Set([group.name]),
          });
      }
    }
  }
  const isFound = createNameMatcher(text);
  return [...found.values()]
    .filter(({ name }) => isFound(name))
    .map(({ groups, ...thing }) => ({ ...thing, group: [...groups].join(', ') }))
    .sort((a, b) => rank(a, now) - rank(b, now) || compareNames(a.name, b.name));
}

function dishRow(dish: Parameters<typeof stockOf>[0] & { portions_left?: number | null | undefined }) {
  const { portions_left: left = null } = dish;
  return { ...stockOf(dish), kind: 'item' as const, portions_left: left, groups: new Set<string>() };
}

function stockOf({
  id,
  name,
  is_available,
  unavailable_until,
}: Pick<Stock, 'id' | 'name' | 'is_available' | 'unavailable_until'>) {
  return { id, name, group: '', is_available, unavailable_until };
}

function rank(thing: Stock, now: Date): number {
  if (isSoldOut(thing, now)) return 0;
  if (thing.portions_left !== null) return 1;
  return thing.kind === 'item' ? 2 : 3;
}
