import { z } from 'zod';
import { Category, Item, Menu, Option, OptionGroup } from '#menu/menu-shapes.ts';
import {
  CategoryFields,
  GroupOnItem,
  PartIds,
  ItemFields,
  MenuFields,
  NewId,
  OptionFields,
  OptionGroupFields,
  OptionInGroup,
  SiblingIds,
  AvailabilityChange,
  DishAvailabilityChange,
} from '#menu/fields.ts';
import { bodySchemaWithConflictCheck } from '#platform/http/conflict-check.ts';
import {
  Id,
  Include,
  EmptyIncludeQuery,
  ListAnswer,
  SingleAnswer,
  PaginatedAnswer,
  PaginatedQuery,
} from '#platform/http/shapes.ts';
import { Store } from '#store/contract.ts';

export const menuRelations = [
  'store',
  'categories',
  'categories.items',
  'categories.items.option_groups',
  'categories.items.option_groups.options',
] as const;
export const categoryRelations = ['menu', 'items', 'items.option_groups', 'items.option_groups.options'] as const;

export const ShownMenu = Menu.extend({ store: Store.optional() });
export const ShownCategory = Category.extend({ menu: Menu.optional() });
const IncludeMenu = z.object({ include: Include(menuRelations) });
const IncludeCategory = z.object({ include: Include(categoryRelations) });
const OfStore = z.object({ store_id: Id.optional() });

export const menuEndpoints = {
  'GET /v1/menus': {
    access: 'guest',
    summary: 'List menus.',
    query: PaginatedQuery.extend(IncludeMenu.shape),
    response: PaginatedAnswer(ShownMenu),
  },
  'GET /v1/menus/{id}': {
    access: 'guest',
    summary: 'Read one menu.',
    query: IncludeMenu,
    response: SingleAnswer(ShownMenu),
  },
  'GET /v1/menus/store/{storeId}': {
    access: 'guest',
    summary: "A store's menus that can be ordered from now, in their order; every one with `all=1` for an admin.",
    query: IncludeMenu.extend({ all: z.enum(['0', '1']).default('0') }),
    response: ListAnswer(ShownMenu),
  },
  'POST /v1/menus': {
    access: 'admin',
    summary: "Create a menu, after the store's others. Without `store_id` it is the first store's.",
    body: MenuFields.partial().extend({ id: NewId, name: MenuFields.shape.name, ...OfStore.shape }),
    response: SingleAnswer(ShownMenu),
    status: 201,
  },
  'PATCH /v1/menus/{id}': {
    access: 'admin',
    summary: 'Change a menu.',
    body: bodySchemaWithConflictCheck(MenuFields.partial()),
    response: SingleAnswer(ShownMenu),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/menus/{id}': {
    access: 'admin',
    summary: 'Delete a menu with its categories. Their items stay.',
    response: null,
  },
} as const;

export const categoryEndpoints = {
  'GET /v1/categories': {
    access: 'guest',
    summary: "List categories, in their menus' order.",
    query: PaginatedQuery.extend({ ...IncludeCategory.shape, ...OfStore.shape }),
    response: PaginatedAnswer(ShownCategory),
  },
  'GET /v1/categories/{id}': {
    access: 'guest',
    summary: 'Read one category.',
    query: IncludeCategory,
    response: SingleAnswer(ShownCategory),
  },
  'POST /v1/categories': {
    access: 'admin',
    summary: "Create a category, after the menu's others.",
    body: CategoryFields.partial().extend({
      id: NewId,
      menu_id: CategoryFields.shape.menu_id,
      name: CategoryFields.shape.name,
    }),
    response: SingleAnswer(ShownCategory),
    status: 201,
  },
  'PATCH /v1/categories/{id}': {
    access: 'admin',
    summary: 'Change a category. Another `menu_id` of the same store moves it to the end of that menu.',
    body: bodySchemaWithConflictCheck(CategoryFields.partial()),
    response: SingleAnswer(ShownCategory),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/categories/{id}': {
    access: 'admin',
    summary: 'Delete a category. Its items stay.',
    response: null,
  },
  'POST /v1/categories/reorder': {
    access: 'admin',
    summary: "Put a menu's categories in this order: every one, exactly once.",
    body: z.object({ ids: PartIds }),
    response: ListAnswer(ShownCategory),
  },
  'POST /v1/categories/{id}/items/add': {
    access: 'admin',
    summary: 'Add items at the end of a category. One that it has already keeps its place.',
    body: z.object({ items: PartIds }),
    response: SingleAnswer(ShownCategory),
  },
  'POST /v1/categories/{id}/items/remove': {
    access: 'admin',
    summary: 'Take items out of a category.',
    body: z.object({ items: PartIds }),
    response: SingleAnswer(ShownCategory),
  },
  'POST /v1/categories/{id}/items/reorder': {
    access: 'admin',
    summary: "Put a category's items in this order: every one, exactly once.",
    body: z.object({ itemIds: SiblingIds }),
    response: SingleAnswer(ShownCategory),
  },
} as const;

const itemRelations = ['option_groups', 'option_groups.options'] as const;
const groupRelations = ['options'] as const;

const PartOfStore = { store_id: Id };
export const ShownItem = Item.extend(PartOfStore);
export const ShownOption = Option.extend(PartOfStore);
export const ShownGroup = OptionGroup.extend(PartOfStore);
const OptionalStore = { store_id: Id.optional() };
const OfNew = { ...OptionalStore, id: NewId };
const IncludeItem = z.object({ include: Include(itemRelations) });
const IncludeGroup = z.object({ include: Include(groupRelations) });

export const itemEndpoints = {
  'GET /v1/items': {
    access: 'guest',
    summary: 'List items, by name.',
    query: PaginatedQuery.extend({ ...IncludeItem.shape, ...OptionalStore }),
    response: PaginatedAnswer(ShownItem),
  },
  'GET /v1/items/{id}': {
    access: 'guest',
    summary: 'Read one item.',
    query: IncludeItem,
    response: SingleAnswer(ShownItem),
  },
  'POST /v1/items': {
    access: 'admin',
    summary:
      "Create an item, in no category yet. Without `store_id` it is the first store's; `vat_rate` is 2000 unless given.",
    body: ItemFields.partial().extend({ name: ItemFields.shape.name, price: ItemFields.shape.price, ...OfNew }),
    response: SingleAnswer(ShownItem),
    status: 201,
    errors: ['conflict'],
  },
  'PATCH /v1/items/{id}': {
    access: 'admin',
    summary: 'Change an item. `option_groups` says when groups that it has already show.',
    body: bodySchemaWithConflictCheck(ItemFields.extend({ option_groups: z.array(GroupOnItem).max(100) }).partial()),
    response: SingleAnswer(ShownItem),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/items/{id}': {
    access: 'admin',
    summary: 'Delete an item: nobody sees it any more, and orders of it stay whole.',
    response: null,
  },
  'POST /v1/items/{id}/availability': {
    access: 'store_admin',
    summary: 'Sold out, or back again.',
    body: DishAvailabilityChange,
    response: SingleAnswer(ShownItem),
  },
  'POST /v1/items/{id}/option-groups/add': {
    access: 'admin',
    summary: 'Add option groups at the end of an item. One that it has already keeps its place.',
    body: z.object({ option_groups: PartIds }),
    response: SingleAnswer(ShownItem),
  },
  'POST /v1/items/{id}/option-groups/remove': {
    access: 'admin',
    summary: 'Take option groups off an item.',
    body: z.object({ option_groups: PartIds }),
    response: SingleAnswer(ShownItem),
  },
  'POST /v1/items/{id}/option-groups/reorder': {
    access: 'admin',
    summary: "Put an item's option groups in this order: every one, exactly once.",
    body: z.object({ optionGroupIds: SiblingIds }),
    response: SingleAnswer(ShownItem),
  },
} as const;

export const optionEndpoints = {
  'GET /v1/options': {
    access: 'guest',
    summary: 'List options, by name.',
    query: PaginatedQuery.extend(OptionalStore),
    response: PaginatedAnswer(ShownOption),
  },
  'GET /v1/options/{id}': {
    access: 'guest',
    summary: 'Read one option.',
    query: EmptyIncludeQuery,
    response: SingleAnswer(ShownOption),
  },
  'POST /v1/options': {
    access: 'admin',
    summary:
      "Create an option, in no group yet. Without `store_id` it is the first store's; it costs nothing unless given.",
    body: OptionFields.partial().extend({ name: OptionFields.shape.name, ...OfNew }),
    response: SingleAnswer(ShownOption),
    status: 201,
  },
  'PATCH /v1/options/{id}': {
    access: 'admin',
    summary: 'Change an option, wherever it is offered.',
    body: bodySchemaWithConflictCheck(OptionFields.partial()),
    response: SingleAnswer(ShownOption),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/options/{id}': { access: 'admin', summary: 'Delete an option. Orders keep it.', response: null },
  'POST /v1/options/{id}/availability': {
    access: 'store_admin',
    summary: 'Sold out, or back again.',
    body: AvailabilityChange,
    response: SingleAnswer(ShownOption),
  },
} as const;

export const optionGroupEndpoints = {
  'GET /v1/option-groups': {
    access: 'guest',
    summary: 'List option groups, by name.',
    query: PaginatedQuery.extend({ ...IncludeGroup.shape, ...OptionalStore }),
    response: PaginatedAnswer(ShownGroup),
  },
  'GET /v1/option-groups/{id}': {
    access: 'guest',
    summary: 'Read one option group.',
    query: IncludeGroup,
    response: SingleAnswer(ShownGroup),
  },
  'POST /v1/option-groups': {
    access: 'admin',
    summary:
      "Create an option group, of no item yet. Without `store_id` it is the first store's; at most one may be chosen unless given, exactly one if the choices are the price (`pricing` `is_price`).",
    body: OptionGroupFields.partial().extend({ name: OptionGroupFields.shape.name, ...OfNew }),
    response: SingleAnswer(ShownGroup),
    status: 201,
  },
  'PATCH /v1/option-groups/{id}': {
    access: 'admin',
    summary:
      'Change an option group. `options` says what options that it has already cost in it. `pricing` says whether its choices add to the price of an item (`adds`) or are its price (`is_price`): then exactly one is chosen and paid, and an item has at most one such group, without a condition.',
    body: bodySchemaWithConflictCheck(
      OptionGroupFields.extend({ options: z.array(OptionInGroup).max(1000) }).partial(),
    ),
    response: SingleAnswer(ShownGroup),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/option-groups/{id}': {
    access: 'admin',
    summary: 'Delete an option group. Its options stay.',
    response: null,
  },
  'POST /v1/option-groups/{id}/options/add': {
    access: 'admin',
    summary: 'Add options at the end of a group. One that it has already keeps its place.',
    body: z.object({ options: PartIds }),
    response: SingleAnswer(ShownGroup),
  },
  'POST /v1/option-groups/{id}/options/remove': {
    access: 'admin',
    summary: 'Take options out of a group.',
    body: z.object({ options: PartIds }),
    response: SingleAnswer(ShownGroup),
  },
  'POST /v1/option-groups/{id}/options/reorder': {
    access: 'admin',
    summary: "Put a group's options in this order: every one, exactly once.",
    body: z.object({ optionIds: SiblingIds }),
    response: SingleAnswer(ShownGroup),
  },
} as const;

const changing = {
  ...menuEndpoints,
  ...categoryEndpoints,
  ...itemEndpoints,
  ...optionEndpoints,
  ...optionGroupEndpoints,
};

export const menuRestoreEndpoints = {
  'POST /v1/menus/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of a menu, with its categories, for 30 days.',
    response: SingleAnswer(ShownMenu),
    errors: ['conflict'],
  },
  'POST /v1/categories/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of a category: it stands where it stood, with the items that are still there.',
    response: SingleAnswer(ShownCategory),
    errors: ['conflict'],
  },
  'POST /v1/items/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of an item: in the categories it was in, with its option groups.',
    response: SingleAnswer(ShownItem),
    errors: ['conflict'],
  },
  'POST /v1/options/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of an option: in the groups it was in.',
    response: SingleAnswer(ShownOption),
    errors: ['conflict'],
  },
  'POST /v1/option-groups/{id}/restore': {
    access: 'admin',
    summary: 'Take back the deletion of an option group: on the items it was on, with its options.',
    response: SingleAnswer(ShownGroup),
    errors: ['conflict'],
  },
} as const;

/** The calls that `POST /v1/menus/changes` accepts: every change of a menu by an admin. */
export const menuChangeEndpoints = { ...changing, ...menuRestoreEndpoints };
/**
 * The contract's key of a call that changes the menu, e.g. `PATCH /v1/items/{id}`. Calls that change only the
 * availability are left out.
 */
export type MenuChangeCallKey = Exclude<
  keyof typeof menuChangeEndpoints & `${'POST' | 'PATCH' | 'DELETE'} ${string}`,
  `${string}/availability`
>;
