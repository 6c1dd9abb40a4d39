import { api } from '#platform/web/api.ts';

type Ids = readonly string[];

/** Puts items into a category. Without any, nothing is sent (product specification, section 5). */
export async function addItemsToCategory(id: string, items: Ids): Promise<void> {
  if (items.length > 0) await api('POST /v1/categories/{id}/items/add', { id, items: [...items] });
}

/** Takes items out of a category. Without any, nothing is sent. */
export async function removeItemsFromCategory(id: string, items: Ids): Promise<void> {
  if (items.length > 0) await api('POST /v1/categories/{id}/items/remove', { id, items: [...items] });
}

/** Orders a menu's categories. Without any, nothing is sent. */
export async function reorderCategories(ids: Ids): Promise<void> {
  if (ids.length > 0) await api('POST /v1/categories/reorder', { ids: [...ids] });
}

/** Orders a category's items. */
export async function reorderItemsOfCategory(id: string, itemIds: Ids): Promise<void> {
  await api('POST /v1/categories/{id}/items/reorder', { id, itemIds: [...itemIds] });
}

/** Gives an item option groups. Without any, nothing is sent. */
export async function addOptionGroupsToItem(id: string, groups: Ids): Promise<void> {
  if (groups.length > 0) await api('POST /v1/items/{id}/option-groups/add', { id, option_groups: [...groups] });
}

/** Takes option groups from an item. Without any, nothing is sent. */
export async function removeOptionGroupsFromItem(id: string, groups: Ids): Promise<void> {
  if (groups.length > 0) await api('POST /v1/items/{id}/option-groups/remove', { id, option_groups: [...groups] });
}

/** Orders an item's option groups. Sent without that check: also for an item that has none. */
export async function reorderOptionGroupsOfItem(id: string, optionGroupIds: Ids): Promise<void> {
  await api('POST /v1/items/{id}/option-groups/reorder', { id, optionGroupIds: [...optionGroupIds] });
}
