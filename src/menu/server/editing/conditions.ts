import { sql } from 'kysely';
import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { findItem } from '#menu/server/editing/change-menu.ts';
import { loadGroupsOf, presentItem } from '#menu/server/reading/load-menus.ts';
import { indexItem } from '#menu/menu-index.ts';
import { shownGroups } from '#menu/option-rules.ts';
import { invalid } from '#platform/errors.ts';

interface Condition {
  id: string;
  shown_when_option_id: string | null;
}

/** Sets when an item's groups show. Throws 422 for a group that the item does not have, and if a group could then never show. */
export async function setConditions(tx: Tx, itemId: string, conditions: readonly Condition[]): Promise<void> {
  const { rows } = await sql`
    update item_option_groups as link set shown_when_option_id = wanted.shown_when_option_id
    from jsonb_to_recordset(${JSON.stringify(conditions)}::jsonb) as wanted (id uuid, shown_when_option_id uuid)
    where link.item_id = ${itemId} and link.option_group_id = wanted.id
      and (wanted.shown_when_option_id is null or exists (select 1 from options where id = wanted.shown_when_option_id))
    returning 1`.execute(tx);
  if (rows.length !== conditions.length) throw invalid('option_groups', m.menu_ids_unknown());
  const groups = (await loadGroupsOf(tx, [itemId])).get(itemId) ?? [];
  const item = indexItem({ ...presentItem(await findItem(tx, itemId)), option_groups: groups });
  const everything = [...item.groups.values()].flatMap(({ options }) =>
    [...options.values()].map(({ group, option, place }) => ({ group, option, place, quantity: 1 })),
  );
  if (shownGroups(item, everything).size < item.groups.size) throw invalid('option_groups', m.menu_group_never_shown());
}

/** A group whose condition was removed with its option's group always shows, as when the option itself is deleted. */
export async function dropLostConditions(tx: Tx, storeId: string): Promise<void> {
  await sql`
    update item_option_groups as link set shown_when_option_id = null
    from items
    where items.id = link.item_id and items.store_id = ${storeId} and link.shown_when_option_id is not null
      and not exists (
        select 1 from item_option_groups as other
        join option_group_options as offered on offered.option_group_id = other.option_group_id
        where other.item_id = link.item_id and other.option_group_id <> link.option_group_id
          and offered.option_id = link.shown_when_option_id
      )`.execute(tx);
}
