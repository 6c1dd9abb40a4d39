import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const patch = (path: string, body: unknown) => app.request('PATCH', `/v1/${path}`, { body, token: admin });
async function save(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await patch(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

interface Case {
  path: () => string;
  /** The field that another editor and this one change. */
  theirs: Record<string, unknown>;
  mine: Record<string, unknown>;
  /** A field that neither changes. */
  other: Record<string, unknown>;
}
const cases: Record<string, Case> = {
  stores: {
    path: () => `stores/${app.shop.storeId}`,
    theirs: { closures: [{ from: '2026-12-25', to: '2026-12-26', reason: 'Christmas' }] },
    mine: { closures: [] },
    other: { prep_minutes: 33 },
  },
  menus: {
    path: () => `menus/${app.shop.menuId}`,
    theirs: { availability: { days: ['Monday'], from: '12:00', to: '15:00' } },
    mine: { availability: null },
    other: { description: 'Lunch' },
  },
  categories: {
    path: () => `categories/${app.shop.categoryId}`,
    theirs: { name: 'Pies' },
    mine: { name: 'Pizze' },
    other: { description: 'Round' },
  },
  items: {
    path: () => `items/${app.shop.pizza}`,
    theirs: { price: 1234 },
    mine: { price: 4321 },
    other: { spice_level: 2 },
  },
  options: {
    path: () => `options/${app.shop.size.large}`,
    theirs: { allergens: { contains: ['milk'], may_contain: [] } },
    mine: { allergens: null },
    other: { name: 'Huge' },
  },
  'option-groups': {
    path: () => `option-groups/${app.shop.size.group}`,
    theirs: { max_select: 3 },
    mine: { max_select: 2 },
    other: { name: 'How large' },
  },
};

describe.each(Object.entries(cases))('changing %s', (_kind, { path, theirs, mine, other }) => {
  const [field = ''] = Object.keys(theirs);

  test('what somebody else changed meanwhile is not overwritten, and both are told', async () => {
    const before = await read();
    await save(path(), theirs);
    const refused = await patch(path(), { ...mine, was: { [field]: before[field] } });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'changed_meanwhile', fields: [field], current: theirs });
    expect(await read()).toMatchObject(theirs);
  });

  test('the choice to overwrite names what was seen, and goes through', async () => {
    await save(path(), theirs);
    await save(path(), { ...mine, was: theirs });
    expect(await read()).toMatchObject(mine);
  });

  test('another field that changed meanwhile stands in nobody’s way', async () => {
    await save(path(), theirs);
    await save(path(), other);
    await save(path(), { ...mine, was: theirs });
    expect(await read()).toMatchObject({ ...mine, ...other });
  });

  test('the same change twice is no conflict', async () => {
    const before = await read();
    await save(path(), theirs);
    expect(await save(path(), { ...theirs, was: { [field]: before[field] } })).toMatchObject(theirs);
  });

  test('without was, the last one wins as ever', async () => {
    await save(path(), theirs);
    await save(path(), mine);
    expect(await read()).toMatchObject(mine);
  });

  const read = () => save(path(), {});
});

describe('prices within a group and conditions within an item', () => {
  test('a price that another editor set for the group is seen, one of another option is not in the way', async () => {
    const { group, large, small } = app.shop.size;
    const path = `option-groups/${group}`;
    await save(path, { options: [{ id: large, price_override: 500 }] });
    const stale = [{ id: large, price_override: null }];
    const mine = [{ id: large, price_override: 600 }];
    expect((await patch(path, { options: mine, was: { options: stale } })).body).toMatchObject({ fields: ['options'] });
    await save(path, { options: [{ id: small, price_override: 100 }] });
    await save(path, { options: mine, was: { options: [{ id: large, price_override: 500 }] } });
  });
});

test('a was that is no object is refused by name', async () => {
  const answer = await patch(`stores/${app.shop.storeId}`, { was: [] });
  expect(answer.status).toBe(422);
  expect(answer.body).toHaveProperty('errors.was');
});

test('two changes at once from the same sight: one is saved, the other refused', async () => {
  const path = `stores/${app.shop.storeId}`;
  await save(path, { phone: '01632 960001' });
  const answers = await Promise.all(
    ['01632 960002', '01632 960003'].map(
      async (phone) => (await patch(path, { phone, was: { phone: '01632 960001' } })).status,
    ),
  );
  expect(answers.toSorted()).toEqual([200, 409]);
});
