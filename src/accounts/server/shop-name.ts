import type { AccountServices } from '#accounts/server/services.ts';
import type { Db } from '#database/schema.ts';

export async function readShopName({ menus }: Pick<AccountServices, 'menus'>, db: Db): Promise<string> {
  return (await menus.store(db))?.store.name ?? 'Hatch';
}
