import { Button, Checkbox, Group, NativeSelect, NumberInput, SegmentedControl, Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { newPrice, type Rounding, roundings } from '#menu/web/editor/bulk-price.ts';
import classes from '#menu/web/editor/editor.module.css';
import { change, changeSeen, type MenuOperation } from '#menu/operations/menu-operation.ts';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { formatMoney } from '#platform/money.ts';

interface DialogProps {
  /** The dishes that were selected before; if empty, the dialog offers whole categories. */
  selected: ReadonlySet<string>;
  onClose: (isDone: boolean) => void;
}

const roundingNames: Record<Rounding, () => string> = {
  none: m.menu_edit_round_none,
  five: m.menu_edit_round_five,
  ten: m.menu_edit_round_ten,
  ninety_nine: m.menu_edit_round_ninety_nine,
};

/** Changes many prices together: every old and new price is shown before anything is saved. */
export function BulkPriceDialog({ selected, onClose }: DialogProps) {
  const { parts, index, edit, store } = useEditing();
  const [categoryId, setCategory] = useState('');
  const [by, setBy] = useState<'percent' | 'amount'>('percent');
  const [amount, setAmount] = useState<number | string>(5);
  const [rounding, setRounding] = useState<Rounding>('none');
  const [withOptions, setWithOptions] = useState(false);
  const money = (price: number): string => formatMoney(price, store.currency);
  const chosen =
    selected.size > 0
      ? parts.items.filter((item) => selected.has(item.id))
      : categoryId === ''
        ? parts.items
        : (index.categories.get(categoryId)?.item_ids ?? []).flatMap((id) => index.items.get(id) ?? []);
  // Two decimals are enough for a percentage, and pence for an amount.
  const rule = { by, amount: Math.round(Number(amount) * 100) || 0, rounding };
  const items = chosen.map((part) => ({ part, kind: 'item' as const, price: newPrice(part.price, rule) }));
  const groupIds = new Set(chosen.flatMap((item) => item.option_groups.map(({ id }) => id)));
  const optionIds = new Set(
    [...groupIds].flatMap((id) => index.groups.get(id)?.options.map((option) => option.id) ?? []),
  );
  const options = withOptions
    ? parts.options
        .filter((option) => optionIds.has(option.id))
        .map((part) => ({ part, kind: 'option' as const, price: newPrice(part.price, rule) }))
    : [];
  const changed = [...items, ...options].filter(({ part, price }) => price !== part.price);
  const overrides = withOptions ? [...groupIds].flatMap((id) => pricesIn(id)) : [];

  function pricesIn(groupId: string): MenuOperation[] {
    const options = index.groups.get(groupId)?.options ?? [];
    const links = options.flatMap(({ price_override: price, ...one }) =>
      price === null ? [] : [{ ...one, price_override: price }],
    );
    const next = links.map((one) => ({ ...one, price_override: newPrice(one.price_override, rule) }));
    if (links.every((one, at) => one.price_override === next[at]?.price_override)) return [];
    return [change('group', groupId, { options: next }, { options: links })];
  }

  const write = (): void => {
    const prices = changed.map(({ part, kind, price }) => changeSeen<'item' | 'option'>(kind, part, { price }));
    edit(m.menu_edit_bulk_priced({ count: changed.length }), [...prices, ...overrides]);
    onClose(true);
  };

  return (
    <Dialog opened size="xl" onClose={() => onClose(false)} title={m.menu_edit_bulk_price()}>
      <Stack>
        {selected.size === 0 && (
          <NativeSelect
            label={m.menu_edit_bulk_which()}
            value={categoryId}
            data={[
              { value: '', label: m.menu_edit_bulk_all() },
              ...parts.categories.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => setCategory(event.currentTarget.value)}
          />
        )}
        <Group align="end">
          <SegmentedControl
            aria-label={m.menu_edit_bulk_by()}
            value={by}
            onChange={(value) => setBy(value === 'amount' ? 'amount' : 'percent')}
            data={[
              { value: 'percent', label: m.menu_edit_bulk_percent() },
              { value: 'amount', label: m.menu_edit_bulk_amount() },
            ]}
          />
          <NumberInput
            label={
              by === 'percent'
                ? m.menu_edit_bulk_percent_hint()
                : m.menu_edit_bulk_amount_hint({ currency: store.currency })
            }
            value={amount}
            onChange={setAmount}
            decimalScale={2}
            min={by === 'percent' ? -90 : -1000}
            max={by === 'percent' ? 500 : 1000}
            hideControls
            data-autofocus
          />
          <NativeSelect
            label={m.menu_edit_bulk_rounding()}
            value={rounding}
            data={roundings.map((one) => ({ value: one, label: roundingNames[one]() }))}
            onChange={(event) => setRounding(roundings.find((one) => one === event.currentTarget.value) ?? 'none')}
          />
        </Group>
        <Checkbox
          label={m.menu_edit_bulk_options()}
          checked={withOptions}
          onChange={(event) => setWithOptions(event.currentTarget.checked)}
        />
        <p aria-live="polite">{m.menu_edit_bulk_count({ count: changed.length })}</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach what scrolls */}
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
              {changed.map(({ part, price }) => (
                <Table.Tr key={part.id}>
                  <Table.Td>{part.name}</Table.Td>
                  <Table.Td>{money(part.price)}</Table.Td>
                  <Table.Td>
                    <strong>{money(price)}</strong>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(false)}>
            {m.platform_cancel()}
          </Button>
          <Button disabled={changed.length === 0 && overrides.length === 0} onClick={write}>
            {m.menu_edit_bulk_write({ count: changed.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
