import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyColumnHasWordsSql } from '#database/text-search.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';

/* Every search of the office finds a name in the spelling that somebody types, as the menu's search does. */

const name = 'Żółw Großmann-O’Neill';
const spellings = [
  'żółw',
  'zolw',
  'ZOLW',
  'Grossmann',
  'großmann',
  'GROẞMANN',
  "o'neill",
  'o’neill',
  'O´Neill',
  'oneill',
];
const names = ['Zed', 'Łucja', 'Eve', 'adam', 'Lucy', 'Émile'];
const asPeopleSort = ['adam', 'Émile', 'Eve', 'Łucja', 'Lucy', 'Zed'];

let app: TestApp;
let owner: string;
beforeAll(async () => {
  app = await startTestApp();
  owner = await app.signIn('admin');
  const { db } = app.database;
  const contact = { name, phone: '07700 900111', email: 'someone@example.com' };
  await app.request('POST', '/v1/orders', { body: app.orderBody({ contact }) });
  for (const role of ['customer', 'admin'] as const) {
    for (const each of [name, ...names]) {
      const { id } = await addUser(db, role);
      const phone = each === name ? '07700 900-111' : '';
      await db.updateTable('users').set({ name: each, phone }).where('id', '=', id).execute();
    }
  }
  const complaint = { about: 'other', name, email: 'someone@example.com', message: 'It was cold.', key: randomUUID() };
  await app.request('POST', '/v1/complaints', { body: complaint });
  const mail = { id: randomUUID(), kind: 'test', state: 'sent', to_name: name, content: JSON.stringify(null) } as const;
  await db
    .insertInto('mails')
    .values({ ...mail, created_at: app.clock.now, ended_at: app.clock.now })
    .execute();
  const item = { name: `Dish of ${name}` };
  await app.request('PATCH', `/v1/items/${app.shop.chips}`, { token: owner, body: item });
});
afterAll(() => app.close());

const list = async (path: string) => {
  const { status, body } = await app.request('GET', path, { token: owner });
  expect([path, status]).toEqual([path, 200]);
  return body;
};

describe.each(['/v1/customers', '/v1/staff', '/v1/orders', '/v1/payments', '/v1/mail', '/v1/complaints', '/v1/audit'])(
  '%s',
  (path) => {
    test.each(spellings)('finds %s', async (text) => {
      const { data } = await list(`${path}?search=${encodeURIComponent(text)}`);
      expect(JSON.stringify(data)).toContain(name);
    });

    test('finds nothing for another name', async () => {
      expect((await list(`${path}?search=zolwik`)).data).toEqual([]);
    });
  },
);

describe.each(['/v1/customers', '/v1/orders'])('%s finds a phone', (path) => {
  test.each(['07700 900111', '07700900111', '07700-900111', '+44 7700 900111', '\u202a07700900111\u202c', '900 111'])(
    'written as %j',
    async (text) => {
      const { data } = await list(`${path}?search=${encodeURIComponent(text)}`);
      expect(JSON.stringify(data)).toContain(name);
    },
  );

  test('of another number not', async () => {
    expect((await list(`${path}?search=07700900112`)).data).toEqual([]);
  });
});

test.each(['/v1/customers', '/v1/staff', '/v1/orders', '/v1/payments', '/v1/mail', '/v1/complaints', '/v1/audit'])(
  '%s looks past what a paste brings invisibly',
  async (path) => {
    const { data } = await list(`${path}?search=${encodeURIComponent('\u200bżółw\u200e')}`);
    expect(JSON.stringify(data)).toContain(name);
  },
);

test.each(['/v1/customers', '/v1/orders', '/v1/audit'])('%s finds two letters of it', async (path) => {
  const { data, meta } = await list(`${path}?search=${encodeURIComponent('SS')}`);
  expect(JSON.stringify(data)).toContain(name);
  expect(meta.searched_days).toBe(7);
});

test('names are found without the indexes of words', async () => {
  const { db } = app.database;
  await sql`alter index order_names_folded rename to another`.execute(db);
  await sql`alter index users_folded rename to another_too`.execute(db);
  for (const path of ['/v1/orders', '/v1/customers']) {
    for (const text of ['zolw', '07700900111']) {
      const { data, meta } = await list(`${path}?search=${text}`);
      expect([path, meta.searched_days, data.length]).toEqual([path, 90, 1]);
    }
  }
  await sql`alter index another rename to order_names_folded`.execute(db);
  await sql`alter index another_too rename to users_folded`.execute(db);
});

test('the index of folded names is used', async () => {
  const plans: string[] = [];
  for (const [table, columns, text] of [
    ['users', ['users.name', 'users.email', 'users.phone'], 'zolw'],
    ['order_names', ['order_names.name'], 'zolw'],
    ['audit_search', ['audit_search.words'], 'zolw'],
  ] as const) {
    await app.database.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      const plan =
        await sql`explain select from ${sql.table(table)} where ${anyColumnHasWordsSql(columns, text)}`.execute(tx);
      plans.push(JSON.stringify(plan.rows));
    });
  }
  expect(plans).toEqual(
    ['users', 'order_names', 'audit_search'].map((table) =>
      expect.stringContaining(`Bitmap Index Scan on ${table}_folded`),
    ),
  );
});

describe('names are sorted as people do', () => {
  const among = (data: { name: string }[]) => data.map((one) => one.name).filter((each) => names.includes(each));

  test('customers', async () => {
    expect(among((await list('/v1/customers?sort=name&per_page=50')).data)).toEqual(asPeopleSort);
    expect(among((await list('/v1/customers?sort=-name&per_page=50')).data)).toEqual(asPeopleSort.toReversed());
  });

  test('customers, page by page', async () => {
    const found: { name: string }[] = [];
    for (let next = '/v1/customers?sort=name&per_page=2'; next;) {
      const { data, links } = await list(next);
      found.push(...data);
      next = links.next;
    }
    expect(among(found)).toEqual(asPeopleSort);
  });

  test('staff', async () => {
    expect(among((await list('/v1/staff?per_page=50')).data)).toEqual(asPeopleSort);
  });

  test('tablets', async () => {
    const { storeId: store_id } = app.shop;
    for (const each of names) {
      const code = await app.request('POST', '/v1/devices/codes', { token: owner, body: { store_id, name: each } });
      await app.request('POST', '/v1/devices/sign-in', { body: { code: code.body.data.code } });
    }
    expect(among((await list('/v1/devices')).data)).toEqual(asPeopleSort);
  });

  test('dishes, choices and their groups', async () => {
    const { storeId: store_id } = app.shop;
    for (const each of names) {
      const made = [
        await app.request('POST', '/v1/items', {
          token: owner,
          body: { store_id, name: each, price: 100, vat_rate: 2000 },
        }),
        await app.request('POST', '/v1/options', { token: owner, body: { store_id, name: each, price: 100 } }),
        await app.request('POST', '/v1/option-groups', { token: owner, body: { store_id, name: each } }),
      ];
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    }
    for (const path of ['items', 'options', 'option-groups']) {
      expect([path, among((await list(`/v1/${path}?per_page=100`)).data)]).toEqual([path, asPeopleSort]);
    }
  });
});
