import { Alert, Button, Group, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { startTransition, useDeferredValue, useMemo, useState } from 'react';
import { m } from '#messages';
import { AddSiblingPartDialog, BulkActions, MovePartDialog } from '#menu/web/editor/tree/bulk-actions.tsx';
import { BulkPriceDialog } from '#menu/web/editor/tree/bulk-price-dialog.tsx';
import classes from '#menu/web/editor/editor.module.css';
import { MenuEditingProvider, SavingStateToolbar } from '#menu/web/editor/session/menu-editing.tsx';
import { MenuTree } from '#menu/web/editor/tree/menu-tree.tsx';
import { PartPanel } from '#menu/web/editor/part-panel.tsx';
import { type TreeRow, buildTreeRows } from '#menu/web/editor/tree/tree-rows.ts';
import { confirm, Dialog, SideSheet } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { useOneTimeParam } from '#ui/web/office/use-one-time-param.ts';
import { SelectionBar } from '#ui/web/office/list-filters.tsx';
import { EmptyState } from '#ui/web/office/states.tsx';
import type { Store, StoreConfig } from '#store/contract.ts';
import { createMenuPart } from '#menu/web/editor/add-part.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import {
  makeGuardedChangeOperation,
  findPart,
  type ItemPart,
  type MenuOperation,
  type OptionPart,
} from '#menu/operations/menu-operation.ts';
import type { PanelTarget } from '#menu/web/editor/edit-fields.tsx';
import { consistentAllergenFields, allergenAnswersOf, awaitsAllergenConfirmation } from '#menu/allergen-answers.ts';
import { answeredAllergenWords } from '#menu/web/editor/choice-edits.tsx';
import allergensEditClasses from '#menu/web/editor/allergens-edit.module.css';
import { StartingMenuDialog } from '#menu/web/editor/starting-menu.tsx';
import { Link } from 'wouter';
import { ScheduledPrices } from '#menu/web/editor/price-change.tsx';
import { partKindWords } from '#menu/web/editor/part-words.ts';
import phonePreviewClasses from '#menu/web/editor/tree/phone-preview.module.css';
import { useStoresQuery } from '#store/web/stores.ts';
import { readPageData } from '#platform/web/page-data.ts';

export function MenuEditorPage({ store }: { store: Store }) {
  return (
    <MenuEditingProvider store={store}>
      <Editor />
    </MenuEditingProvider>
  );
}

function Editor() {
  const editor = useMenuEditor();
  const { opened, title, open, isPreviewing } = editor;
  const [moving, setMoving] = useState<TreeRow | null>(null);
  const [addingBelow, setAddingBelow] = useState<TreeRow | null>(null);
  const [isPricing, setPricing] = useState(false);
  const isWide = useMediaQuery('(min-width: 64em)', true);
  const panel = opened && <PartPanel target={opened} hasTitle={isWide} onOpen={open} onGone={editor.closePart} />;
  const isSplit = opened !== null || isPreviewing;
  const side = isPreviewing ? <PhonePreview /> : panel;
  const sideTitle = isPreviewing ? m.menu_edit_preview() : title;

  return (
    <OfficePage
      isWide
      title={m.office_page_menu_editor()}
      actions={
        <>
          <SavingStateToolbar />
          <Button variant="default" onClick={() => setPricing(true)}>
            {m.menu_edit_bulk_price()}
          </Button>
          <Button
            variant="default"
            aria-pressed={isPreviewing}
            leftSection={<Icon name="phone" />}
            onClick={editor.togglePreview}
          >
            {m.menu_edit_preview()}
          </Button>
          <Button leftSection={<Icon name="plus" />} onClick={editor.addMenu}>
            {m.menu_edit_add_menu()}
          </Button>
        </>
      }
    >
      <UnconfirmedAllergens />
      <ScheduledPrices />
      <div className={classes.editor} data-split={(isWide && isSplit) || undefined}>
        <Tree editor={editor} onMoveTo={setMoving} onAddBelow={setAddingBelow} />
        {isWide && isSplit && (
          <aside className={classes.panel} aria-label={sideTitle}>
            {side}
          </aside>
        )}
      </div>
      <SideSheet opened={!isWide && isSplit} onClose={editor.close} position="right" size="100%" title={sideTitle}>
        {side}
      </SideSheet>
      {addingBelow && <AddSiblingPartDialog row={addingBelow} onClose={() => setAddingBelow(null)} />}
      {moving && <MovePartDialog row={moving} onClose={() => setMoving(null)} />}
      {isPricing && <BulkPriceDialog selected={editor.selected} onClose={() => setPricing(false)} />}
    </OfficePage>
  );
}

interface TreeProps {
  editor: MenuEditor;
  onMoveTo: (row: TreeRow) => void;
  onAddBelow: (row: TreeRow) => void;
}

function Tree({ editor, onMoveTo, onAddBelow }: TreeProps) {
  const [isStarting, setStarting] = useState(false);
  return (
    <section aria-label={m.menu_edit_tree()}>
      <div className={classes.tools}>
        <TextInput
          type="search"
          label={m.menu_edit_search()}
          value={editor.search}
          onChange={(event) => editor.setSearch(event.currentTarget.value)}
        />
        <Button variant="subtle" onClick={editor.expandAll}>
          {m.menu_edit_expand_all()}
        </Button>
        <Button variant="subtle" onClick={editor.collapseAll}>
          {m.menu_edit_collapse_all()}
        </Button>
      </div>
      {editor.rows.length > 0 && (
        <MenuTree
          rows={editor.rows}
          opened={editor.opened}
          onOpen={editor.open}
          onExpand={editor.expand}
          selected={editor.selected}
          onSelect={editor.select}
          onMoveTo={onMoveTo}
          onAddBelow={onAddBelow}
        />
      )}
      {editor.rows.length === 0 && editor.hasMenus && <EmptyState title={m.office_list_no_match()} />}
      {!editor.hasDishes && (
        <EmptyState title={editor.hasMenus ? m.menu_edit_no_dishes() : m.menu_edit_empty()}>
          <p>{m.menu_edit_empty_hint()}</p>
          <Group justify="center">
            {!editor.hasMenus && <Button onClick={editor.addMenu}>{m.menu_edit_add_menu()}</Button>}
            <Button component={Link} href="/admin/import" variant="default">
              {m.menu_start_bring()}
            </Button>
            <Button variant="default" onClick={() => setStarting(true)}>
              {m.menu_start_from_list()}
            </Button>
          </Group>
        </EmptyState>
      )}
      {isStarting && (
        <StartingMenuDialog
          onClose={(menuId) => {
            setStarting(false);
            if (menuId) editor.expand(menuId, true);
          }}
        />
      )}
      <p className={classes.hint}>{m.menu_edit_keys()}</p>
      <SelectionBar count={editor.selected.size} onClear={editor.clearSelection}>
        <BulkActions ids={editor.selected} onDone={editor.clearSelection} />
      </SelectionBar>
    </section>
  );
}

function useMenuEditor() {
  const editing = useMenuEditing();
  const { parts, index } = editing;
  const [search, setSearch] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(parts.menus.map(({ id }) => id)));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<PanelTarget | null>(null);
  const [isPreviewing, setPreviewing] = useState(false);
  const sought = useDeferredValue(search);
  const rows = useMemo(() => buildTreeRows(parts, index, expanded, sought), [parts, index, expanded, sought]);
  const title = opened ? (findPart(parts, opened.kind, opened.id)?.name ?? '') : '';

  const expand = (key: string, isExpanded: boolean): void => {
    const next = new Set(expanded);
    if (isExpanded) next.add(key);
    else next.delete(key);
    setExpanded(next);
  };
  // Lines are expanded in a transition, because rendering thousands of them takes a moment.
  const expandAll = (): void =>
    startTransition(() =>
      setExpanded(
        new Set(parts.categories.flatMap((category) => [category.menu_id, `${category.menu_id}/${category.id}`])),
      ),
    );
  const addMenu = (): void => {
    const id = createMenuPart(editing, 'menu', null, { name: m.menu_edit_new_menu() });
    expand(id, true);
    open({ kind: 'menu', id, parentId: null, isNew: true });
  };
  const select = (id: string, isSelected: boolean): void => {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  const open = (target: PanelTarget): void => {
    setOpened(target);
    setPreviewing(false);
  };
  const named = useOneTimeParam('item');
  const [shownNamed, setShownNamed] = useState<string | null>(null);
  if (named !== shownNamed) {
    setShownNamed(named);
    const item = named === null ? null : findPart(parts, 'item', named);
    if (item) {
      setSearch(item.name);
      open({ kind: 'item', id: item.id, parentId: null });
    }
  }
  return {
    search,
    setSearch,
    rows,
    hasMenus: parts.menus.length > 0,
    hasDishes: parts.categories.some(({ item_ids: dishes }) => dishes.length > 0),
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

type MenuEditor = ReturnType<typeof useMenuEditor>;

type Waiting = { kind: 'item'; part: ItemPart } | { kind: 'option'; part: OptionPart };

/** The maximum number of parts that one call may change. */
const atOnce = 1000;

function UnconfirmedAllergens() {
  const { parts, index, edit } = useMenuEditing();
  const [isOpen, setOpen] = useState(false);
  const waiting: Waiting[] = [
    ...parts.items.filter(awaitsAllergenConfirmation).map((part) => ({ kind: 'item' as const, part })),
    ...parts.options.filter(awaitsAllergenConfirmation).map((part) => ({ kind: 'option' as const, part })),
  ];
  if (waiting.length === 0) return null;
  const count = waiting.length;
  const within = ({ kind, part: { id } }: Waiting): string => {
    const places = kind === 'item' ? index.categoriesOfItem.get(id) : index.groupsOfOption.get(id);
    return (places ?? []).map(({ name }) => name).join(', ');
  };
  const confirmAll = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.menu_edit_unconfirmed_all_title({ count }),
      body: (
        <ul>
          {waiting.map(({ part }) => (
            <li key={part.id}>
              <strong>{part.name}</strong>: {answeredAllergenWords(part)}
            </li>
          ))}
        </ul>
      ),
      action: m.menu_edit_unconfirmed_all({ count }),
    });
    if (!isSure) return;
    setOpen(false);
    for (let at = 0; at < count; at += atOnce) {
      const some = waiting.slice(at, at + atOnce);
      edit(m.menu_edit_unconfirmed_done({ count: some.length }), some.map(confirmed));
    }
  };
  return (
    <Alert color="warm" mb="md" title={m.menu_edit_unconfirmed({ count })}>
      <p>{m.menu_edit_unconfirmed_words()}</p>
      <Button variant="default" onClick={() => setOpen(true)}>
        {m.menu_edit_unconfirmed_show()}
      </Button>
      <Dialog opened={isOpen} size="lg" onClose={() => setOpen(false)} title={m.menu_edit_unconfirmed_title()}>
        <p>{m.menu_edit_unconfirmed_hint()}</p>
        <ul className={allergensEditClasses.waiting}>
          {waiting.map((one) => (
            <li key={one.part.id}>
              <span>
                <strong>{one.part.name}</strong>: {answeredAllergenWords(one.part)}
                <small>{[partKindWords(one.kind, 1), within(one)].filter(Boolean).join(' · ')}</small>
              </span>
              <Button
                variant="default"
                aria-label={m.menu_edit_unconfirmed_yes_to({ name: one.part.name })}
                onClick={() => {
                  edit(m.menu_edit_unconfirmed_one({ name: one.part.name }), [confirmed(one)]);
                  if (count === 1) setOpen(false);
                }}
              >
                {m.menu_edit_unconfirmed_yes()}
              </Button>
            </li>
          ))}
        </ul>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => setOpen(false)}>
            {m.platform_close()}
          </Button>
          <Button onClick={() => void confirmAll()}>{m.menu_edit_unconfirmed_all({ count })}</Button>
        </Group>
      </Dialog>
    </Alert>
  );
}

function confirmed({ kind, part }: Waiting): MenuOperation {
  const fields = consistentAllergenFields({ allergen_answers: allergenAnswersOf(part) });
  return kind === 'item'
    ? makeGuardedChangeOperation('item', part, fields)
    : makeGuardedChangeOperation('option', part, fields);
}

/**
 * The customers' menu page at a phone's width. It updates like any customer's page, so it does not show unsaved
 * changes.
 */
function PhonePreview() {
  const { store } = useMenuEditing();
  const stores = useStoresQuery().data ?? [];
  const { storeName } = readPageData<{ config: StoreConfig }>().config;
  // The shop that `/` shows: the shop named by `STORE_NAME`, otherwise the first.
  const shown =
    storeName === null ? stores[0] : stores.find(({ id, slug, name }) => [id, slug, name].includes(storeName));
  if (shown && shown.id !== store.id) return <EmptyState title={m.menu_edit_preview_other()} />;
  return (
    <figure className={phonePreviewClasses.phone}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs scripts and the basket */}
      <iframe src="/menu" title={m.menu_edit_preview_title({ name: store.name })} width={390} height={780} />
      <figcaption>{m.menu_edit_preview_hint()}</figcaption>
    </figure>
  );
}
