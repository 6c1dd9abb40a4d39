import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Menu } from '#menu/menu-shapes.ts';
import { indexMenus, quoteBasket } from '#ordering/quote.ts';
import { aBasket, aLine } from '#ordering/testing/samples.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let cook: string;
/** The ids of a curry deal: its group of mains, with korma and a mild wine for adults. */
let deal: { id: string; mains: string; korma: string; wine: string; kormaDish: string; wineDish: string };
beforeAll(async () => {
  app = await startTestApp({ vat_number: 'GB 123 4567 89' });
  [admin, cook] = await Promise.all([app.signIn('admin'), app.signIn('store_admin', [app.shop.storeId])]);
  deal = await makeDeal();
});
afterAll(() => app.close());

const write = async (method: string, path: string, body?: unknown) => {
  const answer = await app.request(method, `/v1/${path}`, { token: admin, ...(body !== undefined && { body }) });
  expect([path, answer.status, answer.body?.errors]).toEqual([
    path,
    method === 'DELETE' ? 204 : expect.any(Number),
    undefined,
  ]);
  return answer.body?.data;
};
const none = { contains: [], may_contain: [] };

async function makeDeal() {
  const korma = { name: 'Korma', kitchen_name: 'KORM', price: 900, vat_rate: 2000, station: 'Curry', prep_minutes: 50 };
  const kormaDish = (await write('POST', 'items', { ...korma, allergens: { contains: ['nuts'], may_contain: [] } })).id;
  const strength = (await write('POST', 'option-groups', { name: 'Strength', min_select: 1 })).id;
  const mild = (await write('POST', 'options', { name: 'Mild', allergens: none })).id;
  const hot = (await write('POST', 'options', { name: 'Hot', allergens: { contains: ['mustard'], may_contain: [] } }))
    .id;
  await write('POST', `option-groups/${strength}/options/add`, { options: [mild, hot] });
  await write('POST', `items/${kormaDish}/option-groups/add`, { option_groups: [strength] });
  const wine = { name: 'Wine', price: 300, vat_rate: 0, min_age: 18, station: 'Bar', allergens: none };
  const wineDish = (await write('POST', 'items', wine)).id;
  const id = (await write('POST', 'items', { name: 'Deal for two', price: 1000, allergens: none })).id;
  const mains = (
    await write('POST', 'option-groups', { name: 'Mains', min_select: 1, max_select: 2, max_per_option: 2 })
  ).id;
  const answer = { option_group_id: strength, option_id: hot };
  const kormaChoice = { name: 'Korma', item_id: kormaDish, item_options: [answer] };
  const choice = (await write('POST', 'options', kormaChoice)).id;
  const wineChoice = (await write('POST', 'options', { name: 'Wine', price: 50, item_id: wineDish })).id;
  await write('POST', `option-groups/${mains}/options/add`, { options: [choice, wineChoice] });
  await write('POST', `items/${id}/option-groups/add`, { option_groups: [mains] });
  await write('POST', `categories/${app.shop.categoryId}/items/add`, { items: [id, kormaDish] });
  return { id, mains, korma: choice, wine: wineChoice, kormaDish, wineDish };
}

const lineOf = (korma: number, wine: number, quantity = 1) => ({
  item_id: deal.id,
  quantity,
  options: [
    { option_group_id: deal.mains, option_id: deal.korma, quantity: korma },
    { option_group_id: deal.mains, option_id: deal.wine, quantity: wine },
  ].filter((option) => option.quantity > 0),
});
const place = (lines: unknown[], change: Record<string, unknown> = {}) =>
  app.request('POST', '/v1/orders', { body: app.orderBody({ lines, age_confirmed: true, ...change }) });
const menus = async () => {
  const include = 'categories.items.option_groups.options';
  return (await app.request('GET', `/v1/menus/store/${app.shop.storeId}?include=${include}`)).body.data as Menu[];
};
const choices = async () => {
  const items = (await menus()).flatMap(({ categories = [] }) =>
    categories.flatMap((category) => category.items ?? []),
  );
  return items.find(({ id }) => id === deal.id)?.option_groups?.[0]?.options ?? [];
};
const setStock = (path: string, body: object) =>
  app.request('POST', `/v1/${path}/availability`, { token: cook, body: { is_available: true, ...body } });

test('the menu shows the choices of a deal with the fields of their dishes, at their own price', async () => {
  const [korma, wine] = await choices();
  expect(korma).toMatchObject({
    name: 'Korma (Hot)',
    kitchen_name: 'KORM (Hot)',
    item_id: deal.kormaDish,
    price: 0,
    vat_rate: 2000,
    station: 'Curry',
    allergens: { contains: ['nuts', 'mustard'], may_contain: [] },
  });
  expect(wine).toMatchObject({ name: 'Wine', price: 50, vat_rate: 0, min_age: 18 });
  const { body } = await app.request('GET', `/v1/options/${deal.wine}`);
  expect(body.data).toMatchObject({ name: 'Wine', item_id: deal.wineDish, item_options: [], station: 'Bar' });
});

test('a deal costs the same in the browser, in its quote, as an order and on its receipts', async () => {
  const lines = [lineOf(1, 1, 2)];
  const { shop } = app;
  const shown = await menus();
  const store = (await app.request('GET', `/v1/stores/${shop.storeId}`)).body.data;
  const basket = aBasket(lines.map((line) => aLine(line.item_id, line)));
  const inBrowser = quoteBasket({ store, index: indexMenus(shown), basket, now: app.clock.now });
  const { body: quoted } = await app.request('POST', '/v1/orders/quote', { body: app.orderBody({ lines }) });
  const { problems: _problems, ...quote } = quoted.data;
  expect(quote).toMatchObject(JSON.parse(JSON.stringify({ ...inBrowser, problems: undefined })));
  // £10.50 is split 9 to 3 over the dishes, whose own prices are £9.00 and £3.00.
  const vat_parts = [
    { rate: 2000, amount: 788 },
    { rate: 0, amount: 262 },
  ];
  expect(quote.lines).toMatchObject([{ unit_price: 1050, total: 2100, min_age: 18, vat_parts }]);
  const { status, body } = await place(lines);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ total: quote.total, vat: quote.vat, prep_minutes: 50 });
  expect(body.data.lines[0].options).toMatchObject([
    { name: 'Korma (Hot)', kitchen_name: 'KORM (Hot)', station: 'Curry', item_id: deal.kormaDish },
    { name: 'Wine', kitchen_name: null, station: 'Bar' },
  ]);
  const drawn = (await app.request('GET', `/v1/orders/${body.data.id}/receipts`, { token: admin })).body.data;
  const [kitchen, customer] = drawn.map(({ text }: { text: string }) => text);
  expect(kitchen).toContain('KORM (Hot) · CURRY');
  expect(kitchen).toContain('Wine · BAR');
  expect(kitchen).toContain('CHECK ID: 18+');
  expect(customer).toContain('Korma (Hot)');
  expect(customer).toContain('£21.00');
  expect(quote.vat.reduce((sum: number, { net, vat }: { net: number; vat: number }) => sum + net + vat, 0)).toBe(2100);
  for (const { net, vat } of quote.vat)
    expect(customer).toContain(`£${(net / 100).toFixed(2)}  £${(vat / 100).toFixed(2)}`);
});

test('the age of a chosen dish is asked, and not that of another', async () => {
  const asked = await place([lineOf(1, 1)], { age_confirmed: false });
  expect([asked.status, asked.body.problems[0].code]).toEqual([422, 'age_unconfirmed']);
  expect((await place([lineOf(1, 0)], { age_confirmed: false })).status).toBe(201);
});

test('a dish that is marked as sold out is so in its deals, wherever it is marked', async () => {
  expect((await setStock(`options/${deal.korma}`, { is_available: false })).body.data).toMatchObject({
    is_available: false,
  });
  expect((await app.request('GET', `/v1/items/${deal.kormaDish}`)).body.data.is_available).toBe(false);
  const { status, body } = await place([lineOf(1, 0)]);
  expect([status, body.problems[0].code]).toEqual([422, 'option_sold_out']);
  await setStock(`items/${deal.kormaDish}`, {});
  expect((await choices())[0]).toMatchObject({ is_available: true });
});

test('portions of a dish are taken by its deals, and come back with the cancellation and the removal', async () => {
  const path = `items/${deal.kormaDish}`;
  const left = async () => (await app.request('GET', `/v1/${path}`, { token: admin })).body.data.portions_left;
  await setStock(path, { portions_left: 5 });
  const { body: placed } = await place([lineOf(2, 0, 2)]);
  expect(await left()).toBe(1);
  const many = await place([lineOf(2, 0)]);
  expect([many.status, many.body.message]).toEqual([422, 'Only 1 of Korma (Hot) left.']);
  const step = async (call: string, body: object) =>
    expect((await app.request('POST', `/v1/orders/${placed.data.id}/${call}`, { token: admin, body })).status).toBe(
      200,
    );
  await step('accept', { minutes: 20 });
  const lines = [{ line_id: placed.data.lines[0].id, quantity: 1 }];
  await step('lines/remove', { lines, reason: 'customer_asked' });
  expect(await left()).toBe(3);
  await step('cancel', { reason: 'customer_asked' });
  expect(await left()).toBe(5);
  // Thirty deals at once take what there is.
  const answers = await Promise.all(Array.from({ length: 30 }, () => place([lineOf(2, 0)])));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(await left()).toBe(1);
  await setStock(path, { portions_left: null });
});

test('a dish that was sold in a deal has been sold, as often as it was chosen', async () => {
  const sold = async () => (await write('GET', `items/${deal.kormaDish}/sold`)).sold;
  const before = await sold();
  expect((await place([lineOf(2, 0, 2)])).status).toBe(201);
  expect(await sold()).toBe(before + 4);
});

test('a deal is without the choice of a hidden or deleted dish, until it comes back', async () => {
  const names = async () => (await choices()).map(({ name }) => name);
  await write('PATCH', `items/${deal.kormaDish}`, { is_active: false });
  expect(await names()).toEqual(['Wine']);
  await write('PATCH', `items/${deal.kormaDish}`, { is_active: true });
  await write('DELETE', `items/${deal.wineDish}`);
  expect(await names()).toEqual(['Korma (Hot)']);
  expect((await place([lineOf(0, 1)])).body.problems[0].code).toBe('option_unknown');
  await write('POST', `items/${deal.wineDish}/restore`);
  expect(await names()).toEqual(['Korma (Hot)', 'Wine']);
});

test('an unknown dish, an unknown answer and a deal in a deal are refused in words', async () => {
  const unknown = '01890000-0000-7000-8000-000000000000';
  const other = (await write('POST', 'items', { name: 'Banquet', price: 100 })).id;
  const group = (await write('POST', 'option-groups', { name: 'Course' })).id;
  await write('POST', `items/${other}/option-groups/add`, { option_groups: [group] });
  const option = (await write('POST', 'options', { name: 'Side' })).id;
  const inDeal = (name: string) => `“${name}” is a meal deal itself, so it cannot be a choice in another.`;
  const refused = async (method: string, path: string, body: object, field: string, words: string) => {
    const answer = await app.request(method, `/v1/${path}`, { token: admin, body });
    expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [words] }]);
  };
  const gone = 'This dish is not on the menu any more. Choose another.';
  await refused('POST', 'options', { name: 'X', item_id: unknown }, 'item_id', gone);
  await refused('PATCH', `options/${option}`, { item_id: unknown }, 'item_id', gone);
  await refused('PATCH', `options/${option}`, { item_id: deal.id }, 'item_id', inDeal('Deal for two'));
  const answers = { item_options: [{ option_group_id: deal.mains, option_id: deal.korma }] };
  const stale = '“Korma” does not have one of these choices any more. Choose again.';
  await refused('PATCH', `options/${deal.korma}`, answers, 'item_options', stale);
  // The dish of a choice must not become a deal either, by a group or by an option.
  await write('POST', `option-groups/${group}/options/add`, { options: [deal.wine] });
  const choice = (await write('POST', 'options', { name: 'Banquet' })).id;
  await refused('PATCH', `options/${choice}`, { item_id: other }, 'item_id', inDeal('Banquet'));
  await refused(
    'POST',
    `items/${deal.kormaDish}/option-groups/add`,
    { option_groups: [group] },
    'option_groups',
    inDeal('Korma'),
  );
  await write('POST', `option-groups/${group}/options/remove`, { options: [deal.wine] });
  await write('PATCH', `options/${choice}`, { item_id: other });
  await refused('POST', `option-groups/${group}/options/add`, { options: [deal.wine] }, 'options', inDeal('Banquet'));

  // A deleted deal does not come back as a deal's choice, and stays in the bin until it can.
  await write('PATCH', `options/${choice}`, { item_id: null });
  await write('POST', `option-groups/${group}/options/add`, { options: [deal.wine] });
  await write('DELETE', `option-groups/${group}`);
  await write('PATCH', `options/${choice}`, { item_id: other });
  const restore = () => app.request('POST', `/v1/option-groups/${group}/restore`, { token: admin, body: {} });
  const answer = await restore();
  expect([answer.status, answer.body.message]).toEqual([409, inDeal('Banquet')]);
  await write('PATCH', `options/${choice}`, { item_id: null });
  expect((await restore()).status).toBe(200);
});
