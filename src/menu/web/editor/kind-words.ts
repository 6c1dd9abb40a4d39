import { m } from '#messages';
import type { PartKind } from '#menu/operations/menu-part.ts';

/** `dish`, `dishes` … for use within a sentence. */
export function kindName(kind: PartKind, count: number): string {
  switch (kind) {
    case 'menu':
      return m.menu_edit_a_menu({ count });
    case 'category':
      return m.menu_edit_a_category({ count });
    case 'item':
      return m.menu_edit_an_item({ count });
    case 'group':
      return m.menu_edit_a_group({ count });
    case 'option':
      return m.menu_edit_an_option({ count });
  }
}
