import { ActionIcon, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { isDishChoice } from '#menu/deals.ts';
import { BulkActions } from '#menu/web/editor/tree/bulk-actions.tsx';
import { confirmAndDeletePart } from '#menu/web/editor/deletion.tsx';
import { type MenuEditingState, useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { partKindWords } from '#menu/web/editor/part-words.ts';
import type { MenuParts } from '#menu/fields.ts';
import {
  makeGuardedChangeOperation,
  findPart,
  partListNames,
  type MenuOperation,
  type PartKind,
  type PartOf,
} from '#menu/operations/menu-operation.ts';
import { MenuEditingProvider, SavingStateToolbar } from '#menu/web/editor/session/menu-editing.tsx';
import { PartPanel } from '#menu/web/editor/part-panel.tsx';
import type { PanelTarget } from '#menu/web/editor/edit-fields.tsx';
import { visibleRowsOf } from '#ui/list-view.ts';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { Dialog, SideSheet } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { ChoiceFilter } from '#ui/web/office/list-filters.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { EmptyState } from '#ui/web/office/states.tsx';
import { useListView } from '#ui/web/office/use-paged-list.ts';
import type { Store } from '#store/contract.ts';
import { createMenuPart } from '#menu/web/editor/add-part.ts';
import { priceOfEmptyField } from '#menu/empty-price.ts';
import { createNameMatcher } from '#menu/search-names.ts';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { htmlToText } from '#platform/markup.ts';
import { isSoldOut } from '#menu/sold-out.ts';
import { compareNames } from '#platform/compare-names.ts';

export interface ListFilter<T> {
  name: string;
  label: string;
  choices: { value: string; label: string }[];
  keeps: (row: T, value: string) => boolean;
}

export interface PartListRules<K extends PartKind> {
  columns: (ListColumn<PartOf<K>> & { compare?: (a: PartOf<K>, b: PartOf<K>) => number })[];
  filters: ListFilter<PartOf<K>>[];
  /** Returns further text for the search, besides the name. */
  textOf?: (row: PartOf<K>) => string;
  /** Explains, with an example, why an owner would begin the list. */
  emptyHint?: string;
}

interface PageProps<K extends PartKind> {
  store: Store;
  kind: K;
  title: string;
  rulesOf: (editing: MenuEditingState) => PartListRules<K>;
}

export function PartListPage<K extends PartKind>({ store, ...rest }: PageProps<K>) {
  return (
    <MenuEditingProvider store={store}>
      <PartList {...rest} />
    </MenuEditingProvider>
  );
}

function PartList<K extends PartKind>({ kind, title, rulesOf }: Omit<PageProps<K>, 'store'>) {
  const editing = useMenuEditing();
  const { view, change } = useListView();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<PanelTarget | null>(null);
  const [isAdding, setAdding] = useState(false);
  const rules = rulesOf(editing);
  // The cast is needed, because the compiler cannot tie each list's name to its kind of part.
  const all = editing.parts[partListNames[kind]] as PartOf<K>[];
  const kept = all.filter((row) =>
    rules.filters.every(({ name, keeps }) => view.filters[name] === undefined || keeps(row, view.filters[name])),
  );
  const sorts = Object.fromEntries(
    rules.columns.flatMap(({ key, compare }) => (compare ? [[key, compare] as const] : [])),
  );
  const textOf = (row: PartOf<K>) => `${row.name} ${rules.textOf?.(row) ?? ''}`;
  const shown = visibleRowsOf(kept, view, { textOf, finder: createNameMatcher, sorts });
  return (
    <OfficePage
      title={title}
      actions={
        <>
          <SavingStateToolbar />
          <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
            {m.menu_edit_new({ kind: partKindWords(kind, 1) })}
          </Button>
        </>
      }
    >
      <DataList
        label={title}
        columns={rules.columns.map(({ compare, ...column }) => ({ ...column, isSortable: compare !== undefined }))}
        rows={shown.rows}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        view={{ ...view, page: shown.page }}
        onView={change}
        total={shown.total}
        pages={shown.pages}
        filters={rules.filters.map(({ name: field, label, choices }) => (
          <ChoiceFilter key={field} name={field} label={label} choices={choices} view={view} onView={change} />
        ))}
        selection={{
          ids: selected,
          onChange: setSelected,
          actions: <SelectionActions kind={kind} ids={selected} onDone={() => setSelected(new Set())} />,
        }}
        rowActions={(row) => (
          <ActionIcon
            color="bad"
            aria-label={m.menu_list_delete({ name: row.name })}
            onClick={() => void confirmAndDeletePart(editing, kind, [row.id])}
          >
            <Icon name="close" />
          </ActionIcon>
        )}
        onOpen={(row) => setOpened({ kind, id: row.id, parentId: null })}
        empty={
          <EmptyState title={m.menu_list_empty()}>
            {rules.emptyHint && <p>{rules.emptyHint}</p>}
            <Button onClick={() => setAdding(true)}>{m.menu_edit_new({ kind: partKindWords(kind, 1) })}</Button>
          </EmptyState>
        }
      />
      <OpenedPart opened={opened} onOpen={setOpened} />
      {isAdding && (
        <NewPart
          kind={kind}
          onClose={(id) => {
            setAdding(false);
            if (id !== null) setOpened({ kind, id, parentId: null });
          }}
        />
      )}
    </OfficePage>
  );
}

function OpenedPart({ opened, onOpen }: { opened: PanelTarget | null; onOpen: (target: PanelTarget | null) => void }) {
  const { parts } = useMenuEditing();
  const name = opened ? (findPart(parts, opened.kind, opened.id)?.name ?? '') : '';
  return (
    <SideSheet
      opened={opened !== null}
      onClose={() => onOpen(null)}
      position="right"
      size="min(34rem, 100%)"
      title={name}
    >
      {opened && <PartPanel target={opened} hasTitle={false} onOpen={onOpen} onGone={() => onOpen(null)} />}
    </SideSheet>
  );
}

function SelectionActions({
  kind,
  ids,
  onDone,
}: {
  kind: PartKind;
  ids: ReadonlySet<string>;
  onDone: () => void;
}): ReactNode {
  const editing = useMenuEditing();
  const { edit, index } = editing;
  if (kind === 'item') return <BulkActions ids={ids} onDone={onDone} />;
  const show = (isActive: boolean): void => {
    const operations = [...ids].flatMap((id): MenuOperation[] => {
      const [menu, category] = [index.menus.get(id), index.categories.get(id)];
      if (menu) return [makeGuardedChangeOperation('menu', menu, { is_active: isActive })];
      return category ? [makeGuardedChangeOperation('category', category, { is_active: isActive })] : [];
    });
    edit(isActive ? m.menu_list_showed({ count: ids.size }) : m.menu_list_hid({ count: ids.size }), operations);
    onDone();
  };
  const sell = (isAvailable: boolean): void => {
    const stock = { is_available: isAvailable, unavailable_until: null };
    const operations = [...ids]
      .flatMap((id) => index.options.get(id) ?? [])
      .filter((option) => !isDishChoice(option))
      .map((option) => makeGuardedChangeOperation('option', option, stock));
    edit(m.menu_list_stock({ count: ids.size }), operations);
    onDone();
  };
  return (
    <>
      {(kind === 'menu' || kind === 'category') && (
        <>
          <Button variant="default" onClick={() => show(false)}>
            {m.menu_edit_hide()}
          </Button>
          <Button variant="default" onClick={() => show(true)}>
            {m.menu_edit_show()}
          </Button>
        </>
      )}
      {kind === 'option' && (
        <>
          <Button variant="default" onClick={() => sell(false)}>
            {m.menu_edit_stock_out()}
          </Button>
          <Button variant="default" onClick={() => sell(true)}>
            {m.menu_edit_stock_in()}
          </Button>
        </>
      )}
      <Button
        variant="light"
        color="bad"
        onClick={() => void confirmAndDeletePart(editing, kind, [...ids]).then((done) => done && onDone())}
      >
        {m.menu_edit_delete()}
      </Button>
    </>
  );
}

/** Returns the parts that the dialog offers as the new part's parent; null if this kind needs no parent. */
function parentsOf(kind: PartKind, { menus, categories }: MenuParts): readonly { id: string; name: string }[] | null {
  if (kind === 'category') return menus;
  return kind === 'item' ? categories : null;
}

/**
 * A dialog for the required fields of a new part. `onClose` gets the new part's id, with which the editor opens for the
 * other fields; null: cancelled.
 */
function NewPart({ kind, onClose }: { kind: PartKind; onClose: (id: string | null) => void }) {
  const editing = useMenuEditing();
  const { parts, store } = editing;
  const [name, setName] = useState('');
  const [price, setPrice] = useState<number | null>(null);
  const [parent, setParent] = useState('');
  const [isTried, setTried] = useState(false);
  const isPriced = pricedKinds.has(kind);
  const parents = parentsOf(kind, parts);
  const typed = readTyped(kind, parts, { name, price, parent });
  const { faults } = typed;
  const errors = isTried ? faults : null;
  const add = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (faults.name || faults.price || faults.parent) return;
    onClose(createMenuPart(editing, kind, typed.parent || null, typed.fields));
  };
  return (
    <Dialog opened onClose={() => onClose(null)} title={m.menu_edit_new({ kind: partKindWords(kind, 1) })}>
      <form onSubmit={add} noValidate>
        <Stack>
          <TextInput
            data-autofocus
            label={m.menu_edit_name()}
            value={name}
            maxLength={kind === 'item' ? 120 : 80}
            error={errors?.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {isPriced && (
            <MoneyField
              label={m.menu_edit_price()}
              value={price}
              currency={store.currency}
              empty={null}
              onChange={setPrice}
              error={errors?.price}
            />
          )}
          {parents && (
            <NativeSelect
              label={partKindWords(kind === 'category' ? 'menu' : 'category', 1)}
              value={typed.parent}
              data={[
                ...(kind === 'category' ? [] : [{ value: '', label: m.menu_edit_none() }]),
                ...parents.map((one) => ({ value: one.id, label: one.name })),
              ]}
              error={errors?.parent}
              onChange={(event) => setParent(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onClose(null)}>
              {m.platform_cancel()}
            </Button>
            <Button type="submit">{m.menu_edit_add()}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

const pricedKinds: ReadonlySet<PartKind> = new Set(['item', 'option']);

/**
 * Returns the new part's fields as typed in the dialog, with messages about missing fields. Only a category needs a
 * parent.
 */
function readTyped(
  kind: PartKind,
  parts: MenuParts,
  { name, price, parent }: { name: string; price: number | null; parent: string },
) {
  const isPriced = pricedKinds.has(kind);
  const needsParent = kind === 'category';
  const chosen = parent || (needsParent ? (parts.menus[0]?.id ?? '') : '');
  const amount = isPriced ? (price ?? priceOfEmptyField(kind)) : null;
  const plainName = htmlToText(name).trim();
  return {
    parent: chosen,
    fields: { name: plainName, ...(amount !== null && { price: amount }) },
    faults: {
      name: plainName === '' && m.menu_text_needed(),
      price: isPriced && amount === null && m.menu_edit_price_needed(),
      parent: needsParent && chosen === '' && m.menu_list_menu_first(),
    },
  };
}

export function textColumn<T>(key: string, label: string, textOf: (row: T) => string) {
  return {
    key,
    label,
    cell: (row: T) => textOf(row) || m.menu_edit_none(),
    compare: (a: T, b: T) => compareNames(textOf(a), textOf(b)),
  };
}

export function nameColumn() {
  return textColumn('name', m.menu_edit_name(), ({ name }: { name: string }) => name);
}

export function countColumn<T>(key: string, label: string, countOf: (row: T) => number) {
  return { key, label, isNumeric: true, cell: countOf, compare: (a: T, b: T) => countOf(a) - countOf(b) };
}

export function priceColumn<T>(priceOf: (row: T) => { price: number; words: string }) {
  return {
    key: 'price',
    label: m.menu_edit_price(),
    isNumeric: true,
    cell: (row: T) => priceOf(row).words,
    compare: (a: T, b: T) => priceOf(a).price - priceOf(b).price,
  };
}

type Stocked = Parameters<typeof isSoldOut>[0];

export function stockColumn(now: Date) {
  return {
    key: 'stock',
    label: m.menu_edit_available(),
    cell: (row: Stocked) => (isSoldOut(row, now) ? m.menu_edit_sold_out() : m.menu_edit_stock_in()),
    isUsual: (row: Stocked) => !isSoldOut(row, now),
  };
}

export function visibilityColumn() {
  return {
    key: 'shown',
    label: m.menu_list_state(),
    cell: ({ is_active: isActive }: { is_active: boolean }) => (isActive ? m.menu_edit_shown() : m.menu_edit_hidden()),
    isUsual: ({ is_active: isActive }: { is_active: boolean }) => isActive,
  };
}

export function visibilityFilter() {
  return {
    name: 'shown',
    label: m.menu_list_state(),
    choices: [
      { value: 'yes', label: m.menu_edit_shown() },
      { value: 'no', label: m.menu_edit_hidden() },
    ],
    keeps: (row: { is_active: boolean }, value: string) => row.is_active === (value === 'yes'),
  };
}

export function usageFilter(usesOf: (id: string) => number) {
  return {
    name: 'used',
    label: m.menu_list_used(),
    choices: [
      { value: 'yes', label: m.menu_list_used_yes() },
      { value: 'no', label: m.menu_list_used_no() },
    ],
    keeps: (row: { id: string }, value: string) => usesOf(row.id) > 0 === (value === 'yes'),
  };
}
