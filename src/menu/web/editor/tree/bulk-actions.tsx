import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { BulkPriceDialog } from '#menu/web/editor/tree/bulk-price-dialog.tsx';
import { deleteAsked } from '#menu/web/editor/deletion.tsx';
import { stockOf } from '#menu/web/editor/choice-edits.tsx';
import { changeSeen } from '#menu/operations/menu-operation.ts';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import type { ItemPart } from '#menu/operations/menu-part.ts';
import { shopNow } from '#platform/web/clock.ts';

/** Actions on several dishes together; each is one edit that is made and undone as a whole. */
export function BulkActions({ ids, onDone }: { ids: ReadonlySet<string>; onDone: () => void }) {
  const editing = useEditing();
  const { edit, index, store } = editing;
  const [isPricing, setPricing] = useState(false);
  const items = [...ids].flatMap((id) => index.items.get(id) ?? []);
  const count = items.length;
  const set = (label: string, fields: Partial<ItemPart>): void => {
    edit(
      label,
      items.map((item) => changeSeen('item', item, fields)),
    );
    onDone();
  };
  const stock = (choice: string): void =>
    set(m.menu_edit_bulk_stock({ count }), stockOf(choice, store, new Date(shopNow())));
  return (
    <>
      <Button variant="default" onClick={() => setPricing(true)}>
        {m.menu_edit_bulk_price()}
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
          void deleteAsked(
            editing,
            'item',
            items.map(({ id }) => id),
          ).then((done) => done && onDone())
        }
      >
        {m.menu_edit_delete()}
      </Button>
      {isPricing && (
        <BulkPriceDialog
          selected={ids}
          onClose={(isDone) => {
            setPricing(false);
            if (isDone) onDone();
          }}
        />
      )}
    </>
  );
}
