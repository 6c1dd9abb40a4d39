import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { copyOf, ownGroup, ownOption } from '#menu/web/editor/copies.ts';
import { confirmAndDelete } from '#menu/web/editor/deletion.tsx';
import classes from '#menu/web/editor/part-panel.module.css';
import { kindName } from '#menu/web/editor/part-words.ts';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { findPart } from '#menu/operations/menu-operation.ts';
import { PartForm } from '#menu/web/editor/part-form.tsx';
import type { OpenPart, PartTarget } from '#menu/web/editor/edit-fields.tsx';

interface PanelProps {
  target: PartTarget;
  onOpen: OpenPart;
  onGone: () => void;
  /** Whether the panel shows a heading; a drawer has its own. */
  hasTitle?: boolean;
}

/** One part of the menu: where it is used, its fields, and its actions. */
export function PartPanel({ target, onOpen, onGone, hasTitle = true }: PanelProps) {
  const editing = useEditing();
  const { kind, id, parentId } = target;
  const part = findPart(editing.parts, kind, id);
  if (!part) return <p>{m.menu_edit_gone()}</p>;
  const copy = (): void => {
    const made = copyOf(editing, kind, id, parentId, (name) => m.menu_edit_copy_name({ name }));
    if (!made) return;
    editing.edit(m.menu_edit_copied({ name: part.name }), made.operations);
    onOpen({ kind, id: made.id, parentId });
  };
  return (
    <>
      <span key={id} ref={showFromTop} />
      {hasTitle && (
        <h2 className={classes.panelTitle}>
          <small>{kindName(kind, 1)}</small> {part.name}
        </h2>
      )}
      <UsedIn target={target} onOpen={onOpen} />
      <PartForm target={target} onOpen={onOpen} />
      <Group mt="lg">
        {(kind === 'category' || kind === 'item' || kind === 'group') && (
          <Button variant="default" onClick={copy}>
            {m.menu_edit_duplicate()}
          </Button>
        )}
        <Button
          variant="light"
          color="bad"
          onClick={() => void confirmAndDelete(editing, kind, [id]).then((done) => done && onGone())}
        >
          {m.menu_edit_delete()}
        </Button>
      </Group>
    </>
  );
}

/** Scrolls a newly opened part to its top, and not the page behind it. */
function showFromTop(mark: HTMLElement | null): void {
  for (let box = mark; box !== null; box = box.parentElement) {
    box.scrollTo(0, 0);
    if (box.matches('aside, [role="dialog"]')) return;
  }
}

/** Warns that a part is used in several places or nowhere, and offers a copy of a shared one. */
function UsedIn({ target, onOpen }: { target: PartTarget; onOpen: OpenPart }): ReactNode {
  const { index, parts, edit } = useEditing();
  const { kind, id, parentId } = target;
  const [item, group, option] = [index.items.get(id), index.groups.get(id), index.options.get(id)];
  if (kind === 'item' && item) {
    const categories = index.categoriesOfItem.get(id) ?? [];
    const names = categories.map(({ name }) => name).join(', ');
    if (categories.length === 0) return <Alert color="warm">{m.menu_edit_unused_item()}</Alert>;
    return categories.length > 1 ? (
      <Alert>{m.menu_edit_used_in_categories({ count: categories.length, names })}</Alert>
    ) : null;
  }
  if (kind === 'group' && group) {
    const items = index.itemsOfGroup.get(id) ?? [];
    const here = parentId === null ? undefined : index.items.get(parentId);
    if (items.length === 0) return <Alert color="warm">{m.menu_edit_unused_group()}</Alert>;
    if (items.length === 1) return null;
    return (
      <Alert color="warm" title={m.menu_edit_used_in_items({ count: items.length })}>
        <p>{items.map(({ name }) => name).join(', ')}</p>
        {here && (
          <Button
            variant="default"
            onClick={() => {
              const own = ownGroup({ parts, index }, here, group, group.name);
              edit(m.menu_edit_own_copy({ name: group.name, parent: here.name }), own.operations);
              onOpen({ kind, id: own.id, parentId });
            }}
          >
            {m.menu_edit_make_copy({ parent: here.name })}
          </Button>
        )}
      </Alert>
    );
  }
  if (kind !== 'option' || !option) return null;
  const groups = index.groupsOfOption.get(id) ?? [];
  const here = parentId === null ? undefined : index.groups.get(parentId);
  if (groups.length === 0) return <Alert color="warm">{m.menu_edit_unused_option()}</Alert>;
  if (groups.length === 1) return null;
  return (
    <Alert color="warm" title={m.menu_edit_used_in_groups({ count: groups.length })}>
      <p>{groups.map(({ name }) => name).join(', ')}</p>
      {here && (
        <Button
          variant="default"
          onClick={() => {
            const own = ownOption({ parts, index }, here, id, option.name);
            if (!own) return;
            edit(m.menu_edit_own_copy({ name: option.name, parent: here.name }), own.operations);
            onOpen({ kind, id: own.id, parentId });
          }}
        >
          {m.menu_edit_make_copy({ parent: here.name })}
        </Button>
      )}
    </Alert>
  );
}
