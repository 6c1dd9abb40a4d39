import { z } from 'zod';
import { Category, Menu } from '#menu/menu-shapes.ts';
import { CategoryFields, Ids, MenuFields, NewId, SiblingIds } from '#menu/fields.ts';
import { Guarded } from '#platform/http/guarded-change.ts';
import { Id, Include, Many, One, Page, PageQuery } from '#platform/http/shapes.ts';
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

export const menus = {
  'GET /v1/menus': {
    access: 'guest',
    summary: 'List menus.',
    query: PageQuery.extend(IncludeMenu.shape),
    response: Page(ShownMenu),
  },
  'GET /v1/menus/{id}': {
    access: 'guest',
    summary: 'Read one menu.',
    query: IncludeMenu,
    response: One(ShownMenu),
  },
  'GET /v1/menus/store/{storeId}': {
    access: 'guest',
    summary: "A store's menus that can be ordered from now, in their order; every one with `all=1` for an admin.",
    query: IncludeMenu.extend({ all: z.enum(['0', '1']).default('0') }),
    response: Many(ShownMenu),
  },
  'POST /v1/menus': {
    access: 'admin',
    summary: "Create a menu, after the store's others. Without `store_id` it is the first store's.",
    body: MenuFields.partial().extend({ id: NewId, name: MenuFields.shape.name, ...OfStore.shape }),
    response: One(ShownMenu),
    status: 201,
  },
  'PATCH /v1/menus/{id}': {
    access: 'admin',
    summary: 'Change a menu.',
    body: Guarded(MenuFields.partial()),
    response: One(ShownMenu),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/menus/{id}': {
    access: 'admin',
    summary: 'Delete a menu with its categories. Their items stay.',
    response: null,
  },
} as const;

export const categories = {
  'GET /v1/categories': {
    access: 'guest',
    summary: "List categories, in their menus' order.",
    query: PageQuery.extend({ ...IncludeCategory.shape, ...OfStore.shape }),
    response: Page(ShownCategory),
  },
  'GET /v1/categories/{id}': {
    access: 'guest',
    summary: 'Read one category.',
    query: IncludeCategory,
    response: One(ShownCategory),
  },
  'POST /v1/categories': {
    access: 'admin',
    summary: "Create a category, after the menu's others.",
    body: CategoryFields.partial().extend({
      id: NewId,
      menu_id: CategoryFields.shape.menu_id,
      name: CategoryFields.shape.name,
    }),
    response: One(ShownCategory),
    status: 201,
  },
  'PATCH /v1/categories/{id}': {
    access: 'admin',
    summary: 'Change a category. Another `menu_id` of the same store moves it to the end of that menu.',
    body: Guarded(CategoryFields.partial()),
    response: One(ShownCategory),
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
    body: z.object({ ids: Ids }),
    response: Many(ShownCategory),
  },
  'POST /v1/categories/{id}/items/add': {
    access: 'admin',
    summary: 'Add items at the end of a category. One that it has already keeps its place.',
    body: z.object({ items: Ids }),
    response: One(ShownCategory),
  },
  'POST /v1/categories/{id}/items/remove': {
    access: 'admin',
    summary: 'Take items out of a category.',
    body: z.object({ items: Ids }),
    response: One(ShownCategory),
  },
  'POST /v1/categories/{id}/items/reorder': {
    access: 'admin',
    summary: "Put a category's items in this order: every one, exactly once.",
    body: z.object({ itemIds: SiblingIds }),
    response: One(ShownCategory),
  },
} as const;
