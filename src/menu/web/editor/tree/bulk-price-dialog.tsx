import { Button, Checkbox, Group, NativeSelect, NumberInput, SegmentedControl, Stack, Table } from '@mantine/core';
import { m } from '#messages';
import {
  bulkPrices,
  type PriceChange,
  readRule,
  type Rounding,
  roundingsIn,
} from '#menu/web/editor/tree/bulk-price.ts';
import classes from '#menu/web/editor/tree/bulk-price-dialog.module.css';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { formatMoney, minorDigits } from '#platform/money.ts';
import { useState } from 'react';

interface DialogProps {
  /** The dishes that were selected before; if empty, the dialog offers whole categories. */
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

/** Changes many prices together: every old and new price is shown before anything is saved. */
export function BulkPriceDialog({ selected, onClose }: DialogProps) {
  const { parts, store } = useEditing();
  const { choice, choose, changes, others, write } = useBulkPrices(selected);
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
        <div aria-live="polite">
          <p>{m.menu_edit_bulk_count({ count: changes.length })}</p>
          {others.length > 0 && <p>{othersWords(others)}</p>}
        </div>
        <Preview changes={changes} currency={store.currency} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(false)}>
            {m.platform_cancel()}
          </Button>
          <Button
            disabled={changes.length === 0}
            onClick={() => {
              write();
              onClose(true);
            }}
          >
            {m.menu_edit_bulk_write({ count: changes.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const namedAtMost = 5;

function othersWords(others: readonly { name: string }[]): string {
  const names = others.slice(0, namedAtMost).map(({ name }) => name);
  return m.menu_edit_bulk_others({
    count: others.length,
    names: [...names, ...(others.length > namedAtMost ? ['…'] : [])].join(', '),
  });
}

interface RuleProps {
  choice: BulkPriceChoice;
  choose: (part: Partial<BulkPriceChoice>) => void;
  currency: string;
}

/** By how much, and how the results are rounded. */
function RuleFields({ choice, choose, currency }: RuleProps) {
  const roundings = roundingsIn(currency);
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
        data={roundings.map((one) => ({ value: one, label: roundingNames[one](currency) }))}
        onChange={(event) => choose({ rounding: roundings.find((one) => one === event.currentTarget.value) ?? 'none' })}
      />
    </Group>
  );
}

interface PreviewProps {
  changes: readonly PriceChange[];
  currency: string;
}

/** Every price that changes, before and after. */
function Preview({ changes, currency }: PreviewProps) {
  const money = (price: number): string => formatMoney(price, currency);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach what scrolls
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
  /** Empty: all categories. */
  categoryId: string;
  by: 'percent' | 'amount';
  /** As typed: percent, or units of the currency. */
  amount: number | string;
  rounding: Rounding;
  withOptions: boolean;
}

/** The prices that a rule changes, of the selected dishes or else of a category's. */
function useBulkPrices(selected: ReadonlySet<string>) {
  const { parts, index, edit, store } = useEditing();
  const [choice, setChoice] = useState<BulkPriceChoice>({
    categoryId: '',
    by: 'percent',
    amount: 5,
    rounding: 'none',
    withOptions: false,
  });
  const { categoryId, by, amount, rounding, withOptions } = choice;
  const chosen =
    selected.size > 0
      ? parts.items.filter((item) => selected.has(item.id))
      : categoryId === ''
        ? parts.items
        : (index.categories.get(categoryId)?.item_ids ?? []).flatMap((id) => index.items.get(id) ?? []);
  const rule = readRule(by, Number(amount), rounding, store.currency);
  const { changes, operations, others } = bulkPrices(index, chosen, rule, withOptions);

  return {
    choice,
    choose: (part: Partial<BulkPriceChoice>) => setChoice({ ...choice, ...part }),
    changes,
    others,
    write: (): void => edit(m.menu_edit_bulk_priced({ count: changes.length }), operations),
  };
}
