import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import type { Updateable } from 'kysely';
import type { Db, StoresTable, Tx } from '#database/schema.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { requireFreshSignIn } from '#platform/http/admit.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import { refuseStaleChange } from '#platform/http/conflict-check.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readPage } from '#database/read-page.ts';
import {
  type FulfilmentType,
  type Slot,
  slugOf,
  StaffStore,
  type storeEndpoints,
  type Store,
  type StoreFields,
} from '#store/contract.ts';
import { normaliseBusinessDetails } from '#store/business-details.ts';
import { presentStore, publicStore, type StoreRow } from '#store/server/store-views.ts';
import { changeStore, type StoreChangeCall, createStore, lockFirstStoreCreation } from '#store/server/change-store.ts';
import { isPauseTooLong, maxPauseDays, requestedPauseEnd, tradingDayOf } from '#store/opening-hours.ts';
import type { WayPause } from '#store/hours-shapes.ts';
import { closeEarly, skippedOpeningProblem, withoutEarlyClosing } from '#store/special-days.ts';
import type { OrderReadsForStore, StoreServices } from '#store/server/services.ts';
import { deliveryExtraMinutes, findZone } from '#store/delivery-zones.ts';
import { parsePostcode, postcodeFaultWords } from '#store/postcodes.ts';
import { slotsOn } from '#store/slots.ts';

type All = Handlers<typeof storeEndpoints, Db, Tx>;
type ReadCall = keyof typeof storeEndpoints & `GET ${string}`;
type TonightCall = keyof typeof storeEndpoints & `POST /v1/stores/{id}/${string}`;

export function storeHandlers(services: StoreServices): All {
  return { ...reading(services), ...changing(services), ...tonight(services) };
}

function reading({ addresses, menus, config, orders }: StoreServices): Pick<All, ReadCall> {
  return {
    'GET /v1/stores': async ({ db, query, viewer }) =>
      readPage(
        db,
        '/v1/stores',
        query,
        db.selectFrom('stores').selectAll().where('deleted_at', 'is', null).orderBy('created_at').orderBy('id'),
        async (rows: StoreRow[]) => rows.map((row) => shownTo(viewer, presentStore(row, config))),
      ),

    'GET /v1/stores/{id}': async ({ params, viewer }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      return { data: shownTo(viewer, shop.store) };
    },

    'GET /v1/stores/{id}/slots': async ({ db, params, query, now }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      return { data: await slotsOf(db, shop.store, query, now, orders) };
    },

    'GET /v1/stores/{id}/addresses': async ({ params, query }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      const postcode = parsePostcode(query.postcode);
      if (!postcode) throw invalidFieldError('postcode', postcodeFaultWords(query.postcode));
      // The owner pays for each look-up, so postcodes outside the shop's delivery area are not looked up.
      if (!findZone(shop.store.delivery_zones, postcode)) return { data: { state: 'unknown', addresses: [] } };
      const { state, addresses: found } = await addresses.find(postcode);
      return { data: { state, addresses: found } };
    },

    'GET /v1/stores/{id}/slots/taken': async ({ db, params, viewer, now }) => {
      const shop = await menus.find(params.id);
      if (!shop) throw new AppError('not_found', m.store_not_found());
      if (!isStaffOf(viewer, shop.store.id)) throw new AppError('forbidden', m.platform_forbidden());
      const taken = await orders.countSlotOrders(db, shop.store, now);
      return { data: [...taken].map(([starts_at, orders]) => ({ starts_at, orders })) };
    },
  };
}

function shownTo(viewer: Viewer, store: StaffStore) {
  return isStaffOf(viewer, store.id) ? store : publicStore(store);
}

function changing(services: StoreServices): Omit<All, ReadCall | TonightCall> {
  const { orders } = services;
  const { existing, shown, change } = storeWriter(services);

  return {
    'POST /v1/stores': async ({ body: { is_first: isFirst, ...body }, ...call }) => {
      if (isFirst) await refuseSecondStore(call.db);
      const id = randomUUIDv7();
      const { name, ...rest } = tidied(body, body.currency ?? 'GBP');
      await refuseTaken(call.db, id, body);
      await createStore(services, call, {
        id,
        name,
        slug: body.slug ?? slugOf(name),
        address: JSON.stringify({ line1: '', line2: '', city: '', postcode: '' }),
        operational_hours: '[]',
        closures: '[]',
        delivery_zones: '[]',
        payment_methods: JSON.stringify({ collection: ['cash'], delivery: ['cash'] }),
        created_at: call.now,
        ...toColumns(rest),
      });
      return shown(call.db, id);
    },

    'PATCH /v1/stores/{id}': async ({ params, body: { was, ...body }, ...call }) => {
      const id = await existing(call.db, params.id);
      return change(call, id, async (tx) => {
        const before = await readStore(tx, id);
        if (leadsElsewhere(before, body)) requireFreshSignIn(call);
        if (was) refuseStaleChange(StaffStore, (await shown(tx, id)).data, { ...body, was });
        await refuseTaken(tx, id, body);
        const wanted = tidied(body, body.currency ?? before.currency);
        const zone = body.timezone ?? before.timezone;
        const skipped = skippedOpeningProblem(zone, body.special_hours ?? [], before.special_hours);
        if (skipped) throw invalidFieldError(skipped.field, skipped.message);
        await setColumns(tx, id, {
          ...(hasMoved(before, wanted) && { location_confirmed: false }),
          ...toColumns(wanted),
        });
      });
    },

    'DELETE /v1/stores/{id}': async ({ params, now, ...call }) => {
      const id = await existing(call.db, params.id);
      // This lock waits until transactions that are placing orders in the store have ended. The update below would not
      // wait for such transactions.
      await call.db.selectFrom('stores').select('id').where('id', '=', id).forUpdate().execute();
      await change(call, id, async (tx) => {
        if (await orders.hasAny(tx, id)) throw new AppError('conflict', m.store_has_orders());
        await setColumns(tx, id, { deleted_at: now, slug: `deleted-${id}`, is_accepting_orders: false });
      });
    },
  };
}

/** The calls that staff use during the evening, to change pauses, today's closing time and the busy minutes. */
function tonight(services: StoreServices): Pick<All, TonightCall> {
  const { existing, change, set } = storeWriter(services);

  return {
    'POST /v1/stores/{id}/pause': async ({ params, body, viewer, now, ...call }) => {
      const id = await existing(call.db, params.id);
      await refusePausing(call.db, id, viewer);
      const until = requestedPauseEnd(body, now);
      if (!until) throw invalidFieldError('minutes', m.store_pause_needs_end());
      if (isPauseTooLong(until, now)) throw invalidFieldError('until', m.store_pause_too_long({ days: maxPauseDays }));
      const { fulfilment_type: way, reason } = body;
      if (way === null) return set(call, id, { paused_until: until, pause_reason: reason, pause_cause: null });
      return changePauses(call, id, now, way, [{ fulfilment_type: way, until: until.toISOString(), reason }]);
    },

    'POST /v1/stores/{id}/resume': async ({ params, body, viewer, now, ...call }) => {
      const id = await existing(call.db, params.id);
      await refusePausing(call.db, id, viewer);
      if (body.fulfilment_type !== null) return changePauses(call, id, now, body.fulfilment_type, []);
      return set(call, id, { paused_until: null, pause_reason: null, pause_cause: null });
    },

    'POST /v1/stores/{id}/close-early': async ({ params, body: { at }, viewer, now, ...call }) => {
      const id = await existing(call.db, params.id);
      if (!isStaffOf(viewer, id)) throw new AppError('forbidden', m.platform_forbidden());
      return change(call, id, async (tx) => {
        const row = await readStore(tx, id);
        const days = at === null ? withoutEarlyClosing(row, now) : closeEarly(row, at, now);
        if (days === 'past') throw invalidFieldError('at', m.store_early_past());
        if (days === 'closed') throw invalidFieldError('at', m.store_early_closed({ time: at ?? '' }));
        await setColumns(tx, id, { special_hours: JSON.stringify(days) });
      });
    },

    'POST /v1/stores/{id}/busy': async ({ params, body, viewer, ...call }) => {
      const id = await existing(call.db, params.id);
      if (!isStaffOf(viewer, id)) throw new AppError('forbidden', m.platform_forbidden());
      return set(call, id, { busy_extra_minutes: body.minutes });
    },
  };

  /** Changes the pause of one fulfilment type; pauses that have ended are dropped. */
  function changePauses(call: StoreChangeCall, id: string, now: Date, way: FulfilmentType, own: WayPause[]) {
    return change(call, id, async (tx) => {
      const { pauses } = await readStore(tx, id);
      const others = pauses.filter(({ fulfilment_type: of, until }) => of !== way && Date.parse(until) > now.getTime());
      await setColumns(tx, id, { pauses: JSON.stringify([...others, ...own]) });
    });
  }
}

/** Returns functions that change a store under its lock, and answer with the store as staff may read it. */
function storeWriter(services: StoreServices) {
  const { menus, config } = services;
  const shown = async (tx: Tx, id: string) => ({ data: presentStore(await readStore(tx, id), config) });
  const change = (call: StoreChangeCall, id: string, write: (tx: Tx) => Promise<unknown>) =>
    changeStore(services, call, id, 'store', (tx) => write(tx).then(() => shown(tx, id)));
  const set = (call: StoreChangeCall, id: string, columns: Updateable<StoresTable>) =>
    change(call, id, (tx) => setColumns(tx, id, columns));
  return { existing, shown, change, set };

  /**
   * Reads a store's id in its stored spelling, because a UUID may be sent in capitals. Throws 404 for an unknown store.
   */
  async function existing(tx: Tx, id: string): Promise<string> {
    const known = await menus.store(tx, id);
    if (!known) throw new AppError('not_found', m.store_not_found());
    return known.store.id;
  }
}

/** Normalises British postcodes, company numbers and VAT numbers. Throws 422 with every invalid field. */
function tidied<F extends Partial<StoreFields>>(body: F, currency: string): F {
  // Only the British rules are implemented, so other countries' details are not changed.
  if (currency !== 'GBP') return body;
  const { fields, errors } = normaliseBusinessDetails(body);
  const [first] = Object.values(errors).flat();
  if (first !== undefined) throw new AppError('invalid', first, { errors });
  return fields;
}

/** Fields whose change could lead customers to another business. A change of these fields needs a fresh sign-in. */
const leads = ['google_review_url', 'email', 'phone'] as const;

function leadsElsewhere(row: StoreRow, wanted: Partial<StoreFields>): boolean {
  return leads.some((field) => wanted[field] !== undefined && wanted[field] !== row[field]);
}

/** Whether the postcode changes. The map's pin may then be at the old address. */
function hasMoved({ address: before }: StoreRow, { address }: Partial<StoreFields>): boolean {
  return address !== undefined && address.postcode.trim() !== before.postcode;
}

function readStore(tx: Tx, id: string): Promise<StoreRow> {
  return tx.selectFrom('stores').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function setColumns(tx: Tx, id: string, columns: Updateable<StoresTable>): Promise<void> {
  if (Object.keys(columns).length > 0) await tx.updateTable('stores').set(columns).where('id', '=', id).execute();
}

/** Refuses to create a first store if one exists already, for example from a second device. */
async function refuseSecondStore(tx: Tx): Promise<void> {
  await lockFirstStoreCreation(tx);
  const other = await tx
    .selectFrom('stores')
    .select('name')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (other) throw new AppError('conflict', m.store_is_named({ name: other.name }));
}

async function refuseTaken(db: Db, id: string, { name, slug }: Partial<StoreFields>): Promise<void> {
  const rows = await db
    .selectFrom('stores')
    .select(['name', 'slug'])
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .execute();
  if (name !== undefined && rows.some((row) => row.name.toLowerCase() === name.toLowerCase())) {
    throw invalidFieldError('name', m.store_name_taken());
  }
  const wanted = slug ?? (name === undefined ? undefined : slugOf(name));
  if (wanted !== undefined && rows.some((row) => row.slug === wanted)) {
    throw invalidFieldError(slug === undefined ? 'name' : 'slug', m.store_name_taken());
  }
}

function toColumns({
  location,
  address,
  operational_hours,
  closures,
  special_hours,
  delivery_zones,
  payment_methods,
  ...plain
}: Partial<StoreFields>) {
  return {
    ...(location && { location_confirmed: true, latitude: location.latitude, longitude: location.longitude }),
    ...plain,
    ...(address && { address: JSON.stringify(address) }),
    ...(operational_hours && { operational_hours: JSON.stringify(operational_hours) }),
    ...(closures && { closures: JSON.stringify(closures) }),
    ...(special_hours && { special_hours: JSON.stringify(special_hours) }),
    ...(delivery_zones && { delivery_zones: JSON.stringify(delivery_zones) }),
    ...(payment_methods && { payment_methods: JSON.stringify(payment_methods) }),
  };
}

async function slotsOf(
  db: Db,
  store: Store,
  wanted: {
    fulfilment_type: FulfilmentType;
    date?: string | undefined;
    postcode?: string | undefined;
    prep_minutes?: number | undefined;
  },
  now: Date,
  { countSlotOrders }: Pick<OrderReadsForStore, 'countSlotOrders'>,
): Promise<Slot[]> {
  const taken = store.max_orders_per_slot === null ? undefined : await countSlotOrders(db, store, now);
  const date = wanted.date ?? tradingDayOf(store, now);
  return slotsOn(store, wanted.fulfilment_type, date, now, {
    itemsPrepMinutes: wanted.prep_minutes ?? 0,
    zoneExtraMinutes: deliveryExtraMinutes(store.delivery_zones, wanted.postcode ?? ''),
    ...(taken && { taken }),
  });
}

/**
 * Throws if the viewer is not staff of the store. Throws if a restore has paused the shop, because its owner ends that
 * pause on another page.
 */
async function refusePausing(tx: Tx, id: string, viewer: Viewer): Promise<void> {
  if (!isStaffOf(viewer, id)) throw new AppError('forbidden', m.platform_forbidden());
  if ((await readStore(tx, id)).pause_cause === 'restored') throw new AppError('conflict', m.store_waits_restored());
}
