import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const read = (path: string, token?: string) => app.request('GET', `/v1/${path}`, { ...(token && { token }) });
const write = (method: string, path: string, body?: unknown) =>
  app.request(method, `/v1/${path}`, { token: admin, ...(body !== undefined && { body }) });
const names = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name);
type Shape = { [key: string]: Shape | null };
/** Which relations an answer carries, however deep. */
const relationsOf = (value: Record<string, unknown>): Shape =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => ['store', 'menu', 'categories', 'items', 'option_groups', 'options'].includes(key))
      .map(([key, inner]) => [key, Array.isArray(inner) ? relationsOf(inner[0] ?? {}) : null]),
  );

describe('relations', () => {
  const groups = { option_groups: {} };
  const whole = { option_groups: { options: {} } };
  test.each<[string, string, Shape]>([
    ['categories', '', {}],
    ['categories', 'menu', { menu: null }],
    ['categories', 'items', { items: {} }],
    ['categories', 'items.option_groups', { items: groups }],
    ['categories', 'menu,items.option_groups.options', { menu: null, items: whole }],
    ['categories', 'related', { menu: null, items: whole }],
    ['items', '', {}],
    ['items', 'option_groups', groups],
    ['items', 'option_groups.options', whole],
    ['items', 'related', whole],
    ['option-groups', '', {}],
    ['option-groups', 'options', { options: {} }],
    ['option-groups', 'related', { options: {} }],
    ['menus', 'store', { store: null }],
    ['menus', 'related', { store: null, categories: { items: whole } }],
  ])('of %s with include=%s come inline, and no others', async (path, include, expected) => {
    const list = await read(`${path}?include=${include}`);
    expect(list.status).toBe(200);
    // The one with something on it.
    const found = list.body.data.find(({ name }: { name: string }) =>
      ['Menu', 'Food', 'Margherita', 'Size'].includes(name),
    );
    expect(relationsOf(found)).toEqual(expected);
    expect((await read(`${path}/${found.id}?include=${include}`)).body.data).toEqual(found);
  });

  test.each([
    'categories?include=store',
    'items?include=categories',
    'option-groups?include=items',
    'items?include=option_groups,nonsense',
  ])('%s is refused', async (path) => {
    const { status, body } = await read(path);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['include']]);
  });

  test("come in their links' order, with what the link says", async () => {
    const { pizza, size } = app.shop;
    const { body } = await read(`items/${pizza}?include=related`);
    expect(names({ body: { data: body.data.option_groups } })).toEqual(['Size', 'Toppings']);
    expect(body.data.option_groups[0]).toMatchObject({ position: 0, shown_when_option_id: null });
    expect(body.data.option_groups[0].options[1]).toMatchObject({
      id: size.large,
      price: 300,
      price_override: null,
      position: 1,
    });
  });

  test('the store does not come along once somebody else has asked for it', async () => {
    const base = `menus/store/${app.shop.storeId}?include=`;
    expect((await read(`${base}related`)).body.data[0]).toHaveProperty('store');
    const { body } = await read(`${base}categories.items.option_groups.options`);
    expect(body.data[0]).not.toHaveProperty('store');
  });

  test("a menu's public answer has nothing but what is declared", async () => {
    const { body } = await read(`menus/store/${app.shop.storeId}?include=categories.items.option_groups.options`);
    const text = JSON.stringify(body.data[0].categories);
    expect(text).not.toMatch(/deleted_at|store_id|category_id|price_change|option_group_id/);
  });
});

describe('lists', () => {
  test.each(['menus', 'categories', 'items', 'options', 'option-groups'])('of %s come in pages', async (path) => {
    const all = await read(`${path}?per_page=200`, admin);
    const { total } = all.body.meta;
    expect(all.body.data).toHaveLength(total);
    const pages = [];
    for (let page = 1; page <= total; page += 1)
      pages.push((await read(`${path}?per_page=1&page=${page}`, admin)).body);
    expect(pages.flatMap(({ data }) => data)).toEqual(all.body.data);
    expect(pages[0]).toMatchObject({
      links: { prev: null, first: `/v1/${path}?per_page=1&page=1`, last: `/v1/${path}?per_page=1&page=${total}` },
      meta: { current_page: 1, from: 1, to: 1, per_page: 1, last_page: total, path: `/v1/${path}`, total },
    });
    expect((await read(`${path}?page=99`)).body).toMatchObject({ data: [], meta: { from: null, to: null } });
    const usual = await read(path);
    expect(usual.body.meta.per_page).toBe(15);
    for (const bad of ['per_page=201', 'per_page=0', 'page=0', 'page=x'])
      expect((await read(`${path}?${bad}`)).status).toBe(422);
  });

  test("hold one store's where asked", async () => {
    const { body } = await write('POST', 'stores', { name: 'Second shop' });
    const storeId = body.data.id as string;
    const menu = await write('POST', 'menus', { name: 'Theirs', store_id: storeId });
    expect(menu.body.data.store_id).toBe(storeId);
    await write('POST', 'categories', { name: 'Theirs', menu_id: menu.body.data.id });
    await write('POST', 'items', { name: 'Theirs', price: 1, store_id: storeId });
    for (const path of ['options', 'option-groups']) await write('POST', path, { name: 'Theirs', store_id: storeId });
    for (const path of ['categories', 'items', 'options', 'option-groups']) {
      expect(names(await read(`${path}?store_id=${storeId}`, admin))).toEqual(['Theirs']);
    }
    // A deleted store takes its menu out of sight.
    await write('DELETE', `stores/${storeId}`);
    expect(names(await read('items?per_page=200', admin))).not.toContain('Theirs');
    const refused = await write('POST', 'items', { name: 'Late', price: 1, store_id: storeId });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['store_id']]);
  });
});

describe('what a guest sees', () => {
  /** Everything by its path, as somebody may read it. */
  const seen = async (token?: string) => {
    const { menuId, categoryId, pizza, size } = app.shop;
    const paths = [
      `menus/${menuId}`,
      `categories/${categoryId}`,
      `items/${pizza}`,
      `option-groups/${size.group}`,
      `options/${size.large}`,
    ];
    const answers = await Promise.all(paths.map((path) => read(path, token)));
    const lists = await Promise.all(
      paths.map(async (path) => {
        const [thing = '', id] = path.split('/');
        const { body } = await read(`${thing}?per_page=200`, token);
        return body.data.some((one: { id: string }) => one.id === id);
      }),
    );
    expect(lists).toEqual(answers.map(({ status }) => status === 200));
    return lists;
  };

  const switches: [string, () => string, boolean[]][] = [
    ['menu', () => `menus/${app.shop.menuId}`, [false, false, false, false, false]],
    ['category', () => `categories/${app.shop.categoryId}`, [true, false, false, false, false]],
    ['item', () => `items/${app.shop.pizza}`, [true, true, false, false, false]],
  ];
  test.each(switches)('ends at an inactive %s; staff see beyond it', async (_name, path, expected) => {
    const everything = Array(5).fill(true);
    const customer = await app.signIn('customer');
    expect(await seen()).toEqual(everything);
    await write('PATCH', path(), { is_active: false });
    expect(await seen()).toEqual(expected);
    expect(await seen(customer)).toEqual(expected);
    expect(await seen(admin)).toEqual(everything);
    expect(await seen(await app.signIn('store_admin', [app.shop.storeId]))).toEqual(everything);
    await write('PATCH', path(), { is_active: true });
    expect(await seen()).toEqual(everything);
  });

  test('leaves out what no menu has', async () => {
    const { body: item } = await write('POST', 'items', { name: 'Unlisted', price: 100 });
    const { body: group } = await write('POST', 'option-groups', { name: 'Unlisted' });
    const { body: option } = await write('POST', 'options', { name: 'Unlisted' });
    for (const path of [`items/${item.data.id}`, `option-groups/${group.data.id}`, `options/${option.data.id}`]) {
      expect([(await read(path)).status, (await read(path, admin)).status]).toEqual([404, 200]);
    }
  });

  test('leaves out an inactive item from its category, for guests only', async () => {
    const { categoryId, chips } = app.shop;
    const path = `categories/${categoryId}?include=items`;
    await write('PATCH', `items/${chips}`, { is_active: false });
    expect(names({ body: { data: (await read(path)).body.data.items } })).not.toContain('Chips');
    expect(names({ body: { data: (await read(path, admin)).body.data.items } })).toContain('Chips');
    await write('PATCH', `items/${chips}`, { is_active: true });
  });
});
