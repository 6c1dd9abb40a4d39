import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffOnlyFields } from '#store/contract.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let path: string;
beforeAll(async () => {
  app = await startTestApp({ max_orders_per_slot: 3 });
  admin = await app.signIn('admin');
  path = `/v1/stores/${app.shop.storeId}`;
});
afterAll(() => app.close());

const change = (body: unknown) => app.request('PATCH', path, { body, token: admin });

describe('the settings of a store are refused by field', () => {
  test('a closure that ends before it begins, and one whose days are closed already', async () => {
    const closures = [
      { from: '2026-12-24', to: '2026-12-26' },
      { from: '2026-12-31', to: '2026-12-30' },
      { from: '2026-12-26', to: '2026-12-26' },
    ];
    const answer = await change({ closures });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['closures.1.to', 'closures.2.from']);
  });

  test('an email address that is none, in words; none at all is fine', async () => {
    const odd = await change({ email: 'shop' });
    expect(odd.body.errors).toEqual({ email: [expect.stringContaining('name@example.com')] });
    expect((await change({ email: '' })).status).toBe(200);
  });

  test('a postcode prefix that is none; the others are kept in their normal form', async () => {
    const zone = { name: 'Town', fee: 0, minimum_order: 0, free_over: null, extra_minutes: 10 };
    const odd = await change({ delivery_zones: [{ ...zone, postcode_prefixes: ['CV21', 'Rugby'] }] });
    expect(odd.body.errors).toHaveProperty(['delivery_zones.0.postcode_prefixes.1']);
    const kept = await change({ delivery_zones: [{ ...zone, postcode_prefixes: ['cv21', 'cv22  7'] }] });
    expect(kept.body.data.delivery_zones[0].postcode_prefixes).toEqual(['CV21', 'CV22 7']);
  });
});

test("the owner's words about allergens are public, and 500 characters at most", async () => {
  const saved = await change({ allergens_text: ' We fry fish apart. ' });
  expect(saved.body.data.allergens_text).toBe('We fry fish apart.');
  expect((await app.request('GET', path)).body.data.allergens_text).toBe('We fry fish apart.');
  const long = await change({ allergens_text: 'x'.repeat(501) });
  expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ['allergens_text']]);
});

describe('where the shop is', () => {
  const shown = async () => {
    const { location, location_confirmed: isConfirmed } = (await app.request('GET', path)).body.data;
    return { location, isConfirmed };
  };
  const pin = { latitude: 52.4123, longitude: -1.3 };

  test('is the default until somebody confirms the pin that stands', async () => {
    const start = await shown();
    expect(start).toEqual({ location: { latitude: 52.37, longitude: -1.26 }, isConfirmed: false });
    await change({ delivery_zones: [] });
    expect((await shown()).isConfirmed).toBe(false);
    await change({ location_confirmed: true });
    expect(await shown()).toEqual({ ...start, isConfirmed: true });
  });

  test('is confirmed by sending it, and undone as a whole', async () => {
    await change({ location_confirmed: false });
    const { location } = await shown();
    await change({ location: pin });
    expect(await shown()).toEqual({ location: pin, isConfirmed: true });
    await change({ location, location_confirmed: false, was: { location: pin, location_confirmed: true } });
    expect(await shown()).toEqual({ location, isConfirmed: false });
  });

  test('is not confirmed any more after the postcode changed, unless the pin was sent with it', async () => {
    const { address } = (await app.request('GET', path)).body.data;
    await change({ location: pin });
    await change({ address: { ...address, line1: '5 Castle Street' } });
    expect((await shown()).isConfirmed).toBe(true);
    await change({ address: { ...address, postcode: 'CV1 1FY' } });
    expect(await shown()).toEqual({ location: pin, isConfirmed: false });
    await change({ address, location: pin });
    expect((await shown()).isConfirmed).toBe(true);
  });

  test('is confirmed in a new store only if it was sent', async () => {
    const make = async (body: object) =>
      (await app.request('POST', '/v1/stores', { body, token: admin })).body.data.location_confirmed;
    expect(await make({ name: 'Nowhere yet' })).toBe(false);
    expect(await make({ name: 'By the river', location: pin })).toBe(true);
  });
});

test('staff see how many orders a slot holds', async () => {
  const read = () => app.request('GET', `${path}/slots/taken`, { token: admin });
  expect((await read()).body.data).toEqual([]);
  expect((await app.request('POST', '/v1/orders', { body: app.orderBody() })).status).toBe(201);
  const { data } = (await read()).body;
  expect(data).toEqual([{ starts_at: expect.any(String), orders: 1 }]);
});

describe('the preview of a receipt', () => {
  const preview = (query: string) => app.request('GET', `${path}/receipt-preview?${query}`, { token: admin });

  test('shows words that are not saved, and leaves those that are', async () => {
    const saved = { receipt_header: 'Saved header', receipt_footer: 'Saved footer' };
    await change(saved);
    const answer = await preview(new URLSearchParams({ receipt_footer: 'Come again <soon>' }).toString());
    expect(answer.status).toBe(200);
    expect(answer.body.data.text).toContain('Come again <soon>');
    expect(answer.body.data.text).toContain('Saved header');
    expect(answer.body.data.text).toContain('NOT AN ORDER');
    expect(answer.body.data.svg).toMatch(/^<svg/);
    expect((await app.request('GET', path, { token: admin })).body.data).toMatchObject(saved);
  });

  test('shows the VAT number, or none', async () => {
    expect((await preview('vat_number=GB123')).body.data.text).toContain('GB123');
    expect((await preview('vat_number=')).body.data.text).not.toContain('GB123');
  });

  test.each(['receipt_shows_logo', 'receipt_shows_map_code', 'receipt_shows_order_code'])(
    'shows what %s changes, also before the shop has a logo',
    async (field) => {
      const svg = async (word: string) => (await preview(`${field}=${word}`)).body.data.svg;
      const [on, off] = [await svg('true'), await svg('false')];
      expect(on).not.toBe(off);
      expect(on.length).toBeGreaterThan(off.length);
    },
  );

  test('is of a delivery unless a collection is asked for', async () => {
    const mapWords = 'scan for the way there';
    const texts = async (query: string) => (await preview(query)).body.data.text.toLowerCase();
    expect(await texts('')).toContain(mapWords);
    expect(await texts('fulfilment_type=collection')).not.toContain(mapWords);
    expect((await preview('fulfilment_type=drone')).status).toBe(422);
  });

  test('prints nothing', async () => {
    await preview('copy=kitchen');
    const prints = await app.database.db.selectFrom('prints').select('id').where('order_id', 'is', null).execute();
    expect(prints).toEqual([]);
  });
});

describe.each(['slug', 'name'] as const)('a store called by its %s', (which) => {
  test('is changed, paused and switched like one called by its id, and the log knows it', async () => {
    const { body: made } = await app.request('POST', '/v1/stores', { body: { name: `By ${which}` }, token: admin });
    const { id, slug, name } = made.data as { id: string; slug: string; name: string };
    const at = `/v1/stores/${encodeURIComponent(which === 'slug' ? slug : ` ${name.toUpperCase()} `)}`;
    const changed = await app.request('PATCH', at, { body: { prep_minutes: 25 }, token: admin });
    expect(changed.body.data).toMatchObject({ id, prep_minutes: 25 });
    for (const [call, body] of [
      ['pause', { minutes: 5 }],
      ['resume', {}],
      ['busy', { minutes: 10 }],
    ] as const) {
      const answer = await app.request('POST', `${at}/${call}`, { body, token: admin });
      expect([answer.status, answer.body.data?.id], call).toEqual([200, id]);
    }
    const heard = await app.request('POST', `${at}/heard`, { body: { order_ids: [id] }, token: admin });
    expect(heard.status).toBe(204);
    expect((await app.request('DELETE', at, { token: admin })).status).toBe(204);
    expect((await app.request('GET', at)).status).toBe(404);
    const log = await app.request('GET', `/v1/audit?subject_id=${id}&per_page=50`, { token: admin });
    expect(log.body.data.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'DELETE /v1/stores/{id}',
      'PATCH /v1/stores/{id}',
      'POST /v1/stores',
      'POST /v1/stores/{id}/busy',
      'POST /v1/stores/{id}/heard',
      'POST /v1/stores/{id}/pause',
      'POST /v1/stores/{id}/resume',
    ]);
  });
});

describe('what only the staff of a store are told of it', () => {
  const hidden = Object.keys(staffOnlyFields).toSorted();
  const fieldsIn = (store: object) => hidden.filter((field) => field in store);

  test('is not told to strangers, customers or the staff of another store', async () => {
    const other = await app.request('POST', '/v1/stores', { body: { name: 'Elsewhere' }, token: admin });
    const [customer, stranger] = [await app.signIn('customer'), await app.signIn('store_admin', [other.body.data.id])];
    for (const token of [undefined, customer, stranger]) {
      const { body } = await app.request('GET', path, token === undefined ? {} : { token });
      expect(fieldsIn(body.data)).toEqual([]);
      const open = ['keep_guest_days', 'keep_idle_account_months', 'card_provider'];
      expect(open.filter((field) => !(field in body.data))).toEqual([]);
      const { body: list } = await app.request('GET', '/v1/stores', token === undefined ? {} : { token });
      const own = list.data.filter((store: object) => fieldsIn(store).length > 0);
      expect(own.map(({ id }: { id: string }) => id)).toEqual(token === stranger ? [other.body.data.id] : []);
    }
    const menus = [`/v1/menus?include=store`, `/v1/menus/store/${app.shop.storeId}?include=store`];
    for (const menu of [...menus, ...menus]) {
      const { body } = await app.request('GET', menu);
      expect([menu, fieldsIn(body.data[0].store), body.data[0].store.name]).toEqual([menu, [], expect.any(String)]);
    }
    const placed = await app.request('POST', '/v1/orders', { body: app.orderBody() });
    const { body: order } = await app.request('GET', `/v1/orders/${placed.body.data.id}?include=store`);
    expect([fieldsIn(order.data.store), order.data.store.id]).toEqual([[], app.shop.storeId]);
  });

  test('is told to its staff, by every call that answers the store', async () => {
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    for (const token of [staff, admin]) {
      expect(fieldsIn((await app.request('GET', path, { token })).body.data)).toEqual(hidden);
      expect(fieldsIn((await app.request('GET', '/v1/stores', { token })).body.data[0])).toEqual(hidden);
      const busy = await app.request('POST', `${path}/busy`, { body: { minutes: 0 }, token });
      expect(fieldsIn(busy.body.data)).toEqual(hidden);
    }
    expect(fieldsIn((await change({ prep_minutes: 20 })).body.data)).toEqual(hidden);
  });
});
