import { randomUUID } from 'node:crypto';
import { sample, shuffledSubarray } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, `/v1/${path}`, { token: admin, ...(body !== undefined && { body }) });
const make = async (path: string, body: Record<string, unknown>): Promise<string> => {
  const answer = await call('POST', path, body);
  expect(answer.status).toBe(201);
  return answer.body.data.id;
};
const makeSome = (count: number, path: string, body: Record<string, unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(path, { ...body, name: `${path} ${index}` })));

interface Placed {
  id: string;
  position: number;
}

const someOrdersOf = (ids: string[]) => sample(shuffledSubarray(ids, { minLength: ids.length }), 20);
const idsOf = (placed: Placed[]) => placed.map((one) => one.id);
const isGapless = (placed: Placed[]) =>
  expect(placed.map((one) => one.position)).toEqual(placed.map((_, index) => index));

/** A parent with ordered things linked to it: how to make both, the calls on them, and what their bodies and answers are called. */
const links = [
  {
    name: "a category's items",
    parent: () => make('categories', { name: 'Category', menu_id: app.shop.menuId }),
    path: (id: string) => `categories/${id}`,
    calls: 'items',
    things: ['items', { price: 100 }],
    added: 'items',
    reordered: 'itemIds',
  },
  {
    name: "an item's option groups",
    parent: () => make('items', { name: 'Item', price: 100 }),
    path: (id: string) => `items/${id}`,
    calls: 'option-groups',
    things: ['option-groups', {}],
    added: 'option_groups',
    reordered: 'optionGroupIds',
  },
  {
    name: "an option group's options",
    parent: () => make('option-groups', { name: 'Group' }),
    path: (id: string) => `option-groups/${id}`,
    calls: 'options',
    things: ['options', {}],
    added: 'options',
    reordered: 'optionIds',
  },
] as const;

describe.each(links)('$name', ({ parent, path, calls, things: [thingPath, thingBody], added, reordered }) => {
  const act = (id: string, name: 'add' | 'remove' | 'reorder', ids: unknown) =>
    call('POST', `${path(id)}/${calls}/${name}`, { [name === 'reorder' ? reordered : added]: ids });
  const read = async (id: string) => (await call('GET', `${path(id)}?include=${added}`)).body.data[added] as Placed[];

  test('are added at the end, taken out and put in order, without gaps', async () => {
    const id = await parent();
    const [a = '', b = '', c = '', d = ''] = await makeSome(4, thingPath, thingBody);
    const addedTwo = await act(id, 'add', [b, a]);
    expect([addedTwo.status, idsOf(addedTwo.body.data[added])]).toEqual([200, [b, a]]);
    // One that is there already keeps its place.
    expect(idsOf((await act(id, 'add', [d.toUpperCase(), b, c])).body.data[added])).toEqual([b, a, d, c]);
    const removed = await act(id, 'remove', [a, d]);
    expect([removed.status, removed.body.data[added]]).toMatchObject([
      200,
      [
        { id: b, position: 0 },
        { id: c, position: 1 },
      ],
    ]);
    // Taken out by somebody else a moment ago: nothing is left to do.
    expect((await act(id, 'remove', [a])).status).toBe(200);
    const reordering = await act(id, 'reorder', [c, b]);
    expect([reordering.status, idsOf(reordering.body.data[added])]).toEqual([200, [c, b]]);
    expect(idsOf(await read(id))).toEqual([c, b]);
  });

  test('refuse lists that are empty, unknown, foreign, doubled or no ids, by their field, and change nothing', async () => {
    const id = await parent();
    const [a = '', b = '', stranger = ''] = await makeSome(3, thingPath, thingBody);
    await act(id, 'add', [a, b]);
    const before = await read(id);
    const { body } = await call('POST', 'stores', { name: `Another ${randomUUID()}` });
    const foreign = await make(thingPath, { ...thingBody, name: 'Foreign', store_id: body.data.id });
    for (const bad of [
      [],
      [stranger, randomUUID()],
      [stranger, foreign],
      [stranger, stranger],
      [stranger, stranger.toUpperCase()],
      stranger,
      null,
    ]) {
      for (const name of ['add', 'remove'] as const) {
        const answer = await act(id, name, bad);
        expect([answer.status, Object.keys(answer.body.errors)], `${name} ${JSON.stringify(bad)}`).toEqual([
          422,
          [added],
        ]);
      }
    }
    expect((await act(id, 'add', [stranger, 'x'])).body.errors).toHaveProperty(`${added}.1`);
    for (const bad of [[], [a], [a, a], [a, b, stranger], [a, stranger], [a, randomUUID()], 'x']) {
      const answer = await act(id, 'reorder', bad);
      expect([answer.status, Object.keys(answer.body.errors)], JSON.stringify(bad)).toEqual([422, [reordered]]);
    }
    expect(await read(id)).toEqual(before);
    const nowhere = [
      await act(randomUUID(), 'add', [a]),
      await act(randomUUID(), 'remove', [a]),
      await act(randomUUID(), 'reorder', [a]),
    ];
    expect(nowhere.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('take an empty new order where there are none', async () => {
    const answer = await act(await parent(), 'reorder', []);
    expect([answer.status, answer.body.data[added]]).toEqual([200, []]);
  });

  test('lose one that is deleted, without a gap', async () => {
    const id = await parent();
    const [a = '', b = '', c = ''] = await makeSome(3, thingPath, thingBody);
    await act(id, 'add', [a, b, c]);
    await call('DELETE', `${thingPath}/${b}`);
    expect(await read(id)).toMatchObject([
      { id: a, position: 0 },
      { id: c, position: 1 },
    ]);
  });

  test('outlive their parent', async () => {
    const id = await parent();
    const [a = ''] = await makeSome(1, thingPath, thingBody);
    await act(id, 'add', [a]);
    expect((await call('DELETE', path(id))).status).toBe(204);
    expect((await call('GET', `${thingPath}/${a}`)).status).toBe(200);
  });

  test('stay whole while many people add, remove, delete and reorder them at once', async () => {
    const id = await parent();
    const first = await makeSome(8, thingPath, thingBody);
    const later = await makeSome(10, thingPath, thingBody);
    await act(id, 'add', first);
    const [gone = '', deleted = '', ...kept] = first;
    const orders = someOrdersOf(first);
    const [reorders, adds, , removal, deletion] = await Promise.all([
      Promise.all(orders.map((order) => act(id, 'reorder', order))),
      Promise.all(later.map((one) => act(id, 'add', [one]))),
      Promise.all(later.map((one) => act(id, 'add', [one, ...first.slice(2, 4)]))),
      act(id, 'remove', [gone]),
      call('DELETE', `${thingPath}/${deleted}`),
    ]);
    // A new order that somebody's add or removal has outrun is refused; everything else is done.
    for (const { status } of reorders) expect([200, 422]).toContain(status);
    expect([...adds, removal].map(({ status }) => status)).toEqual(Array(adds.length + 1).fill(200));
    expect(deletion.status).toBe(204);
    const placed = await read(id);
    isGapless(placed);
    expect(idsOf(placed).sort()).toEqual([...kept, ...later].sort());
  });

  test('end in one of the orders asked for when 20 ask at once', async () => {
    const id = await parent();
    const ids = await makeSome(6, thingPath, thingBody);
    await act(id, 'add', ids);
    const orders = someOrdersOf(ids);
    const answers = await Promise.all(orders.map((order) => act(id, 'reorder', order)));
    // Each answers with its own order, whichever call comes after it.
    expect(answers.map(({ body }) => idsOf(body.data[added]))).toEqual(orders);
    const placed = await read(id);
    isGapless(placed);
    expect(orders).toContainEqual(idsOf(placed));
  });
});

describe("a menu's categories", () => {
  const read = async (menuId: string) =>
    (await call('GET', `menus/${menuId}?include=categories`)).body.data.categories as Placed[];
  const menuOf = async (count: number): Promise<[string, string[]]> => {
    const menuId = await make('menus', { name: 'Menu' });
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push(await make('categories', { name: `C${index}`, menu_id: menuId }));
    return [menuId, ids];
  };

  test('come in the order they were made, and then in the one they were put', async () => {
    const [menuId, [a = '', b = '', c = '']] = await menuOf(3);
    expect(await read(menuId)).toMatchObject([
      { id: a, position: 0 },
      { id: b, position: 1 },
      { id: c, position: 2 },
    ]);
    const { status, body } = await call('POST', 'categories/reorder', { ids: [c, a, b] });
    expect([status, body.data]).toMatchObject([
      200,
      [
        { id: c, position: 0 },
        { id: a, position: 1 },
        { id: b, position: 2 },
      ],
    ]);
    await call('DELETE', `categories/${a}`);
    expect(await read(menuId)).toMatchObject([
      { id: c, position: 0 },
      { id: b, position: 1 },
    ]);
  });

  test("refuse a new order that is empty, doubled, short, unknown or another menu's", async () => {
    const [menuId, [a = '', b = '']] = await menuOf(2);
    const [, [other = '']] = await menuOf(1);
    const before = await read(menuId);
    for (const ids of [[], [a], [a, a], [a, b, other], [a, other], [randomUUID()], [a, randomUUID()], a]) {
      const answer = await call('POST', 'categories/reorder', { ids });
      expect([answer.status, Object.keys(answer.body.errors)], JSON.stringify(ids)).toEqual([422, ['ids']]);
    }
    expect(await read(menuId)).toEqual(before);
  });

  test('stay whole while many people make, delete and reorder them at once', async () => {
    const [menuId, ids] = await menuOf(5);
    const orders = someOrdersOf(ids);
    const [made] = await Promise.all([
      makeSome(10, 'categories', { menu_id: menuId }),
      Promise.all(orders.map((order) => call('POST', 'categories/reorder', { ids: order }))),
      call('DELETE', `categories/${ids[0]}`),
    ]);
    const placed = await read(menuId);
    expect(placed.map((one) => one.position)).toEqual(placed.map((_, index) => index));
    expect(placed.map((one) => one.id).sort()).toEqual([...ids.slice(1), ...made].sort());
  });
});

test('menus close the gap that a deleted one leaves', async () => {
  const ids = [
    await make('menus', { name: 'A' }),
    await make('menus', { name: 'B' }),
    await make('menus', { name: 'C' }),
  ];
  await call('DELETE', `menus/${ids[1]}`);
  const { body } = await call('GET', `menus/store/${app.shop.storeId}?all=1`);
  expect(body.data.map((menu: Placed) => menu.position)).toEqual(body.data.map((_: Placed, index: number) => index));
});
