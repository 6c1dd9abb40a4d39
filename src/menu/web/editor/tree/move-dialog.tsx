import { Button, Group, NativeSelect, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { childrenOf, findPart, listOf } from '#menu/operations/menu-part.ts';
import { isMovable, movesOf, parentKind } from '#menu/web/editor/tree/moves.ts';
import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

/** “Move to…”: another parent and a place in it, without a pointer. */
export function MoveDialog({ row, onClose }: { row: TreeRow; onClose: () => void }) {
  const { parts, edit } = useEditing();
  const [to, setTo] = useState(row.parentId ?? '');
  const [at, setAt] = useState<number | null>(null);
  if (!isMovable(row.kind) || row.parentId === null) return null;
  const { kind, id, parentId: from } = row;
  const parent = parentKind[kind];
  const others = childrenOf(parts, parent, to).filter((one) => one !== id);
  const names = others.map((one) => findPart(parts, kind, one)?.name ?? '');
  const place = at ?? others.length;
  const parents: readonly { id: string; name: string }[] = parts[listOf[parent]];
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
              edit(m.menu_edit_moved({ name: row.part.name }), movesOf(parts, { kind, id, from, to, at: place }));
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
