import { Button, Group, Menu, NativeSelect, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { BulkFieldsDialog } from '#menu/web/editor/tree/bulk-fields-dialog.tsx';
import { BulkPriceDialog } from '#menu/web/editor/tree/bulk-price-dialog.tsx';
import { BulkSizesDialog } from '#menu/web/editor/tree/bulk-sizes-dialog.tsx';
import { AddChildForm } from '#menu/web/editor/child-list.tsx';
import { partKindWords } from '#menu/web/editor/part-words.ts';
import { confirmAndDeletePart } from '#menu/web/editor/deletion.tsx';
import { stockForSelectValue } from '#menu/web/editor/choice-edits.tsx';
import {
  makeGuardedChangeOperation,
  linkedChildIds,
  findPart,
  type ItemPart,
  partListNames,
} from '#menu/operations/menu-operation.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { shopNow } from '#platform/web/clock.ts';
import { isMovable, makeMoveOperations, parentKinds, type TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

export function BulkActions({ ids, onDone }: { ids: ReadonlySet<string>; onDone: () => void }) {
  const editing = useMenuEditing();
  const { edit, index, store } = editing;
  const [dialog, setDialog] = useState<'prices' | 'sizes' | 'fields' | null>(null);
  const close = (isDone: boolean): void => {
    setDialog(null);
    if (isDone) onDone();
  };
  const items = [...ids].flatMap((id) => index.items.get(id) ?? []);
  const count = items.length;
  const setEach = (label: string, fields: (item: ItemPart) => Partial<ItemPart>): void => {
    edit(
      label,
      items.map((item) => makeGuardedChangeOperation('item', item, fields(item))),
    );
    onDone();
  };
  const set = (label: string, fields: Partial<ItemPart>): void => setEach(label, () => fields);
  const stock = (choice: string): void =>
    setEach(m.menu_edit_bulk_stock({ count }), (item) => stockForSelectValue(choice, item, store, new Date(shopNow())));
  return (
    <>
      <Button variant="default" onClick={() => setDialog('prices')}>
        {m.menu_edit_bulk_price()}
      </Button>
      <Button variant="default" onClick={() => setDialog('sizes')}>
        {m.menu_sizes_bulk()}
      </Button>
      <Button variant="default" onClick={() => setDialog('fields')}>
        {m.menu_edit_many()}
      </Button>
      <Button variant="default" onClick={() => set(m.menu_edit_bulk_hid({ count }), { is_active: false })}>
        {m.menu_edit_hide()}
      </Button>
      <Button variant="default" onClick={() => set(m.menu_edit_bulk_showed({ count }), { is_active: true })}>
        {m.menu_edit_show()}
      </Button>
      <Menu>
        <Menu.Target>
          <Button variant="default">{m.menu_edit_available()}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => stock('in')}>{m.menu_edit_stock_in()}</Menu.Item>
          <Menu.Item onClick={() => stock('today')}>{m.menu_edit_stock_today()}</Menu.Item>
          <Menu.Item onClick={() => stock('out')}>{m.menu_edit_stock_out()}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="light"
        color="bad"
        onClick={() =>
          void confirmAndDeletePart(
            editing,
            'item',
            items.map(({ id }) => id),
          ).then((done) => done && onDone())
        }
      >
        {m.menu_edit_delete()}
      </Button>
      {dialog === 'fields' && <BulkFieldsDialog items={items} onClose={close} />}
      {dialog === 'sizes' && <BulkSizesDialog items={items} onClose={close} />}
      {dialog === 'prices' && <BulkPriceDialog selected={ids} onClose={close} />}
    </>
  );
}

export function AddSiblingPartDialog({ row, onClose }: { row: TreeRow; onClose: () => void }) {
  if (!isMovable(row.kind) || row.parentId === null) return null;
  const { kind, id, parentId, part } = row;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={m.menu_edit_add_below_title({ kind: partKindWords(kind, 1), name: part.name })}
    >
      <AddChildForm kind={kind} parentId={parentId} after={id} onOpen={onClose} onAdded={onClose} />
    </Dialog>
  );
}

/** The dialog “Move to…”, which moves a part to another parent or place without dragging. */
export function MovePartDialog({ row, onClose }: { row: TreeRow; onClose: () => void }) {
  const { parts, edit } = useMenuEditing();
  const [to, setTo] = useState(row.parentId ?? '');
  const [at, setAt] = useState<number | null>(null);
  if (!isMovable(row.kind) || row.parentId === null) return null;
  const { kind, id, parentId: from } = row;
  const parent = parentKinds[kind];
  const others = linkedChildIds(parts, parent, to).filter((one) => one !== id);
  const names = others.map((one) => findPart(parts, kind, one)?.name ?? '');
  const place = at ?? others.length;
  const parents: readonly { id: string; name: string }[] = parts[partListNames[parent]];
  return (
    <Dialog opened onClose={onClose} title={m.menu_edit_move_title({ name: row.part.name })}>
      <Stack>
        <Select
          label={m.menu_edit_move_into()}
          searchable
          allowDeselect={false}
          data={parents.map((one) => ({ value: one.id, label: one.name }))}
          value={to}
          onChange={(value) => {
            setTo(value ?? from);
            setAt(null);
          }}
        />
        <NativeSelect
          label={m.menu_edit_move_place()}
          value={String(place)}
          data={[
            { value: '0', label: m.menu_edit_move_first() },
            ...names.map((name, index) => ({ value: String(index + 1), label: m.menu_edit_move_after({ name }) })),
          ]}
          onChange={(event) => setAt(Number(event.currentTarget.value))}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {m.platform_cancel()}
          </Button>
          <Button
            onClick={() => {
              edit(
                m.menu_edit_moved({ name: row.part.name }),
                makeMoveOperations(parts, { kind, id, from, to, at: place }),
              );
              onClose();
            }}
          >
            {m.menu_edit_move()}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
