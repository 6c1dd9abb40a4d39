import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { startSignIn } from '#accounts/server/sign-ins.ts';
import { listFiledMail } from '#database/mail/mail.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import type { TestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';

/** Everybody there is, the least entitled first. */
export const people = ['guest', 'stranger', 'otherStaff', 'owner', 'staff', 'admin'] as const;
export type Person = (typeof people)[number];

/** A shop of its own with one order in it, and somebody of each kind. */
export interface World {
  shop: SmallShop;
  orderId: string;
  session: string;
  printId: string;
  signInId: string;
  customerId: string;
  staffId: string;
  importId: string;
  mailId: string;
  releaseId: string;
  refundId: string;
  tokens: Record<Exclude<Person, 'guest'>, string>;
  emails: Record<Exclude<Person, 'guest'>, string>;
}

let releases = 0;

/** What only the order's own people may read. */
export const secrets = {
  contact: ['Hidden Name', '07700 900777', 'hidden@example.com'],
  address: ['7 Hidden Row', 'Hidden Town', 'hidden bell'],
  notes: ['hidden note', 'hidden allergy', 'hidden wish', 'hidden paper', 'hidden refund'],
};

export async function makeWorld(app: TestApp): Promise<World> {
  const shop = await seedSmallShop(app.database.db);
  const otherShop = await seedSmallShop(app.database.db);
  const [stranger, owner, admin] = [
    await person(app, 'customer'),
    await person(app, 'customer'),
    await person(app, 'admin'),
  ];
  const staff = await person(app, 'store_admin', [shop.storeId]);
  const otherStaff = await person(app, 'store_admin', [otherShop.storeId]);
  const session = randomUUID();
  const [name, phone, email] = secrets.contact;
  const [line1, city, instructions] = secrets.address;
  const [note, allergyNote, wish, paper] = secrets.notes;
  const { status, body } = await app.request('POST', '/v1/orders', {
    token: owner.token,
    body: {
      store_id: shop.storeId,
      session,
      fulfilment_type: 'delivery',
      contact: { name, phone, email },
      address: { line1, city, postcode: 'CV21 2AA', instructions },
      payment_method: 'cash',
      note,
      allergy_note: allergyNote,
      lines: [{ item_id: shop.chips, quantity: 5, note: wish }],
    },
  });
  if (status !== 201) throw new Error(`The order was not placed: ${JSON.stringify(body)}`);
  const printId = randomUUIDv7();
  const at = app.clock.now;
  await app.database.db
    .insertInto('prints')
    .values({
      id: printId,
      store_id: shop.storeId,
      order_id: body.data.id,
      copy: 'kitchen',
      status: 'printed',
      due_at: at,
      created_at: at,
      source: paper ?? '',
    })
    .execute();
  const refundId = randomUUIDv7();
  await app.database.db
    .insertInto('refunds')
    .values({
      id: refundId,
      store_id: shop.storeId,
      order_id: body.data.id,
      key: randomUUID(),
      status: 'failed',
      amount: 100,
      currency: 'GBP',
      vat: '[]',
      lines: '[]',
      reason: 'hidden refund',
      actor: 'Owner',
      trading_day: '2026-11-21',
      created_at: at,
    })
    .execute();
  await app.services.mail.deliver({ to: 'ada@example.com', fromName: 'Shop', subject: 'Hello', text: 'A secret link' });
  const [mailId = ''] = await listFiledMail(app.services.config);
  const release = await app.request('POST', '/v1/app-releases', {
    token: admin.token,
    body: {
      version: `1.0.${(releases += 1)}`,
      download_url: 'https://example.com/app.apk',
      sha256: 'a'.repeat(64),
      size: 1,
    },
  });
  const everybody = { stranger, owner, staff, otherStaff, admin };
  const each = (key: 'token' | 'email') => ({
    stranger: everybody.stranger[key],
    owner: everybody.owner[key],
    staff: everybody.staff[key],
    otherStaff: everybody.otherStaff[key],
    admin: everybody.admin[key],
  });
  const idOf = async (token: string) => (await app.request('GET', '/v1/auth/user', { token })).body.data.id as string;
  const importId = randomUUIDv7();
  await app.database.db
    .insertInto('menu_imports')
    .values({
      id: importId,
      store_id: shop.storeId,
      created_by: null,
      file_name: 'menu.csv',
      state: 'done',
      changes: '[]',
      undo: '[]',
      total: 0,
      created_at: at,
    })
    .execute();
  const { body: signIns } = await app.request('GET', '/v1/auth/sign-ins', { token: owner.token });
  return {
    shop,
    orderId: body.data.id,
    session,
    printId,
    signInId: signIns.data[0].id,
    customerId: await idOf(owner.token),
    importId,
    staffId: await idOf(otherStaff.token),
    mailId,
    releaseId: release.body.data.id,
    refundId,
    tokens: each('token'),
    emails: each('email'),
  };
}

async function person(app: TestApp, role: 'customer' | 'store_admin' | 'admin', storeIds?: string[]) {
  const { id, email } = await addUser(app.database.db, role, storeIds);
  return { token: await startSignIn(app.database.db, id, 'test', app.clock.now), email };
}
