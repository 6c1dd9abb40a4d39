import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: unknown, token: string | undefined = admin) =>
  app.request(method, `/v1/${path}`, { ...(body !== undefined && { body }), ...(token && { token }) });

/** What a new thing needs, what it becomes, one change of it, and bodies that are refused by the field they name. */
interface Case {
  path: string;
  least(): Record<string, unknown>;
  becomes: Record<string, unknown>;
  change: Record<string, unknown>;
  refused: Record<string, Record<string, unknown>[]>;
}
const allergens = { contains: ['milk'], may_contain: ['nuts'] };
const names = [
  { name: '  ' },
  { name: 'x'.repeat(200) },
  { name: 'a\u0000b' },
  { name: '\ud800' },
  { name: 5 },
  { name: null },
];

const cases: Case[] = [
  {
    path: 'menus',
    least: () => ({ name: 'Lunch' }),
    becomes: { name: 'Lunch', description: '', is_active: true, position: 1, availability: null },
    change: { availability: { days: ['Monday', 'Friday'], from: '11:30', to: '15:00' }, is_active: false },
    refused: {
      name: names,
      'availability.days': [{ availability: { days: [], from: '11:00', to: '15:00' } }],
      'availability.days.0': [{ availability: { days: ['Someday'], from: '11:00', to: '15:00' } }],
      'availability.from': [{ availability: { days: ['Monday'], from: '25:00', to: '15:00' } }],
      'availability.to': [{ availability: { days: ['Monday'], from: '11:00' } }],
    },
  },
  {
    path: 'categories',
    least: () => ({ name: 'Sides', menu_id: app.shop.menuId }),
    becomes: { name: 'Sides', description: '', image: null, is_active: true, position: 1 },
    change: { description: 'Small things', image: '/pictures/sides.avif' },
    refused: {
      name: names,
      menu_id: [{ menu_id: randomUUID() }, { menu_id: 'x' }],
      image: [{ image: 'javascript:alert(1)' }, { image: '//elsewhere.example/x.png' }],
    },
  },
  {
    path: 'items',
    least: () => ({ name: 'Soup', price: 450 }),
    becomes: {
      name: 'Soup',
      price: 450,
      vat_rate: 2000,
      is_active: true,
      is_available: true,
      allergens: null,
      dietary: [],
      spice_level: 0,
    },
    change: {
      allergens,
      dietary: ['vegetarian'],
      kitchen_name: 'SOUP',
      min_age: 18,
      max_per_order: 4,
      prep_minutes: 5,
    },
    refused: {
      name: names,
      price: [{ price: -1 }, { price: 4.5 }, { price: '450' }, { price: 1_000_001 }, { price: null }],
      vat_rate: [{ vat_rate: -1 }, { vat_rate: 10_001 }],
      'allergens.contains.0': [{ allergens: { contains: ['moonlight'], may_contain: [] } }],
      'dietary.0': [{ dietary: ['tasty'] }],
      unavailable_until: ['soon', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:00'].map((time) => ({
        is_available: false,
        unavailable_until: time,
      })),
      spice_level: [{ spice_level: 4 }],
      min_age: [{ min_age: 0 }],
    },
  },
  {
    path: 'options',
    least: () => ({ name: 'Mild' }),
    becomes: { name: 'Mild', price: 0, is_default: false, is_available: true, vat_rate: null, allergens: null },
    change: { price: 50, is_default: true, allergens, vat_rate: 0 },
    refused: { name: names, price: [{ price: -1 }], vat_rate: [{ vat_rate: 0.5 }] },
  },
  {
    path: 'option-groups',
    least: () => ({ name: 'Heat' }),
    becomes: { name: 'Heat', pricing: 'adds', min_select: 0, max_select: 1, free_select: 0, max_per_option: 1 },
    change: { min_select: 1, max_select: 3, free_select: 2 },
    refused: {
      name: names,
      min_select: [{ min_select: 2 }, { min_select: -1 }, { min_select: 3, max_select: 2 }],
      free_select: [{ free_select: 2, max_select: 1 }],
      max_select: [{ max_select: 0 }],
      max_per_option: [{ max_per_option: 0 }],
      pricing: [{ pricing: 'free' }],
    },
  },
];

describe.each(cases)('$path', ({ path, least, becomes, change, refused }) => {
  test('are created, changed in part, and deleted', async () => {
    const created = await call('POST', path, { ...least(), surprise: true });
    expect([created.status, created.body.data]).toMatchObject([201, becomes]);
    expect(created.body.data).not.toHaveProperty('surprise');
    const { id } = created.body.data as { id: string };
    expect((await call('GET', `${path}/${id}`)).body.data).toEqual(created.body.data);

    const changed = await call('PATCH', `${path}/${id}`, change);
    expect([changed.status, changed.body.data]).toEqual([200, { ...created.body.data, ...change }]);
    expect((await call('PATCH', `${path}/${id}`, {})).body.data).toEqual(changed.body.data);
    expect((await call('GET', `${path}/${id.toUpperCase()}`)).body.data).toEqual(changed.body.data);

    const deleted = await call('DELETE', `${path}/${id}`);
    expect([deleted.status, deleted.body]).toEqual([204, null]);
    const gone = [
      await call('GET', `${path}/${id}`),
      await call('PATCH', `${path}/${id}`, change),
      await call('DELETE', `${path}/${id}`),
    ];
    expect(gone.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, 'not_found']));
  });

  test.each(Object.entries(refused))('refuse a bad %s by name, and change nothing', async (field, bodies) => {
    const { body } = await call('POST', path, least());
    const before = await call('GET', path);
    for (const bad of bodies) {
      const answers = [await call('PATCH', `${path}/${body.data.id}`, bad)];
      // A group's rules are made to fit each other when only one of them is named at first.
      const isMadeToFit = path === 'option-groups' && Object.keys(bad).length === 1 && bad['min_select'] === 2;
      if (!isMadeToFit) answers.push(await call('POST', path, { ...least(), ...bad }));
      for (const answer of answers) {
        expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([422, 'invalid', [field]]);
        expect(answer.body.errors[field][0]).toMatch(/\w/);
      }
    }
    expect((await call('GET', path)).body).toEqual(before.body);
    await call('DELETE', `${path}/${body.data.id}`);
  });

  test('are changed by admins only', async () => {
    const { body } = await call('POST', path, least());
    const before = await call('GET', path);
    const roles = {
      guest: [undefined, 401],
      customer: [await app.signIn('customer'), 403],
      store_admin: [await app.signIn('store_admin', [app.shop.storeId]), 403],
    } as const;
    for (const [token, status] of Object.values(roles)) {
      const answers = await Promise.all([
        app.request('POST', `/v1/${path}`, { body: least(), ...(token && { token }) }),
        app.request('PATCH', `/v1/${path}/${body.data.id}`, { body: change, ...(token && { token }) }),
        app.request('DELETE', `/v1/${path}/${body.data.id}`, { ...(token && { token }) }),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    }
    expect((await call('GET', path)).body).toEqual(before.body);
    await call('DELETE', `${path}/${body.data.id}`);
  });
});

describe('a change of an item', () => {
  test('that puts it back on sale forgets when it was to come back', async () => {
    const path = `items/${app.shop.chips}`;
    const away = { is_available: false, unavailable_until: '2026-11-22T12:00:00.000Z' };
    expect((await call('PATCH', path, away)).body.data).toMatchObject(away);
    expect((await call('PATCH', path, { is_available: true })).body.data).toMatchObject({ unavailable_until: null });
    const abroad = { is_available: false, unavailable_until: '2026-11-22T12:00:00+23:00' };
    const { body } = await call('POST', `${path}/availability`, abroad);
    expect(body.data).toMatchObject({ unavailable_until: '2026-11-21T13:00:00.000Z' });
    await call('POST', `${path}/availability`, { is_available: true });
  });

  test('names each allergen once, and what is contained not as merely possible', async () => {
    const stated = { contains: ['milk', 'celery', 'milk'], may_contain: ['milk', 'nuts'] };
    const { body } = await call('PATCH', `items/${app.shop.chips}`, { allergens: stated });
    expect(body.data.allergens).toEqual({ contains: ['celery', 'milk'], may_contain: ['nuts'] });
  });

  test('sets what shows one of its groups; a group that could never show is refused', async () => {
    const { pizza, size, topping } = app.shop;
    const path = `items/${pizza}`;
    const when = (id: string, option: string | null) =>
      call('PATCH', path, { option_groups: [{ id, shown_when_option_id: option }] });
    const shown = await when(topping.group, size.large);
    expect(shown.body.data.option_groups[1]).toMatchObject({ id: topping.group, shown_when_option_id: size.large });
    // Size would wait for a topping, and the toppings for a size.
    const answers = [
      await when(size.group, topping.olives),
      await when(size.group, size.small),
      await when(size.group, randomUUID()),
      await when(randomUUID(), null),
    ];
    expect(answers.map(({ status, body }) => [status, Object.keys(body.errors)])).toEqual(
      Array(4).fill([422, ['option_groups']]),
    );
    const { body } = await call('GET', `${path}?include=option_groups`);
    expect(body.data.option_groups.map((group: Record<string, unknown>) => group['shown_when_option_id'])).toEqual([
      null,
      size.large,
    ]);
  });

  test('a group whose condition went away with another group shows always', async () => {
    const { pizza, size, topping } = app.shop;
    await call('PATCH', `items/${pizza}`, { option_groups: [{ id: topping.group, shown_when_option_id: size.large }] });
    const { body } = await call('POST', `items/${pizza}/option-groups/remove`, { option_groups: [size.group] });
    expect(body.data.option_groups).toMatchObject([{ id: topping.group, shown_when_option_id: null, position: 0 }]);
    await call('POST', `items/${pizza}/option-groups/add`, { option_groups: [size.group] });
  });
});

describe('an option group', () => {
  test('has prices of its own for its options', async () => {
    const { size, topping } = app.shop;
    const path = `option-groups/${size.group}`;
    const { body } = await call('PATCH', path, { options: [{ id: size.large, price_override: 400 }] });
    expect(body.data.options[1]).toMatchObject({ id: size.large, price: 400, price_override: 400 });
    expect((await call('GET', `options/${size.large}`)).body.data.price).toBe(300);
    const refused = await call('PATCH', path, { options: [{ id: topping.olives, price_override: 1 }] });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['options']]);
    await call('PATCH', path, { options: [{ id: size.large, price_override: null }] });
    expect((await call('GET', `${path}?include=options`)).body.data.options[1]).toMatchObject({
      price: 300,
      price_override: null,
    });
  });

  test('holds a change against what it has already', async () => {
    const path = `option-groups/${app.shop.topping.group}`;
    expect((await call('PATCH', path, { min_select: 3 })).status).toBe(200);
    expect((await call('PATCH', path, { max_select: 2 })).body.errors).toHaveProperty('min_select');
    expect((await call('PATCH', path, { min_select: 0 })).status).toBe(200);
  });

  test('asks for as many as it must when only the minimum is named', async () => {
    const { body } = await call('POST', 'option-groups', { name: 'Two sides', min_select: 2 });
    expect(body.data).toMatchObject({ min_select: 2, max_select: 2 });
  });
});

describe('a group whose choices are the price', () => {
  const isPrice = { pricing: 'is_price', min_select: 1, max_select: 1 };
  const refusal = ({ status, body }: { status: number; body: { errors?: object } }) => [status, body.errors];
  const sizes = async (name: string) => (await call('POST', 'option-groups', { name, pricing: 'is_price' })).body.data;

  test('has exactly one choice, and none is free', async () => {
    const group = await sizes('Cup');
    expect(group).toMatchObject({ pricing: 'is_price', min_select: 1, max_select: 1, free_select: 0 });
    for (const [field, value] of Object.entries({ min_select: 0, max_select: 2, free_select: 1 })) {
      const refused = await call('PATCH', `option-groups/${group.id}`, { [field]: value });
      expect(refusal(refused)).toEqual([
        422,
        { [field]: [expect.stringMatching(/^If the choices are the dish’s price/)] },
      ]);
    }
    const { topping } = app.shop;
    const refused = await call('PATCH', `option-groups/${topping.group}`, { pricing: 'is_price' });
    expect(refusal(refused)).toEqual([422, { min_select: [expect.stringContaining('exactly one must be chosen')] }]);
    const may = await call('PATCH', `option-groups/${group.id}`, { pricing: 'adds', min_select: 0, max_select: 3 });
    expect(may.body.data).toMatchObject({ pricing: 'adds', min_select: 0, max_select: 3 });
    await call('DELETE', `option-groups/${group.id}`);
  });

  test('always shows, and is the only one on its dish', async () => {
    const { chips, pizza, size, topping } = app.shop;
    const cup = await sizes('Cup');
    const tub = (await call('POST', 'option-groups', { name: 'Tub', min_select: 1 })).body.data;
    await call('POST', `items/${chips}/option-groups/add`, { option_groups: [cup.id, tub.id] });
    const twice = 'Chips cannot have two sets of choices that are its price: “Cup” and “Tub”.';
    expect(refusal(await call('PATCH', `option-groups/${tub.id}`, isPrice))).toEqual([422, { pricing: [twice] }]);

    // The dish gets the second one when the first is gone, and then the first cannot come back.
    await call('DELETE', `option-groups/${cup.id}`);
    expect((await call('PATCH', `option-groups/${tub.id}`, isPrice)).status).toBe(200);
    const restored = await call('POST', `option-groups/${cup.id}/restore`);
    expect([restored.status, restored.body.code]).toEqual([409, 'conflict']);
    const bowl = await sizes('Bowl');
    expect(refusal(await call('POST', `items/${chips}/option-groups/add`, { option_groups: [bowl.id] }))).toEqual([
      422,
      { option_groups: ['Chips cannot have two sets of choices that are its price: “Tub” and “Bowl”.'] },
    ]);
    await call('POST', `items/${chips}/option-groups/remove`, { option_groups: [tub.id] });
    expect((await call('POST', `option-groups/${cup.id}/restore`)).status).toBe(200);

    const shows = 'The choices of “Toppings” are the price of Margherita, so they must always show there.';
    const when = (option: string | null) =>
      call('PATCH', `items/${pizza}`, { option_groups: [{ id: topping.group, shown_when_option_id: option }] });
    await when(size.large);
    const toppings = `option-groups/${topping.group}`;
    expect(refusal(await call('PATCH', toppings, isPrice))).toEqual([422, { pricing: [shows] }]);
    await when(null);
    expect((await call('PATCH', toppings, isPrice)).status).toBe(200);
    expect(refusal(await when(size.large))).toEqual([422, { option_groups: [shows] }]);
    await call('PATCH', toppings, { pricing: 'adds', min_select: 0, max_select: 3 });
    for (const { id } of [cup, tub, bowl]) await call('DELETE', `option-groups/${id}`);
  });
});

describe('a category', () => {
  test('moves to the end of another menu of its store, and closes the gap it leaves', async () => {
    const menu = (await call('POST', 'menus', { name: 'Evening' })).body.data;
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C'])
      ids.push((await call('POST', 'categories', { name, menu_id: menu.id })).body.data.id);
    const moved = await call('PATCH', `categories/${ids[0]}`, { menu_id: app.shop.menuId });
    expect(moved.body.data).toMatchObject({ menu_id: app.shop.menuId, position: 1 });
    const { body } = await call('GET', `menus/${menu.id}?include=categories`);
    expect(
      body.data.categories.map(({ name, position }: { name: string; position: number }) => [name, position]),
    ).toEqual([
      ['B', 0],
      ['C', 1],
    ]);
    await call('DELETE', `menus/${menu.id}`);
    await call('DELETE', `categories/${ids[0]}`);
  });
});
