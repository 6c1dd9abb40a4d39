import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readPage } from '#database/read-page.ts';
import { Store, type store, type StoreFields } from '#store/contract.ts';
import { presentStore, type StoreRow } from '#store/server/present-store.ts';
import { announceStore } from '#store/server/announce-store.ts';
import { slotsOf } from '#store/server/slots-of.ts';
import { isTooLong, longestPauseDays, pauseUntil } from '#store/pause.ts';
import { slugOf } from '#store/slug.ts';
import type { StoreServices } from '#store/server/services.ts';

export function storeEndpoints(services: StoreServices): Handlers<typeof store, Db, Tx> {
  const { menus, config, orders } = services;

  const changed = async (tx: Tx, storeId: string, afterCommit: (effect: () => void) => void) => {
    const version = await announceStore(tx, services.outbox, storeId);
    afterCommit(() => {
      menus.forget(storeId, version);
      services.outbox.wake();
    });
    const row = await tx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirstOrThrow();
    return { data: presentStore(row, config) };
  };

  return {
    'GET /v1/stores': async ({ db, query }) =>
      readPage(
        '/v1/stores',
        query,
        db.selectFrom('stores').selectAll().where('deleted_at', 'is', null).orderBy('created_at').orderBy('id'),
        async (rows: StoreRow[]) => rows.map((row) => presentStore(row, config)),
      ),

    'GET /v1/stores/{id}': async ({ params }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      return { data: shop.store };
    },

    'POST /v1/stores': async ({ db, body, afterCommit }) => {
      const id = randomUUIDv7();
      const { name, ...rest } = body;
      await refuseTaken(db, id, body);
      await db
        .insertInto('stores')
        .values({
          id,
          name,
          slug: body.slug ?? slugOf(name),
          address: JSON.stringify({ line1: '', line2: '', city: '', postcode: '' }),
          operational_hours: '[]',
          closures: '[]',
          delivery_zones: '[]',
          payment_methods: JSON.stringify({ collection: ['cash'], delivery: ['cash'] }),
          ...toColumns(rest),
        })
        .execute();
      return changed(db, id, afterCommit);
    },

    'PATCH /v1/stores/{id}': async ({ db, params, body: { was, ...body }, afterCommit }) => {
      const id = await existing(db, params.id);
      if (was) refuseIfChanged(Store, presentStore(await lockStore(db, id), config), { ...body, was });
      await refuseTaken(db, id, body);
      const columns = toColumns(body);
      if (Object.keys(columns).length > 0) await db.updateTable('stores').set(columns).where('id', '=', id).execute();
      return changed(db, id, afterCommit);
    },

    'DELETE /v1/stores/{id}': async ({ db, params, now, afterCommit }) => {
      const id = await existing(db, params.id);
      // An order that is being written holds this row: it is waited for, and then seen.
      await lockStore(db, id);
      if (await orders.hasAny(db, id)) throw new AppError('conflict', m.store_has_orders());
      await db
        .updateTable('stores')
        .set({ deleted_at: now, slug: `deleted-${id}`, is_accepting_orders: false })
        .where('id', '=', id)
        .execute();
      await changed(db, id, afterCommit);
    },

    'GET /v1/stores/{id}/slots': async ({ db, params, query, now }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      return { data: await slotsOf(db, shop.store, query, now, orders) };
    },

    'GET /v1/stores/{id}/slots/taken': async ({ db, params, viewer, now }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      if (!isStaffOf(viewer, shop.store.id)) throw new AppError('forbidden', m.platform_forbidden());
      const taken = await orders.readTaken(db, shop.store, now);
      return { data: [...taken].map(([starts_at, orders]) => ({ starts_at, orders })) };
    },

    'POST /v1/stores/{id}/pause': async ({ db, params, body, viewer, now, afterCommit }) => {
      const id = await existing(db, params.id);
      if (!isStaffOf(viewer, id)) throw new AppError('forbidden', m.platform_forbidden());
      const until = pauseUntil(body, now);
      if (!until) throw invalid('minutes', m.store_pause_needs_end());
      if (isTooLong(until, now)) throw invalid('until', m.store_pause_too_long({ days: longestPauseDays }));
      await db
        .updateTable('stores')
        .set({ paused_until: until, pause_reason: body.reason })
        .where('id', '=', id)
        .execute();
      return changed(db, id, afterCommit);
    },

    'POST /v1/stores/{id}/resume': async ({ db, params, viewer, afterCommit }) => {
      const id = await existing(db, params.id);
      if (!isStaffOf(viewer, id)) throw new AppError('forbidden', m.platform_forbidden());
      await db.updateTable('stores').set({ paused_until: null, pause_reason: null }).where('id', '=', id).execute();
      return changed(db, id, afterCommit);
    },

    'POST /v1/stores/{id}/busy': async ({ db, params, body, viewer, afterCommit }) => {
      const id = await existing(db, params.id);
      if (!isStaffOf(viewer, id)) throw new AppError('forbidden', m.platform_forbidden());
      await db.updateTable('stores').set({ busy_extra_minutes: body.minutes }).where('id', '=', id).execute();
      return changed(db, id, afterCommit);
    },
  };

  /** The id as the store itself writes it; a UUID may come in capitals. Throws 404. */
  async function existing(tx: Tx, id: string): Promise<string> {
    const known = await menus.store(tx, id);
    if (!known) throw new AppError('not_found', m.store_not_found());
    return known.store.id;
  }
}

function lockStore(tx: Tx, id: string): Promise<StoreRow> {
  return tx.selectFrom('stores').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

async function refuseTaken(db: Db, id: string, { name, slug }: Partial<StoreFields>): Promise<void> {
  const rows = await db
    .selectFrom('stores')
    .select(['name', 'slug'])
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .execute();
  if (name !== undefined && rows.some((row) => row.name.toLowerCase() === name.toLowerCase())) {
    throw invalid('name', m.store_name_taken());
  }
  const wanted = slug ?? (name === undefined ? undefined : slugOf(name));
  if (wanted !== undefined && rows.some((row) => row.slug === wanted)) {
    throw invalid(slug === undefined ? 'name' : 'slug', m.store_name_taken());
  }
}

function toColumns({
  location,
  address,
  operational_hours,
  closures,
  delivery_zones,
  payment_methods,
  ...plain
}: Partial<StoreFields>) {
  return {
    ...plain,
    ...(location && { latitude: location.latitude, longitude: location.longitude }),
    ...(address && { address: JSON.stringify(address) }),
    ...(operational_hours && { operational_hours: JSON.stringify(operational_hours) }),
    ...(closures && { closures: JSON.stringify(closures) }),
    ...(delivery_zones && { delivery_zones: JSON.stringify(delivery_zones) }),
    ...(payment_methods && { payment_methods: JSON.stringify(payment_methods) }),
  };
}
