import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { addPart } from '#menu/web/editor/add-part.ts';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { emptyPrice } from '#menu/empty-price.ts';
import { kindName } from '#menu/web/editor/kind-words.ts';
import type { PartKind } from '#menu/operations/menu-part.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { MoneyField } from '#ui/web/office/money-field.tsx';

/** The required fields of a new part; the editor then opens for the others. `onClose` gets the new id, or null. */
export function NewPart({ kind, onClose }: { kind: PartKind; onClose: (id: string | null) => void }) {
  const editing = useEditing();
  const { parts, store } = editing;
  const [name, setName] = useState('');
  const [price, setPrice] = useState<number | null>(null);
  const [parent, setParent] = useState('');
  const [isTried, setTried] = useState(false);
  const isPriced = kind === 'item' || kind === 'option';
  const parents: readonly { id: string; name: string }[] =
    kind === 'category' ? parts.menus : kind === 'item' ? parts.categories : [];
  const needsParent = kind === 'category';
  const chosen = parent || (needsParent ? (parents[0]?.id ?? '') : '');
  const amount = isPriced ? (price ?? emptyPrice(kind)) : null;
  const isUnpriced = isPriced && amount === null;
  const add = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '' || isUnpriced || (needsParent && chosen === '')) return;
    const fields = { name: name.trim(), ...(amount !== null && { price: amount }) };
    onClose(addPart(editing, kind, chosen || null, fields));
  };
  return (
    <Dialog opened onClose={() => onClose(null)} title={m.menu_edit_new({ kind: kindName(kind, 1) })}>
      <form onSubmit={add} noValidate>
        <Stack>
          <TextInput
            data-autofocus
            label={m.menu_edit_name()}
            value={name}
            maxLength={kind === 'item' ? 120 : 80}
            error={isTried && name.trim() === '' && m.menu_text_needed()}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {isPriced && (
            <MoneyField
              label={m.menu_edit_price()}
              value={price}
              currency={store.currency}
              empty={null}
              onChange={setPrice}
              error={isTried && isUnpriced && m.menu_edit_price_needed()}
            />
          )}
          {(needsParent || kind === 'item') && (
            <NativeSelect
              label={kindName(needsParent ? 'menu' : 'category', 1)}
              value={chosen}
              data={[
                ...(needsParent ? [] : [{ value: '', label: m.menu_edit_none() }]),
                ...parents.map((one) => ({ value: one.id, label: one.name })),
              ]}
              error={isTried && needsParent && chosen === '' && m.menu_list_menu_first()}
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
