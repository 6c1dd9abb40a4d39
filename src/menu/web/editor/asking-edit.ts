import { m } from '#messages';
import { endedMenus } from '#menu/operations/ended-menus.ts';
import type { Editing } from '#menu/web/editor/editing-context.ts';
import { shopNow } from '#platform/web/clock.ts';
import { confirmEnd } from '#store/web/open-orders.ts';

/** Makes an edit at once, or asks before one that takes a menu from customers who can order from it now. */
export function askingEdit({
  store,
  parts,
  session,
  countOpen,
}: Pick<Editing, 'store' | 'parts' | 'session' | 'countOpen'>): Editing['edit'] {
  return (label, operations) => {
    const ended = endedMenus(store, parts, operations, new Date(shopNow()));
    if (ended.length === 0) return session.edit(label, operations);
    const name = ended.map((menu) => menu.name).join(', ');
    const question = {
      title: m.menu_edit_ends_title({ name }),
      body: m.menu_edit_ends_body(),
      action: m.menu_edit_ends(),
    };
    void confirmEnd(question, countOpen, [store.id]).then((isSure) => isSure && session.edit(label, operations));
  };
}
