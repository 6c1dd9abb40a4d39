import { Button, Group, Stack, Table, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import addChoicesClasses from '#menu/web/editor/add-choices.module.css';
import { focusNextFieldOnEnter } from '#menu/web/editor/add-choices.tsx';
import {
  type BulkSizes,
  bulkSizePrice,
  choiceKindProblem,
  emptyQuickEntryRow,
  isQuickEntryRowEmpty,
  planBulkSizes,
  type QuickEntryRow,
  type SizeProblem,
} from '#menu/web/editor/choice-plans.ts';
import { joinLeadingNames } from '#menu/web/editor/price-change.tsx';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import bulkPriceClasses from '#menu/web/editor/tree/bulk-price-dialog.module.css';
import type { ItemPart } from '#menu/operations/menu-operation.ts';
import { formatMoney } from '#platform/money.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

export function BulkSizesDialog({ items, onClose }: { items: ItemPart[]; onClose: (isDone: boolean) => void }) {
  const editing = useMenuEditing();
  const { store, edit } = editing;
  const { currency } = store;
  const [sizes, setSizes] = useState<BulkSizes>({
    name: m.menu_choices_sizes_name(),
    rows: [emptyQuickEntryRow, emptyQuickEntryRow, emptyQuickEntryRow],
    prices: {},
  });
  const [problem, setProblem] = useState<SizeProblem | null>(null);
  const change = (part: Partial<BulkSizes>): void => {
    setSizes({ ...sizes, ...part });
    setProblem(null);
  };
  const sized = items.filter((item) => choiceKindProblem(editing, item, 'sizes') !== null);
  const free = items.filter((item) => !sized.includes(item));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const name = sizes.name.trim() === '' ? m.menu_choices_sizes_name() : sizes.name;
    const at = { storeId: store.id, currency, example: formatMoney(150, currency) };
    const plan = planBulkSizes(at, free, { ...sizes, name });
    if ('words' in plan) return setProblem(plan);
    edit(m.menu_sizes_bulk_done({ count: free.length }), plan);
    onClose(true);
  };
  return (
    <Dialog opened size="lg" onClose={() => onClose(false)} title={m.menu_sizes_bulk_title({ count: free.length })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {sized.length > 0 && (
            <p role="status">
              {m.menu_sizes_bulk_kept({ count: sized.length, names: joinLeadingNames(sized.map(({ name }) => name)) })}
            </p>
          )}
          <TextInput
            label={m.menu_choices_heading()}
            maxLength={80}
            value={sizes.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <SizeRows sizes={sizes} change={change} problem={problem?.itemId === null ? problem : null} />
          <SizePrices items={free} sizes={sizes} change={change} problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onClose(false)}>
              {m.platform_cancel()}
            </Button>
            <Button type="submit" disabled={free.length === 0}>
              {m.menu_sizes_bulk_write({ count: free.length })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface SizesProps {
  sizes: BulkSizes;
  change: (part: Partial<BulkSizes>) => void;
  problem: SizeProblem | null;
}

function SizeRows({ sizes: { rows }, change, problem }: SizesProps) {
  const setRow = (at: number, part: Partial<QuickEntryRow>): void => {
    const next = rows.map((row, place) => (place === at ? { ...row, ...part } : row));
    change({ rows: next.at(-1) === emptyQuickEntryRow ? next : [...next, emptyQuickEntryRow] });
  };
  return (
    <div className={addChoicesClasses.entry}>
      <p className={bulkPriceClasses.hint}>{m.menu_sizes_bulk_hint()}</p>
      <ol>
        {rows.map((row, at) => {
          const label = `${m.menu_choices_size()} ${at + 1}`;
          const wrong = (field: SizeProblem['field']) =>
            problem?.row === at && problem.field === field && problem.words;
          return (
            // Rows are only added at the end.
            // oxlint-disable-next-line react/no-array-index-key -- a row has no other identity
            <li key={at}>
              <TextInput
                aria-label={label}
                placeholder={label}
                maxLength={80}
                value={row.name}
                error={wrong('name')}
                onKeyDown={focusNextFieldOnEnter}
                onChange={(event) => setRow(at, { name: event.currentTarget.value })}
                data-autofocus={at === 0 || undefined}
              />
              <TextInput
                aria-label={`${m.menu_choices_extra_price()} ${at + 1}`}
                placeholder={m.menu_choices_extra_price()}
                inputMode="decimal"
                autoComplete="off"
                value={row.price}
                error={wrong('price')}
                onKeyDown={focusNextFieldOnEnter}
                onChange={(event) => setRow(at, { price: event.currentTarget.value })}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function SizePrices({ items, sizes, change, problem }: SizesProps & { items: readonly ItemPart[] }) {
  const { currency } = useMenuEditing().store;
  const columns = sizes.rows.flatMap((row, at) => (isQuickEntryRowEmpty(row) ? [] : [{ name: row.name.trim(), at }]));
  if (columns.length === 0) return null;
  const setPrice = (item: ItemPart, at: number, price: string): void => {
    const own = sizes.rows.map((_, place) => (place === at ? price : (sizes.prices[item.id]?.[place] ?? '')));
    change({ prices: { ...sizes.prices, [item.id]: own } });
  };
  return (
    <>
      <p className={bulkPriceClasses.hint}>{m.menu_sizes_bulk_prices()}</p>
      <div className={bulkPriceClasses.prices}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{m.menu_edit_name()}</Table.Th>
              {columns.map(({ name, at }) => (
                <Table.Th key={at}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.id}>
                <Table.Th scope="row">{item.name}</Table.Th>
                {columns.map(({ name, at }) => {
                  const price = bulkSizePrice({ ...sizes, prices: {} }, item, at, currency);
                  return (
                    <Table.Td key={at}>
                      <TextInput
                        aria-label={m.menu_sizes_bulk_cell({ name: item.name, size: name })}
                        placeholder={price === null ? '' : formatMoney(price, currency)}
                        inputMode="decimal"
                        autoComplete="off"
                        value={sizes.prices[item.id]?.[at] ?? ''}
                        error={problem?.itemId === item.id && problem.row === at && problem.words}
                        onChange={(event) => setPrice(item, at, event.currentTarget.value)}
                      />
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}
