import { Button, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { startTransition, useDeferredValue, useMemo, useState } from 'react';
import { m } from '#messages';
import { BulkActions } from '#menu/web/editor/bulk-actions.tsx';
import { BulkPriceDialog } from '#menu/web/editor/bulk-price-dialog.tsx';
import { addPart } from '#menu/web/editor/add-part.ts';
import classes from '#menu/web/editor/editor.module.css';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import { MenuEditing } from '#menu/web/editor/menu-editing.tsx';
import { findPart } from '#menu/operations/menu-part.ts';
import { MenuTree } from '#menu/web/editor/menu-tree.tsx';
import { MoveDialog } from '#menu/web/editor/move-dialog.tsx';
import { PartPanel } from '#menu/web/editor/part-panel.tsx';
import type { PartTarget } from '#menu/web/editor/part-target.ts';
import { PhonePreview } from '#menu/web/editor/phone-preview.tsx';
import { SavingState } from '#menu/web/editor/saving-state.tsx';
import { type TreeRow, treeRows } from '#menu/web/editor/tree-rows.ts';
import { SideSheet } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { SelectionBar } from '#ui/web/office/selection-bar.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import type { Store } from '#store/contract.ts';

export function MenuEditorPage({ store }: { store: Store }) {
  return (
    <MenuEditing store={store}>
      <Editor />
    </MenuEditing>
  );
}

function Editor() {
  const editing = useEditing();
  const { parts, index } = editing;
  const [search, setSearch] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(parts.menus.map(({ id }) => id)));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<PartTarget | null>(null);
  const [moving, setMoving] = useState<TreeRow | null>(null);
  const [isPricing, setPricing] = useState(false);
  const [isPreviewing, setPreviewing] = useState(false);
  const isWide = useMediaQuery('(min-width: 64em)', true);
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
  const panel = opened && <PartPanel target={opened} hasTitle={isWide} onOpen={open} onGone={() => setOpened(null)} />;

  return (
    <OfficePage
      isWide
      title={m.office_page_menu_editor()}
      actions={
        <>
          <SavingState />
          <Button variant="default" onClick={() => setPricing(true)}>
            {m.menu_edit_bulk_price()}
          </Button>
          <Button
            variant="default"
            aria-pressed={isPreviewing}
            leftSection={<Icon name="phone" />}
            onClick={() => setPreviewing(!isPreviewing)}
          >
            {m.menu_edit_preview()}
          </Button>
          <Button leftSection={<Icon name="plus" />} onClick={addMenu}>
            {m.menu_edit_add_menu()}
          </Button>
        </>
      }
    >
      <div className={classes.editor} data-split={(isWide && (opened !== null || isPreviewing)) || undefined}>
        <section aria-label={m.menu_edit_tree()}>
          <div className={classes.tools}>
            <TextInput
              type="search"
              label={m.menu_edit_search()}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <Button variant="subtle" onClick={expandAll}>
              {m.menu_edit_expand_all()}
            </Button>
            <Button variant="subtle" onClick={() => setExpanded(new Set(parts.menus.map(({ id }) => id)))}>
              {m.menu_edit_collapse_all()}
            </Button>
          </div>
          <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
            <BulkActions ids={selected} onDone={() => setSelected(new Set())} />
          </SelectionBar>
          {rows.length > 0 && (
            <MenuTree
              rows={rows}
              opened={opened}
              onOpen={open}
              onExpand={expand}
              selected={selected}
              onSelect={select}
              onMoveTo={setMoving}
            />
          )}
          {rows.length === 0 && parts.menus.length > 0 && <Empty title={m.office_list_no_match()} />}
          {parts.menus.length === 0 && (
            <Empty title={m.menu_edit_empty()}>
              <p>{m.menu_edit_empty_hint()}</p>
              <Button onClick={addMenu}>{m.menu_edit_add_menu()}</Button>
            </Empty>
          )}
          <p className={classes.keys}>{m.menu_edit_keys()}</p>
        </section>
        {isWide && (opened || isPreviewing) && (
          <aside className={classes.panel} aria-label={isPreviewing ? m.menu_edit_preview() : title}>
            {isPreviewing ? <PhonePreview /> : panel}
          </aside>
        )}
      </div>
      <SideSheet
        opened={!isWide && (opened !== null || isPreviewing)}
        onClose={() => {
          setOpened(null);
          setPreviewing(false);
        }}
        position="right"
        size="100%"
        title={isPreviewing ? m.menu_edit_preview() : title}
      >
        {isPreviewing ? <PhonePreview /> : panel}
      </SideSheet>
      {moving && <MoveDialog row={moving} onClose={() => setMoving(null)} />}
      {isPricing && <BulkPriceDialog selected={selected} onClose={() => setPricing(false)} />}
    </OfficePage>
  );
}
