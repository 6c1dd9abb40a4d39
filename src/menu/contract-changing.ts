import { categories, menus, ShownCategory, ShownMenu } from '#menu/contract-menus.ts';
import { items, optionGroups, options, ShownGroup, ShownItem, ShownOption } from '#menu/contract-items.ts';
import { One } from '#platform/http/shapes.ts';

const changing = { ...menus, ...categories, ...items, ...options, ...optionGroups };

/** Undoes a deletion. */
export const restoring = {
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
/** As the contract names it, e.g. `PATCH /v1/items/{id}`. */
export type MenuChange = Exclude<
  keyof typeof menuChanges & `${'POST' | 'PATCH' | 'DELETE'} ${string}`,
  `${string}/availability`
>;
