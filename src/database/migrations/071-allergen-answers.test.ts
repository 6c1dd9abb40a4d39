import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { up } from '#database/migrations/071-allergen-answers.ts';
import { allAllergensAbsent } from '#menu/allergen-answers.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const none = { contains: [], may_contain: [] };
const milk = { contains: ['milk'], may_contain: [] };
const [deleted, imported] = [randomUUID(), randomUUID()];
let database: TestDatabase;
let shop: SmallShop;
let versions: unknown[];

const versionsOf = async () => {
  const { rows } = await sql<{ version: number }>`select version from stores order by id`.execute(database.db);
  return rows.map(({ version }) => version);
};

/** A shop as the last release left it: with a deletion and an import that can be taken back. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  shop = await seedSmallShop(db);
  for (const table of ['items', 'options'])
    await sql`alter table ${sql.table(table)} drop column allergen_answers`.execute(db);
  await sql`update items set allergens = ${JSON.stringify(milk)} where id = ${shop.pizza}`.execute(db);
  await sql`update items set allergens = ${JSON.stringify(none)} where id = ${shop.chips}`.execute(db);
  await sql`update options set allergens = ${JSON.stringify(none)} where id = ${shop.topping.olives}`.execute(db);
  await sql`update options set allergens = ${JSON.stringify(none)}, name = 'Red onion' where id = ${shop.topping.chilli}`.execute(
    db,
  );
  const content = { options: [{ id: deleted, name: 'A "{}" name', allergens: none }] };
  await sql`insert into menu_bin (kind, id, store_id, deleted_at, content)
    values ('options', ${deleted}, ${shop.storeId}, '2026-11-20T10:00Z', ${JSON.stringify(content)})`.execute(db);
  const undo = [{ call: 'PATCH /v1/items/{id}', id: shop.pizza, body: { allergens: none, was: { allergens: milk } } }];
  await sql`insert into menu_imports (id, store_id, file_name, state, changes, undo, total, created_at)
    values (${imported}, ${shop.storeId}, 'menu.csv', 'done', '[]', ${JSON.stringify(undo)}, 1, '2026-11-20T10:00Z')`.execute(
    db,
  );
  versions = await versionsOf();
  // A migration knows no tables.
  await up(db as unknown as Kysely<unknown>);
});
afterAll(() => database.close());

const known = async (table: string, id: string) => {
  const { rows } = await sql<{ allergens: unknown; allergen_answers: unknown }>`
    select allergens, allergen_answers from ${sql.table(table)} where id = ${id}`.execute(database.db);
  return [rows[0]?.allergens, rows[0]?.allergen_answers];
};

test('fourteen times "no" is kept and waits for the owner; what somebody stated, and what is the demo’s own, stays', async () => {
  expect(await known('items', shop.chips)).toEqual([null, allAllergensAbsent]);
  expect(await known('options', shop.topping.olives)).toEqual([null, allAllergensAbsent]);
  expect(await known('items', shop.pizza)).toEqual([milk, null]);
  expect(await known('options', shop.topping.chilli)).toEqual([none, null]);
});

test('browsers that keep the old menu fetch it again', async () => {
  expect(await versionsOf()).not.toEqual(versions);
});

test('a deletion and an import that are taken back do not bring the old statement back', async () => {
  const { rows: bin } = await sql<{ content: unknown }>`select content from menu_bin where id = ${deleted}`.execute(
    database.db,
  );
  expect(bin[0]?.content).toEqual({
    options: [{ id: deleted, name: 'A "{}" name', allergens: null, allergen_answers: allAllergensAbsent }],
  });
  const { rows: imports } = await sql<{ undo: unknown }>`select undo from menu_imports where id = ${imported}`.execute(
    database.db,
  );
  expect(imports[0]?.undo).toMatchObject([
    { body: { allergens: null, allergen_answers: allAllergensAbsent, was: { allergens: milk } } },
  ]);
});
