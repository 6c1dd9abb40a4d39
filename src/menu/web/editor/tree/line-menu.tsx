import { Menu } from '@mantine/core';
import { m } from '#messages';
import { copyOf } from '#menu/web/editor/copies.ts';
import { stockOf } from '#menu/web/editor/choice-edits.tsx';
import { kindName } from '#menu/web/editor/kind-words.ts';
import { changeSeen, unlink } from '#menu/operations/menu-operation.ts';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { isMovable, parentKind } from '#menu/web/editor/tree/moves.ts';
import type { LineCommands } from '#menu/web/editor/tree/line-commands.ts';
import { childKind, type TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { findPart } from '#menu/operations/menu-part.ts';
import { shopNow } from '#platform/web/clock.ts';

/** Everything that can be done with a line without dragging it. */
export function LineMenu({ row, commands }: { row: TreeRow; commands: LineCommands }) {
  const editing = useEditing();
  const { edit, parts, store } = editing;
  const { kind, id, part, parentId } = row;
  const inner = childKind[kind];
  const parent = isMovable(kind) ? parentKind[kind] : null;
  const parentName = parent && parentId !== null ? (findPart(parts, parent, parentId)?.name ?? '') : '';
  const copy = (): void => {
    const made = copyOf(editing, kind, id, parentId, (name) => m.menu_edit_copy_name({ name }));
    if (made) edit(m.menu_edit_copied({ name: part.name }), made.operations);
  };
  return (
    <>
      <Menu.Item onClick={() => commands.open(row)}>{m.menu_edit_edit()}</Menu.Item>
      <Menu.Item onClick={() => commands.rename(row)}>{m.menu_edit_rename_short()}</Menu.Item>
      {inner && (
        <Menu.Item onClick={() => commands.open(row)}>{m.menu_edit_add_named({ kind: kindName(inner, 1) })}</Menu.Item>
      )}
      {parent && (
        <>
          <Menu.Divider />
          <Menu.Item disabled={row.place === 1} onClick={() => commands.step(row, -1)}>
            {m.menu_edit_move_up()}
          </Menu.Item>
          <Menu.Item disabled={row.place === row.siblings} onClick={() => commands.step(row, 1)}>
            {m.menu_edit_move_down()}
          </Menu.Item>
          <Menu.Item onClick={() => commands.moveTo(row)}>{m.menu_edit_move_to()}</Menu.Item>
        </>
      )}
      <Menu.Divider />
      {(kind === 'category' || kind === 'item' || kind === 'group') && (
        <Menu.Item onClick={copy}>{m.menu_edit_duplicate()}</Menu.Item>
      )}
      {'is_active' in part && (
        <Menu.Item
          onClick={() =>
            edit(part.is_active ? m.menu_edit_hid({ name: part.name }) : m.menu_edit_showed({ name: part.name }), [
              changeSeen(kind, part, { is_active: !part.is_active }),
            ])
          }
        >
          {part.is_active ? m.menu_edit_hide() : m.menu_edit_show()}
        </Menu.Item>
      )}
      {'is_available' in part &&
        (['in', 'today', 'out'] as const).map((choice) => (
          <Menu.Item
            key={choice}
            onClick={() =>
              edit(m.menu_edit_changed({ field: m.menu_edit_available(), name: part.name }), [
                changeSeen(kind, part, stockOf(choice, store, new Date(shopNow()))),
              ])
            }
          >
            {{ in: m.menu_edit_stock_in, today: m.menu_edit_stock_today, out: m.menu_edit_stock_out }[choice]()}
          </Menu.Item>
        ))}
      <Menu.Divider />
      {parent && parent !== 'menu' && parentId !== null && (
        <Menu.Item
          onClick={() =>
            edit(m.menu_edit_taken_out({ name: part.name, parent: parentName }), [unlink(parent, parentId, [id])])
          }
        >
          {m.menu_edit_take_out_of({ parent: parentName })}
        </Menu.Item>
      )}
      <Menu.Item color="bad" onClick={() => commands.remove(row)}>
        {m.menu_edit_delete()}
      </Menu.Item>
    </>
  );
}
