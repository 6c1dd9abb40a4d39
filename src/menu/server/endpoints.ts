import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import type { menu, menuRelations, Menu } from '#menu/contract.ts';
import { isServedAt } from '#ordering/menu-availability.ts';
import { loadGroupsOf, loadMenus, presentItem, presentOption } from '#menu/server/load-menus.ts';
import type { Shop } from '#menu/server/menu-cache.ts';
import { AppError } from '#platform/errors.ts';
import { Prebuilt, type Handlers } from '#platform/http/serve.ts';
import { isStaff, isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import { prebuild } from '#platform/server/prebuild.ts';
import { pageOf } from '#platform/server/read-page.ts';
import type { Services } from '#services.ts';
import type { Store } from '#store/contract.ts';
import { announceMenu } from '#store/server/announce-store.ts';

type Relation = (typeof menuRelations)[number];
type ShownMenu = Menu & { store?: Store };

export function menuEndpoints(services: Services, fastPath: FastPath): Handlers<typeof menu, Db> {
  const { menus, outbox } = services;

  /** Every menu the viewer may read, of every store: staff see inactive ones too. */
  const readable = async (db: Db, viewer: Viewer) => {
    const stores = await db.selectFrom('stores').select('id').where('deleted_at', 'is', null).orderBy('created_at').orderBy('id').execute();
    const shops = await Promise.all(stores.map(({ id }) => menus.shop(id)));
    const lists = await Promise.all(
      shops.map(async (shop) => {
        if (!shop) return [];
        const own = isStaff(viewer) ? await loadMenus(db, shop.store.id, { activeOnly: false }) : shop.menus;
        return own.map((one) => ({ menu: one, shop }));
      }),
    );
    return lists.flat();
  };

  return {
    'GET /v1/menus': async ({ db, query, viewer }) => {
      const all = await readable(db, viewer);
      return pageOf('/v1/menus', query, all.map((one) => prune(one.menu, one.shop.store, query.include)));
    },

    'GET /v1/menus/{id}': async ({ db, params, query, viewer }) => {
      const found = (await readable(db, viewer)).find((one) => one.menu.id === params.id.toLowerCase());
      if (!found) throw new AppError('not_found', m.menu_not_found());
      return { data: prune(found.menu, found.shop.store, query.include) };
    },

    'GET /v1/menus/store/{storeId}': async ({ db, params, query, viewer, now }) => {
      const shop = await menus.shop(params.storeId.toLowerCase());
      if (!shop) throw new AppError('not_found', m.store_not_found());
      if (query.all === '1' && isStaffOf(viewer, shop.store.id)) {
        const every = await loadMenus(db, shop.store.id, { activeOnly: false });
        return { data: every.map((one) => prune(one, shop.store, query.include)) };
      }
      const open = shop.menus.filter((one) => isServedAt(shop.store, one.availability, now));
      const bytes = await builtOnce(shop, open, query.include);
      if (query.all === '0') rememberExact(shop, query.include, bytes);
      return new Prebuilt(bytes);
    },

    'POST /v1/items/{id}/availability': async ({ db, params, body, viewer, afterCommit }) => {
      const row = await db.selectFrom('items').selectAll().where('id', '=', params.id).where('deleted_at', 'is', null).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.menu_item_not_found());
      if (!isStaffOf(viewer, row.store_id)) throw new AppError('forbidden', m.platform_forbidden());
      const changed = await db.updateTable('items').set(sold(body)).where('id', '=', row.id).returningAll().executeTakeFirstOrThrow();
      await announceMenu(db as Tx, outbox, row.store_id);
      afterCommit(() => refresh(row.store_id));
      const groups = await loadGroupsOf(db, [row.id]);
      return { data: { ...presentItem(changed), option_groups: groups.get(row.id) ?? [] } };
    },

    'POST /v1/options/{id}/availability': async ({ db, params, body, viewer, afterCommit }) => {
      const row = await db.selectFrom('options').selectAll().where('id', '=', params.id).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.menu_option_not_found());
      if (!isStaffOf(viewer, row.store_id)) throw new AppError('forbidden', m.platform_forbidden());
      const changed = await db.updateTable('options').set(sold(body)).where('id', '=', row.id).returningAll().executeTakeFirstOrThrow();
      await announceMenu(db as Tx, outbox, row.store_id);
      afterCommit(() => refresh(row.store_id));
      return { data: presentOption(changed) };
    },
  };

  function refresh(storeId: string): void {
    menus.forget(storeId);
    outbox.wake();
  }

  /** The exact addresses that browsers and the spec's clients use go out by the fast path from now on. */
  function rememberExact(shop: Shop, include: readonly Relation[], bytes: Prebuilt['bytes']): void {
    const isWindowed = shop.menus.some((one) => one.availability !== null);
    if (isWindowed) return;
    const base = `/v1/menus/store/${shop.store.id}`;
    const urls = include.length === 0 ? [base] : [`${base}?include=${include.join(',')}`, `${base}?include=${encodeURIComponent(include.join(','))}`];
    if (include.length > 0) urls.push(`${base}?include=${include.at(-1)}`);
    for (const url of urls) fastPath.remember(url, bytes, () => menus.isCurrent(shop));
  }
}

function sold(body: { is_available: boolean; unavailable_until: string | null }) {
  return { is_available: body.is_available, unavailable_until: body.is_available ? null : body.unavailable_until };
}

/** Serialised and compressed once per version of the shop, set of open menus and relations. */
function builtOnce(shop: Shop, open: readonly Required<Menu>[], include: readonly Relation[]): Promise<Prebuilt['bytes']> {
  const key = `${open.map(({ id }) => id).join()} ${include.join()}`;
  const known = shop.built.get(key);
  if (known) return known;
  const body = JSON.stringify({ data: open.map((one) => prune(one, shop.store, include)) });
  const building = prebuild(body, 'application/json; charset=utf-8', 'no-cache');
  shop.built.set(key, building);
  building.catch(() => shop.built.delete(key));
  return building;
}

/** Leaves only the relations that were asked for. */
function prune({ categories, ...menu }: Required<Menu>, store: Store, include: readonly Relation[]): ShownMenu {
  const has = (relation: Relation) => include.includes(relation);
  return {
    ...menu,
    ...(has('store') && { store }),
    ...(has('categories') && {
      categories: categories.map(({ items = [], ...category }) => ({
        ...category,
        ...(has('categories.items') && {
          items: items.map(({ option_groups: groups = [], ...item }) => ({
            ...item,
            ...(has('categories.items.option_groups') && {
              option_groups: groups.map(({ options = [], ...group }) => ({
                ...group,
                ...(has('categories.items.option_groups.options') && { options }),
              })),
            }),
          })),
        }),
      })),
    }),
  };
}
