import { items, optionGroups, options } from '#menu/endpoints-items.ts';
import { categories, menus } from '#menu/endpoints-menus.ts';
import { editing } from '#menu/endpoints-editing.ts';
import { imports } from '#menu/endpoints-imports.ts';

/** Every call about menus and what is on them. */
export const menu = { ...menus, ...categories, ...items, ...options, ...optionGroups, ...editing, ...imports } as const;
