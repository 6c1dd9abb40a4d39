import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { planCopy, planSharedGroupReplacement, planSharedOptionReplacement } from '#menu/web/editor/copies.ts';
import { confirmAndDeletePart } from '#menu/web/editor/deletion.tsx';
import classes from '#menu/web/editor/part-panel.module.css';
import { partKindWords } from '#menu/web/editor/part-words.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { findPart } from '#menu/operations/menu-operation.ts';
import { PartForm } from '#menu/web/editor/part-form.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { OpenPartPanel, PanelTarget } from '#menu/web/editor/edit-fields.tsx';

interface PanelProps {
  target: PanelTarget;
  onOpen: OpenPartPanel;
  onGone: () => void;
  /** Whether the panel shows a heading; a drawer has a heading of its own. */
  hasTitle?: boolean;
}

export function PartPanel({ target, onOpen, onGone, hasTitle = true }: PanelProps) {
  const editing = useMenuEditing();
  const { kind, id, parentId } = target;
  const part = findPart(editing.parts, kind, id);
  const { from } = target;
  const back = from && findPart(editing.parts, from.kind, from.id);
  const openInside: OpenPartPanel = (next) => onOpen({ ...next, from: target });
  if (!part) return <p>{m.menu_edit_gone()}</p>;
  const copy = (): void => {
    const made = planCopy(editing, kind, id, parentId, (name) => m.menu_edit_copy_name({ name }));
    if (!made) return;
    editing.edit(m.menu_edit_copied({ name: part.name }), made.operations);
    onOpen({ kind, id: made.id, parentId });
  };
  return (
    <>
      <span key={id} ref={showFromTop} />
      {back && (
        <Button mb="xs" variant="subtle" leftSection={<Icon name="chevronLeft" />} onClick={() => onOpen(from)}>
          {m.menu_edit_back_to({ name: back.name })}
        </Button>
      )}
      {hasTitle && (
        <h2 className={classes.panelTitle}>
          <small>{partKindWords(kind, 1)}</small> {part.name}
        </h2>
      )}
      <UsedIn target={target} onOpen={onOpen} />
      <PartForm target={target} onOpen={openInside} />
      <Group mt="lg">
        {(kind === 'category' || kind === 'item' || kind === 'group') && (
          <Button variant="default" onClick={copy}>
            {m.menu_edit_duplicate()}
          </Button>
        )}
        <Button
          variant="light"
          color="bad"
          onClick={() =>
            void confirmAndDeletePart(editing, kind, [id]).then((done) => done && (back ? onOpen(from) : onGone()))
          }
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

/** Warns that a part is used in several places or nowhere, and offers to copy a shared part. */
function UsedIn({ target, onOpen }: { target: PanelTarget; onOpen: OpenPartPanel }): ReactNode {
  const { index, parts } = useMenuEditing();
  const { kind, id, parentId } = target;
  const [item, group, option] = [index.items.get(id), index.groups.get(id), index.options.get(id)];
  if (kind === 'item' && item) return usesOfItem(index.categoriesOfItem.get(id) ?? []);
  if (kind === 'group' && group) {
    return (
      <Shared
        target={target}
        name={group.name}
        holders={index.itemsOfGroup.get(id) ?? []}
        here={index.items.get(parentId ?? '')}
        words={{ unused: m.menu_edit_unused_group, shared: m.menu_edit_used_in_items }}
        makeOwn={(here) => planSharedGroupReplacement({ parts, index }, here, group, group.name)}
        onOpen={onOpen}
      />
    );
  }
  if (kind !== 'option' || !option) return null;
  return (
    <Shared
      target={target}
      name={option.name}
      holders={index.groupsOfOption.get(id) ?? []}
      here={index.groups.get(parentId ?? '')}
      words={{ unused: m.menu_edit_unused_option, shared: m.menu_edit_used_in_groups }}
      makeOwn={(here) => planSharedOptionReplacement({ parts, index }, here, id, option.name)}
      onOpen={onOpen}
    />
  );
}

function usesOfItem(categories: readonly { name: string }[]): ReactNode {
  if (categories.length === 0) return <Alert color="warm">{m.menu_edit_unused_item()}</Alert>;
  if (categories.length === 1) return null;
  const names = categories.map(({ name }) => name).join(', ');
  return <Alert>{m.menu_edit_used_in_categories({ count: categories.length, names })}</Alert>;
}

interface SharedProps<Holder> {
  target: PanelTarget;
  name: string;
  holders: readonly Holder[];
  here: Holder | undefined;
  words: { unused: () => string; shared: (values: { count: number }) => string };
  makeOwn: (here: Holder) => ReturnType<typeof planSharedOptionReplacement>;
  onOpen: OpenPartPanel;
}

/**
 * Warns that a group or an option is used nowhere or in several places. Offers to replace a shared part by a copy in
 * the list where it was opened.
 */
function Shared<Holder extends { name: string }>({
  target: { kind, parentId },
  name,
  holders,
  here,
  words,
  makeOwn,
  onOpen,
}: SharedProps<Holder>): ReactNode {
  const { edit } = useMenuEditing();
  if (holders.length === 0) return <Alert color="warm">{words.unused()}</Alert>;
  if (holders.length === 1) return null;
  return (
    <Alert color="warm" title={words.shared({ count: holders.length })}>
      <p>{holders.map((holder) => holder.name).join(', ')}</p>
      {here && (
        <Button
          variant="default"
          onClick={() => {
            const own = makeOwn(here);
            if (!own) return;
            edit(m.menu_edit_own_copy({ name, parent: here.name }), own.operations);
            onOpen({ kind, id: own.id, parentId });
          }}
        >
          {m.menu_edit_make_copy({ parent: here.name })}
        </Button>
      )}
    </Alert>
  );
}
