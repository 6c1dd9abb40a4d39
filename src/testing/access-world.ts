import { createECDH, randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import type { NewUser } from '#accounts/server/users.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { addDevice } from '#accounts/testing/device-tools.ts';
import { insertRelease } from '#app-release/testing/insert-release.ts';
import { insertComplaint } from '#complaints/testing/insert-complaint.ts';
import { letter } from '#mail/testing/letter.ts';
import { insertRefund } from '#payment/testing/refunds.ts';
import { seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import type { TestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';

/** Every kind of person, the one with the fewest rights first. `stale`: an admin who signed in a while ago. */
export const people = [
  'guest',
  'stranger',
  'otherDevice',
  'otherStaff',
  'owner',
  'device',
  'staff',
  'stale',
  'admin',
] as const;
export type Person = (typeof people)[number];

/** A shop of its own with one order, and one person of each kind. */
export interface World {
  shop: SmallShop;
  /** The shop of the staff and the device that have no business in `shop`. */
  otherShopId: string;
  orderId: string;
  /** A line of it, of five pieces. */
  lineId: string;
  session: string;
  printId: string;
  printerId: string;
  signInId: string;
  identityId: string;
  providerId: string;
  customerId: string;
  staffId: string;
  importId: string;
  draftId: string;
  mailId: string;
  complaintId: string;
  releaseId: string;
  refundId: string;
  offerId: string;
  /** A device of the order's customer. */
  pushDeviceId: string;
  /** A tablet of the shop's kitchen that nobody here uses. */
  deviceId: string;
  tokens: Record<Exclude<Person, 'guest'>, string>;
  emails: Record<Exclude<Person, 'guest'>, string>;
}

/** What only the people of the order may read. */
export const secrets = {
  contact: ['Hidden Name', '07700 900777', 'hidden@example.com'],
  address: ['7 Hidden Row', 'Hidden Town', 'hidden bell'],
  notes: ['hidden note', 'hidden allergy', 'hidden wish', 'hidden paper', 'hidden refund'],
};

/**
 * `beside`: an earlier world, whose other shop it shares. The application reads every new shop, and lists all of them.
 */
export async function makeWorld(app: TestApp, beside?: World): Promise<World> {
  const shop = await seedSmallShop(app.database.db);
  const otherShopId = beside?.otherShopId ?? (await seedSmallShop(app.database.db)).storeId;
  const everybody = {
    stranger: await person(app, 'customer'),
    owner: await person(app, 'customer'),
    stale: await person(app, 'admin', [], 15),
    admin: await person(app, 'admin'),
    staff: await person(app, 'store_admin', [shop.storeId]),
    device: await addDevice(app.database.db, app.clock.now, shop.storeId),
    otherDevice: await addDevice(app.database.db, app.clock.now, otherShopId),
    otherStaff: await person(app, 'store_admin', [otherShopId]),
  };
  const { owner, otherStaff } = everybody;
  const each = (key: 'token' | 'email') =>
    // The names of `everybody` are those of `World`.
    Object.fromEntries(Object.entries(everybody).map(([name, one]) => [name, one[key]])) as World['tokens'];
  const idOf = async (token: string) => (await app.request('GET', '/v1/auth/user', { token })).body.data.id as string;
  const { orderId, lineId, session } = await placeSecretOrder(app, shop, owner.token);
  const ofOrder = { storeId: shop.storeId, orderId };
  const mailId = randomUUID();
  const { db: mails } = app.database;
  await mails.transaction().execute((tx) => app.services.mail.send(tx, { ...letter('Hello'), id: mailId }));
  const { body: signIns } = await app.request('GET', '/v1/auth/sign-ins', { token: owner.token });
  return {
    shop,
    otherShopId,
    orderId,
    lineId,
    session,
    printId: await insertPrint(app, ofOrder),
    printerId: await insertPrinter(app, shop.storeId),
    signInId: signIns.data[0].id,
    identityId: await insertIdentity(app, await idOf(owner.token)),
    providerId: await insertProvider(app),
    customerId: await idOf(owner.token),
    importId: await insertImport(app, shop.storeId),
    draftId: await insertDraft(app, shop.storeId),
    staffId: await idOf(otherStaff.token),
    mailId,
    complaintId: await insertComplaint(app.database.db, app.clock.now, ofOrder),
    releaseId: await insertRelease(app.database.db, app.clock.now),
    refundId: await addRefund(app, ofOrder),
    offerId: await addOffer(app, shop.storeId, everybody.admin.token),
    pushDeviceId: await addPushDevice(app, owner.token),
    deviceId: (await addDevice(app.database.db, app.clock.now, shop.storeId)).id,
    tokens: each('token'),
    emails: each('email'),
  };
}

async function addOffer(app: TestApp, storeId: string, token: string): Promise<string> {
  const body = { store_id: storeId, name: 'Free delivery', kind: 'free_delivery' };
  return (await app.request('POST', '/v1/offers', { token, body })).body.data.id;
}

async function placeSecretOrder(
  app: TestApp,
  shop: SmallShop,
  token: string,
): Promise<{ orderId: string; lineId: string; session: string }> {
  const session = randomUUID();
  const [name, phone, email] = secrets.contact;
  const [line1, city, instructions] = secrets.address;
  const [note, allergyNote, wish] = secrets.notes;
  const { status, body } = await app.request('POST', '/v1/orders', {
    token,
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
  return { orderId: body.data.id as string, lineId: body.data.lines[0].id as string, session };
}

async function insertIdentity(app: TestApp, userId: string): Promise<string> {
  const { id } = await app.database.db
    .insertInto('identities')
    .values({ issuer: 'https://accounts.google.com', subject: userId, user_id: userId, created_at: app.clock.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Its secrets are not on this machine, so nobody is asked anything. */
async function insertProvider(app: TestApp): Promise<string> {
  const id = randomUUIDv7();
  await app.database.db
    .insertInto('sign_in_providers')
    .values({
      id,
      kind: 'other',
      name: 'Example ID',
      issuer: `https://${id}.invalid`,
      client_id: 'the-shop',
      created_at: app.clock.now,
    })
    .execute();
  return id;
}

type OfOrder = Record<'storeId' | 'orderId', string>;

async function insertPrint(app: TestApp, { storeId, orderId }: OfOrder): Promise<string> {
  const printId = randomUUIDv7();
  await app.database.db
    .insertInto('prints')
    .values({
      id: printId,
      store_id: storeId,
      order_id: orderId,
      copy: 'kitchen',
      status: 'printed',
      due_at: app.clock.now,
      created_at: app.clock.now,
      source: secrets.notes[3] ?? '',
    })
    .execute();
  return printId;
}

async function insertPrinter(app: TestApp, storeId: string): Promise<string> {
  const id = randomUUIDv7();
  const created_at = app.clock.now;
  const model = { kind: 'star_cloudprnt', profile: 'star-mc-print', width_mm: 80 } as const;
  await app.database.db
    .insertInto('printers')
    .values({ id, store_id: storeId, name: 'Kitchen', ...model, receipts: ['kitchen'], created_at })
    .execute();
  return id;
}

function addRefund(app: TestApp, ofOrder: OfOrder): Promise<string> {
  const words = { reason: 'hidden refund', actor: 'Owner' };
  const written = { amount: 100, status: 'failed', day: '2026-11-21', at: app.clock.now } as const;
  return insertRefund(app.database.db, { ...ofOrder, ...words, ...written });
}

/** A new browser, at the push service of a vendor. */
export function newSubscription() {
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  return { endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`, keys: { p256dh, auth } };
}

async function addPushDevice(app: TestApp, token: string): Promise<string> {
  const { body } = await app.request('POST', '/v1/push/devices', { token, body: { subscription: newSubscription() } });
  return body.data.id as string;
}

async function insertImport(app: TestApp, storeId: string): Promise<string> {
  const importId = randomUUIDv7();
  await app.database.db
    .insertInto('menu_imports')
    .values({
      id: importId,
      store_id: storeId,
      created_by: null,
      file_name: 'menu.csv',
      state: 'done',
      changes: '[]',
      undo: '[]',
      total: 0,
      created_at: app.clock.now,
    })
    .execute();
  return importId;
}

async function insertDraft(app: TestApp, storeId: string): Promise<string> {
  const id = randomUUIDv7();
  await app.database.db
    .insertInto('menu_drafts')
    .values({ id, store_id: storeId, file_name: 'menu.csv', file_hash: 'none', updated_at: app.clock.now })
    .execute();
  return id;
}

async function person(app: TestApp, role: NewUser['role'], storeIds: string[] = [], minutesAgo = 0) {
  const { id, email } = await addUser(app.database.db, role, storeIds);
  const since = new Date(app.clock.now.getTime() - minutesAgo * 60_000);
  return { token: await createSignIn(app.database.db, id, 'test', since), email };
}
