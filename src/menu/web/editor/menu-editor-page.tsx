import { Button, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { m } from '#messages';
import { BulkActions } from '#menu/web/editor/tree/bulk-actions.tsx';
import { BulkPriceDialog } from '#menu/web/editor/tree/bulk-price-dialog.tsx';
import classes from '#menu/web/editor/editor.module.css';
import { MenuEditing } from '#menu/web/editor/session/menu-editing.tsx';
import { MenuTree } from '#menu/web/editor/tree/menu-tree.tsx';
import { MoveDialog } from '#menu/web/editor/tree/move-dialog.tsx';
import { PartPanel } from '#menu/web/editor/part-panel.tsx';
import { PhonePreview } from '#menu/web/editor/tree/phone-preview.tsx';
import { SavingState } from '#menu/web/editor/session/saving-state.tsx';
import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { UnconfirmedAllergens } from '#menu/web/editor/unconfirmed-allergens.tsx';
import { type MenuEditor, useMenuEditor } from '#menu/web/editor/use-menu-editor.ts';
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
  const editor = useMenuEditor();
  const { opened, title, open, isPreviewing } = editor;
  const [moving, setMoving] = useState<TreeRow | null>(null);
  const [isPricing, setPricing] = useState(false);
  const isWide = useMediaQuery('(min-width: 64em)', true);
  const panel = opened && <PartPanel target={opened} hasTitle={isWide} onOpen={open} onGone={editor.closePart} />;

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
      <div className={classes.editor} data-split={(isWide && (opened !== null || isPreviewing)) || undefined}>
        <Tree editor={editor} onMoveTo={setMoving} />
        {isWide && (opened || isPreviewing) && (
          <aside className={classes.panel} aria-label={isPreviewing ? m.menu_edit_preview() : title}>
            {isPreviewing ? <PhonePreview /> : panel}
          </aside>
        )}
      </div>
      <SideSheet
        opened={!isWide && (opened !== null || isPreviewing)}
        onClose={editor.close}
        position="right"
        size="100%"
        title={isPreviewing ? m.menu_edit_preview() : title}
      >
        {isPreviewing ? <PhonePreview /> : panel}
      </SideSheet>
      {moving && <MoveDialog row={moving} onClose={() => setMoving(null)} />}
      {isPricing && <BulkPriceDialog selected={editor.selected} onClose={() => setPricing(false)} />}
    </OfficePage>
  );
}

/** The whole menu as lines, with what finds, opens and changes several. */
function Tree({ editor, onMoveTo }: { editor: MenuEditor; onMoveTo: (row: TreeRow) => void }) {
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
        />
      )}
      {editor.rows.length === 0 && editor.hasMenus && <Empty title={m.office_list_no_match()} />}
      {!editor.hasMenus && (
        <Empty title={m.menu_edit_empty()}>
          <p>{m.menu_edit_empty_hint()}</p>
          <Button onClick={editor.addMenu}>{m.menu_edit_add_menu()}</Button>
        </Empty>
      )}
      <p className={classes.hint}>{m.menu_edit_keys()}</p>
      <SelectionBar count={editor.selected.size} onClear={editor.clearSelection}>
        <BulkActions ids={editor.selected} onDone={editor.clearSelection} />
      </SelectionBar>
    </section>
  );
}
