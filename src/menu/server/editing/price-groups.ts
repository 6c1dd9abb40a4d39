import type { Tx } from '#database/schema.ts';
import { refusedPriceLink } from '#menu/price-group.ts';

/** Why the groups whose choices are a price cannot be on this item, or on the store's items, in words; null if they can. */
export async function findRefusedPriceLink(
  tx: Tx,
  of: { itemId: string } | { storeId: string },
): Promise<string | null> {
  const links = await tx
    .selectFrom('item_option_groups as link')
    .innerJoin('option_groups', 'option_groups.id', 'link.option_group_id')
    .innerJoin('items', 'items.id', 'link.item_id')
    .select(['link.item_id', 'items.name as item_name', 'link.option_group_id', 'option_groups.name as group_name'])
    .select('link.shown_when_option_id')
    .where('option_groups.pricing', '=', 'is_price')
    .$call((query) =>
      'itemId' in of
        ? query.where('link.item_id', '=', of.itemId)
        : query.where('option_groups.store_id', '=', of.storeId),
    )
    .orderBy('link.item_id')
    .orderBy('link.position')
    .execute();
  return refusedPriceLink(
    links.map((link) => ({
      item: { id: link.item_id, name: link.item_name },
      group: { id: link.option_group_id, name: link.group_name },
      shown_when_option_id: link.shown_when_option_id,
    })),
  );
}
