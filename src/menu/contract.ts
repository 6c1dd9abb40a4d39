import { items, optionGroups, options } from '#menu/contract-items.ts';
import { categories, menus } from '#menu/contract-menus.ts';
import { editing } from '#menu/contract-editing.ts';
import { imports } from '#menu/contract-imports.ts';

/** Every call about menus and what is on them. */
export const menu = { ...menus, ...categories, ...items, ...options, ...optionGroups, ...editing, ...imports } as const;
