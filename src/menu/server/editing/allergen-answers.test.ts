import { afterAll, beforeAll, expect, test } from 'vitest';
import { allergenCodes } from '#database/page-values.ts';
import type { MenuParts } from '#menu/fields.ts';
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
const known = async (list: 'items' | 'options', id: string) => {
  const parts: MenuParts = (await call('GET', `menus/store/${app.shop.storeId}/parts`)).body.data;
  const part = parts[list].find((one) => one.id === id);
  return { allergens: part?.allergens, allergen_answers: part?.allergen_answers };
};
const some = { contains: ['milk'], may_contain: [], not_in: ['celery', 'fish'] };
const all = { ...some, not_in: allergenCodes.filter((code) => code !== 'milk') };

test.each([
  ['items', () => app.shop.chips],
  ['options', () => app.shop.topping.olives],
] as const)(
  'answers so far of %s are kept, and customers read of none until all fourteen are there',
  async (list, of) => {
    const path = `${list}/${of()}`;
    const partly = await call('PATCH', path, { allergen_answers: some });
    expect([partly.status, partly.body.data.allergens]).toEqual([200, null]);
    expect(await known(list, of())).toEqual({ allergens: null, allergen_answers: some });
    const guest = await app.request('GET', `/v1/menus/store/${app.shop.storeId}?include=related`);
    expect(JSON.stringify(guest.body)).not.toContain('allergen_answers');
    const wholly = await call('PATCH', path, { allergen_answers: all });
    expect(wholly.body.data.allergens).toEqual({ contains: ['milk'], may_contain: [] });
    expect(await known(list, of())).toEqual({
      allergens: { contains: ['milk'], may_contain: [] },
      allergen_answers: null,
    });
  },
);

test.each([
  ['items', () => app.shop.chips],
  ['options', () => app.shop.topping.olives],
] as const)('answers alone confirm none of %s whose answers nobody has confirmed', async (list, of) => {
  const path = `${list}/${of()}`;
  await call('PATCH', path, { allergens: null, allergen_answers: all });
  const changed = { ...all, contains: ['milk', 'eggs'], not_in: all.not_in.filter((code) => code !== 'eggs') };
  expect((await call('PATCH', path, { allergen_answers: changed })).body.data.allergens).toBeNull();
  expect(await known(list, of())).toMatchObject({ allergens: null, allergen_answers: { contains: ['eggs', 'milk'] } });
  const stated = { contains: ['eggs'], may_contain: [] };
  expect((await call('PATCH', path, { allergens: stated })).body.data.allergens).toEqual(stated);
});

test('answers are refused to whoever has not seen the latest ones', async () => {
  const path = `items/${app.shop.chips}`;
  await call('PATCH', path, { allergen_answers: some });
  const late = { allergen_answers: { ...some, not_in: ['celery'] } };
  const refused = await call('PATCH', path, {
    ...late,
    was: { allergens: null, allergen_answers: late.allergen_answers },
  });
  expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
    409,
    'changed_meanwhile',
    ['allergen_answers'],
  ]);
  const seen = await call('PATCH', path, { ...late, was: { allergens: null, allergen_answers: some } });
  expect(seen.status).toBe(200);
});

test('answers outside the fourteen are refused by their field', async () => {
  const body = { allergen_answers: { contains: ['moonlight'], may_contain: [], not_in: [] } };
  const { status, body: answer } = await call('PATCH', `items/${app.shop.chips}`, body);
  expect([status, Object.keys(answer.errors)]).toEqual([422, ['allergen_answers.contains.0']]);
});
