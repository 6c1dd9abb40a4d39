import { startTransition, useDeferredValue, useMemo, useState } from 'react';
import { m } from '#messages';
import { addPart } from '#menu/web/editor/add-part.ts';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { findPart } from '#menu/operations/menu-part.ts';
import type { PartTarget } from '#menu/web/editor/part-target.ts';
import { treeRows } from '#menu/web/editor/tree/tree-rows.ts';

/** What the editor shows: the lines that are found or expanded, the selected dishes, and the part that is open. */
export function useMenuEditor() {
  const editing = useEditing();
  const { parts, index } = editing;
  const [search, setSearch] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(parts.menus.map(({ id }) => id)));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<PartTarget | null>(null);
  const [isPreviewing, setPreviewing] = useState(false);
  const sought = useDeferredValue(search);
  const rows = useMemo(() => treeRows(parts, index, expanded, sought), [parts, index, expanded, sought]);
  const title = opened ? (findPart(parts, opened.kind, opened.id)?.name ?? '') : '';

  const expand = (key: string, isExpanded: boolean): void => {
    const next = new Set(expanded);
    if (isExpanded) next.add(key);
    else next.delete(key);
    setExpanded(next);
  };
  // Thousands of lines take a moment to render; the page stays responsive meanwhile.
  const expandAll = (): void =>
    startTransition(() =>
      setExpanded(
        new Set(parts.categories.flatMap((category) => [category.menu_id, `${category.menu_id}/${category.id}`])),
      ),
    );
  const addMenu = (): void => {
    const id = addPart(editing, 'menu', null, { name: m.menu_edit_new_menu() });
    expand(id, true);
    open({ kind: 'menu', id, parentId: null, isNew: true });
  };
  const select = (id: string, isSelected: boolean): void => {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  const open = (target: PartTarget): void => {
    setOpened(target);
    setPreviewing(false);
  };
  return {
    search,
    setSearch,
    rows,
    hasMenus: parts.menus.length > 0,
    expand,
    expandAll,
    collapseAll: () => setExpanded(new Set(parts.menus.map(({ id }) => id))),
    selected,
    select,
    clearSelection: () => setSelected(new Set()),
    opened,
    title,
    open,
    isPreviewing,
    togglePreview: () => setPreviewing(!isPreviewing),
    close: () => {
      setOpened(null);
      setPreviewing(false);
    },
    closePart: () => setOpened(null),
    addMenu,
  };
}

export type MenuEditor = ReturnType<typeof useMenuEditor>;
