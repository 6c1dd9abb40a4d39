import { z } from 'zod';
import { Category, Item, Menu, Option, OptionGroup } from '#menu/contract.ts';
import { categories, menus, ShownCategory, ShownMenu } from '#menu/endpoints-menus.ts';
import { items, optionGroups, options, ShownGroup, ShownItem, ShownOption } from '#menu/endpoints-items.ts';
import { GroupLink, OptionLink } from '#menu/fields.ts';
import { menuCalls } from '#menu/operations/operation-calls.ts';
import { Id, One } from '#platform/http/shapes.ts';

/**
 * Everything on a store's menus, each thing once. Lists of ids and links stand in their order; an option's price is its
 * own, and `price_override` what it costs in that group instead.
 */
export const MenuParts = z.object({
  store_id: Id,
  /** Counts the changes to the store and to its menu. */
  version: z.int(),
  menus: z.array(Menu.omit({ categories: true })),
  categories: z.array(Category.omit({ items: true }).extend({ item_ids: z.array(Id) })),
  items: z.array(Item.omit({ option_groups: true, position: true }).extend({ option_groups: z.array(GroupLink) })),
  option_groups: z.array(
    OptionGroup.omit({ options: true, position: true, shown_when_option_id: true }).extend({
      options: z.array(OptionLink),
    }),
  ),
  options: z.array(Option.omit({ price_override: true, position: true })),
});
export type MenuParts = z.infer<typeof MenuParts>;

const changing = { ...menus, ...categories, ...items, ...options, ...optionGroups };

const restoring = {
  'POST /v1/menus/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of a menu, with its categories, for 30 days.',
    response: One(ShownMenu),
    errors: ['conflict'],
  },
  'POST /v1/categories/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of a category: it stands where it stood, with the items that are still there.',
    response: One(ShownCategory),
    errors: ['conflict'],
  },
  'POST /v1/items/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of an item: in the categories it was in, with its option groups.',
    response: One(ShownItem),
    errors: ['conflict'],
  },
  'POST /v1/options/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of an option: in the groups it was in.',
    response: One(ShownOption),
    errors: ['conflict'],
  },
  'POST /v1/option-groups/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of an option group: on the items it was on, with its options.',
    response: One(ShownGroup),
    errors: ['conflict'],
  },
} as const;

/** The calls that `POST /v1/menus/changes` can make: every change of a menu by an admin. */
export const menuChanges = { ...changing, ...restoring };
export type MenuChange = Exclude<
  keyof typeof menuChanges & `${'POST' | 'PATCH' | 'DELETE'} ${string}`,
  `${string}/availability`
>;

/** Calls that change a menu, in their order. */
export const MenuChanges = z.array(
  z.object({
    /** The call as the contract names it, e.g. `PATCH /v1/items/{id}`. */
    call: z.enum(menuCalls),
    /** The `{id}` of its path. */
    id: Id.toLowerCase().optional(),
    body: z.record(z.string(), z.unknown()).default({}),
  }),
);
export type MenuChangeCall = z.output<typeof MenuChanges>[number];

export const editing = {
  ...restoring,
  'GET /v1/menus/store/{storeId}/parts': {
    access: 'admin',
    summary: "Everything on a store's menus, each thing once, hidden and unlinked things too: what an editor needs.",
    response: One(MenuParts),
  },
  'POST /v1/menus/changes': {
    access: 'admin',
    summary: 'Make several changes of menus as one: all of them or none. An error names the change, from 0.',
    body: z.object({ changes: MenuChanges.min(1).max(1000) }),
    response: null,
    errors: ['conflict', 'changed_meanwhile'],
  },
  'GET /v1/items/{id}/sold': {
    access: 'admin',
    summary: 'How many of an item were ever ordered.',
    response: One(z.object({ sold: z.int() })),
  },
} as const;
