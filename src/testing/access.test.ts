import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '#contract.ts';
import { type Endpoint, type EndpointKey, splitEndpointKey } from '#platform/http/endpoint.ts';
import { mayCall, type Role, type Viewer } from '#platform/http/viewer.ts';
import { makeWorld, newSubscription, people, secrets, type Person, type World } from '#testing/access-world.ts';
import { countChanges, wholeShop } from '#testing/count-changes.ts';
import { minimalBody, type Samples } from '#testing/minimal-body.ts';
import { staleCalls } from '#testing/stale-calls.ts';
import { startTestApp, type Response, type TestApp } from '#testing/test-app.ts';
import { password } from '#testing/users.ts';

let app: TestApp;
/** The world for calls that change nothing: refused ones, and those that only read. */
let standing: World;
let changesSoFar: () => Promise<number>;
beforeAll(async () => {
  app = await startTestApp();
  standing = await makeWorld(app);
  changesSoFar = await countChanges(app.database.db, keptByRefusals);
});
beforeEach(async () => {
  const { db } = app.database;
  await db.deleteFrom('throttles').execute();
  // Mails to the owner go to every admin: those of earlier worlds are none any more.
  const earlier = db.updateTable('users').set({ role: 'customer' }).where('role', '=', 'admin');
  await earlier.where('email', 'not in', [standing.emails.admin, standing.emails.stale]).execute();
});
afterAll(() => app.close());

/** What a refused call must not change. */
const keptByRefusals = {
  ...wholeShop,
  orders: 'all',
  users: 'all',
  complaints: 'all',
  sign_ins: 'all',
  known_devices: 'all',
  push_subscriptions: 'all',
  prints: [],
  audit_log: 'done',
} as const;

const roles: Record<Person, Role> = {
  guest: 'guest',
  stranger: 'customer',
  owner: 'customer',
  otherStaff: 'store_admin',
  otherDevice: 'store_admin',
  device: 'store_admin',
  staff: 'store_admin',
  stale: 'admin',
  admin: 'admin',
};

/** Who may make a call if a role is not enough. Another store's staff may not make calls for a store's staff anyway. */
const narrower: readonly [pattern: RegExp, who: readonly Person[]][] = [
  [/^GET \/v1\/orders\/session\//, ['owner']],
  [/^POST \/v1\/orders\/\{id\}\/push/, ['owner', 'staff', 'admin']],
  [/^GET \/v1\/orders\/\{id\}\/complaints$/, ['owner', 'device', 'staff', 'admin']],
  [/^POST \/v1\/orders\/\{id\}\/(arrived|rating)$/, ['owner']],
  [/^(POST|PATCH|DELETE) \/v1\/orders\/\{id\}/, ['owner', 'device', 'staff', 'admin']],
  [/\/auth\/(sign-ins|identities)\/\{id\}/, ['owner']],
  [/\/auth\/(factors|passkeys|totp|recovery-codes)/, ['otherStaff', 'staff', 'admin']],
  [/\/push\/devices\/\{id\}/, ['owner']],
  [/\/broadcasting\/auth$/, ['device', 'staff', 'admin']],
  [/\/devices\/(me|heartbeat)$/, ['device', 'otherDevice']],
];

/** Calls that everybody may make but that cannot succeed here. */
const otherAnswers: Partial<Record<EndpointKey, number>> = {
  // Its minimal body is no address of a website.
  'POST /v1/menu-pages': 422,
  // The shop is set up already; nobody has received this token; only the provider can sign this call.
  'POST /v1/setup': 409,
  'POST /v1/auth/reset-password': 422,
  'POST /v1/auth/verify-email': 422,
  // Browsers have no passkeys at an IP address, and nobody here has set up a second factor.
  'POST /v1/auth/passkey-sign-in/begin': 409,
  'POST /v1/auth/passkey-sign-in': 409,
  'POST /v1/auth/passkeys/begin': 409,
  'POST /v1/auth/passkeys': 409,
  'DELETE /v1/auth/passkeys/{id}': 404,
  'POST /v1/restored/payments/{id}/refund': 404,
  'POST /v1/auth/totp': 422,
  'DELETE /v1/auth/totp': 404,
  'DELETE /v1/staff/{id}/factors': 409,
  'POST /v1/auth/recovery-codes': 409,
  // Nobody has received these links, and nobody here has the order's session.
  'POST /v1/account-links/read': 422,
  'POST /v1/account-links/use': 422,
  'POST /v1/orders/{id}/account-link': 403,
  // No sign-in provider is offered, so nobody began anything.
  'POST /v1/auth/social/begin': 404,
  'POST /v1/auth/social/connect': 404,
  'POST /v1/auth/social/end': 422,
  'POST /v1/devices/sign-in': 422,
  'POST /v1/auth/social/app-code': 422,
  'POST /v1/auth/social/app-token': 422,
  'POST /v1/auth/identities': 422,
  'POST /v1/sign-in-trial': 422,
  // The sample is no client of Google.
  'POST /v1/sign-in-providers': 422,
  'POST /v1/payments/webhooks/{provider}': 400,
  // There are no payouts without a real provider.
  'GET /v1/payouts/{payout}': 404,
  // The sample is no key of Stripe.
  'POST /v1/payments/setup': 422,
  'POST /v1/payments/setup/check': 422,
  // The samples are no place, and not the passphrase that the sweep has set.
  'POST /v1/backup-place': 422,
  'POST /v1/backup-place/sheet': 422,
};

const readsWhole: ReadonlySet<Person> = new Set(['owner', 'device', 'staff', 'stale', 'admin']);
const alsoSend = ['password', 'reason', 'minutes', 'amount', 'value', 'sha256', 'size', 'channel_name', 'store_id'];

describe.each(Object.entries(contract) as [EndpointKey, Endpoint][])('%s', (key, endpoint) => {
  test('answers exactly the people who may call it, and tells the others nothing', async () => {
    const allowed = people.filter((person) => person !== 'stale' && may(key, endpoint, person));
    const refused = people.filter((person) => !may(key, endpoint, person));
    await jobsDone();
    const before = await changesSoFar();
    for (const person of refused) {
      const answer = await call(key, endpoint, standing, person);
      const seen = `${person}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 600)}`;
      expect(refusals(endpoint, person), seen).toContain(answer.status);
      expect(answer.body, seen).toEqual({ message: expect.any(String), code: expect.any(String) });
      expect(answer.body.code === 'fresh_sign_in_required', seen).toBe(person === 'stale' && isSensitive(endpoint));
      expectNoLeak(answer, person, standing);
    }
    expect(await changesSoFar(), 'a refused call changed something').toBe(before);
    const world = splitEndpointKey(key)[0] === 'GET' ? standing : await makeWorld(app, standing);
    for (const person of allowed) {
      const answer = await call(key, endpoint, world, person);
      const seen = `${person}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 600)}`;
      expect(successes(key, endpoint), seen).toContain(answer.status);
      expectNoLeak(answer, person, world);
    }
    if (isSensitive(endpoint)) return;
    const { body } = await call(key, endpoint, world, 'stale');
    expect(body?.code, 'asked for a fresh sign-in').not.toBe('fresh_sign_in_required');
  });
});

test('what staff may do on a stale sign-in stands on the list of such calls, each once', () => {
  const rows = Object.entries(contract as Record<string, Endpoint>);
  const calls = rows
    .filter(([, row]) => row.access !== 'guest' && !isSensitive(row) && row.freshSignInFor === undefined)
    .map(([key]) => key);
  expect(Object.values(staleCalls).flat().toSorted()).toEqual(calls.toSorted());
});

/** The decided access of each call, written a second time: otherwise a mistake in the contract would pass the test. */
const decided: readonly [pattern: RegExp, access: Endpoint['access']][] = [
  [/^POST \/v1\/(items|options)\/\{id\}\/availability$/, 'store_admin'],
  [/^POST \/v1\/stores\/\{id\}\/(pause|resume|close-early|busy|heard)$/, 'store_admin'],
  [/^(GET|POST) \/v1\/stores\/\{id\}\/(clock|printing|card-payments)\b/, 'store_admin'],
  [/\/(parts|sold)$/, 'admin'],
  [/^GET \/v1\/stores\/\{id\}\/slots\/taken$/, 'store_admin'],
  [/^GET \/v1\/stores\/\{id\}\/(receipt-preview|first-evening)$/, 'admin'],
  [/^(POST|PATCH|DELETE) \/v1\/(stores|menus|categories|items|options|option-groups)\b/, 'admin'],
  [/ \/v1\/(uploads|app-releases)\b/, 'admin'],
  [/ \/v1\/(mail|customers|payouts|disputes|staff|audit|refunds|reports)\b|^GET \/v1\/payments$/, 'admin'],
  [/ \/v1\/payments\/setup\b/, 'admin'],
  [/^POST \/v1\/complaints$|^GET \/v1\/orders\/\{id\}\/complaints$/, 'guest'],
  [/^POST \/v1\/complaints\/\{id\}\/answer$|^GET \/v1\/stores\/\{id\}\/complaints$/, 'store_admin'],
  [/ \/v1\/complaints\b/, 'admin'],
  [/ \/v1\/(backups|backup-place|restored)\b/, 'admin'],
  [/ \/v1\/(menu-(imports|drafts|pages|photos)|offers)\b/, 'admin'],
  [/^GET \/v1\/(stores|menus|categories|items|options|option-groups)\b/, 'guest'],
  [/^POST \/v1\/orders\/\{id\}\/(cancel|arrived|rating|pay|payment\/reconcile|push|push\/stop|account-link)$/, 'guest'],
  [/^POST \/v1\/orders\/\{id\}\/(refunds?|forget)$/, 'admin'],
  [/^POST \/v1\/orders\/\{id\}\//, 'store_admin'],
  [/^POST \/v1\/printers\/\{id\}\/report$/, 'store_admin'],
  [/ \/v1\/printers\b|^GET \/v1\/prints$/, 'admin'],
  [/\/prints?\b|\/receipts$|print-temp-order$/, 'store_admin'],
  [/^GET \/v1\/orders$/, 'customer'],
  [/ \/v1\/sign-in-(providers|trial)\b/, 'admin'],
  [/ \/v1\/auth\/(user|sign-ins|identities|social\/connect|password$|logout|send-verification)/, 'customer'],
  [/ \/v1\/push\/devices\b/, 'customer'],
  [/ \/v1\/devices\/sign-in$/, 'guest'],
  [/ \/v1\/devices\/(me|heartbeat)$/, 'store_admin'],
  [/ \/v1\/devices\b/, 'admin'],
];

test('the access of each call is the decided one', () => {
  const judged = (Object.entries(contract) as [EndpointKey, Endpoint][]).map(([key, { access }]) => {
    const rule = decided.find(([pattern]) => pattern.test(key));
    return { key, access, wanted: rule ? rule[1] : access };
  });
  expect(judged.filter(({ access, wanted }) => access !== wanted)).toEqual([]);
});

/** What a device may do of what people do with accounts of their own: written a second time, as above. */
const callsOfDevices = /^GET \/v1\/orders$|\/auth\/(user|logout)$|user-auth$/;

/** Whether it is not for a stale sign-in at all. */
function isSensitive({ freshSignIn }: Endpoint): boolean {
  return freshSignIn === true;
}

function may(key: EndpointKey, endpoint: Endpoint, person: Person): boolean {
  if (!mayCall(viewerOf(person), endpoint)) return false;
  if (person === 'stale') return !isSensitive(endpoint);
  const isDevice = /device/i.test(person);
  if (isDevice && endpoint.access === 'customer' && !callsOfDevices.test(key)) return false;
  const isStranger = person === 'otherStaff' || person === 'otherDevice';
  // A row that names devices is about who calls, not about a store.
  if (endpoint.access === 'store_admin' && endpoint.devices === undefined && isStranger) return false;
  return narrower.every(([pattern, who]) => !pattern.test(key) || who.includes(person));
}

/** 401 or 403 by role. After that 404 is also right, because it does not even say that the thing exists. */
function refusals(endpoint: Endpoint, person: Person): number[] {
  if (mayCall(viewerOf(person), endpoint)) return [401, 403, 404];
  return person === 'guest' ? [401] : [403];
}

/** 409: the person may make the call, but an earlier call has left the order in another state. */
function successes(key: EndpointKey, endpoint: Endpoint): number[] {
  const other = 'upload' in endpoint ? 415 : otherAnswers[key];
  return other === undefined ? [200, 201, 204, 409] : [other];
}

function viewerOf(person: Person): Viewer {
  const isDevice = person === 'device' || person === 'otherDevice';
  return { role: roles[person], id: null, name: '', scopes: [], signInId: null, ...(isDevice && { isDevice }) };
}

async function call(key: EndpointKey, endpoint: Endpoint, world: World, person: Person): Promise<Response> {
  const [method, template] = splitEndpointKey(key);
  const samples = samplesFor(key, world, person);
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => idFor(key, name, world, person));
  const query = endpoint.query ? minimalBody(endpoint.query, samples) : {};
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return app.request(method, search === '' ? path : `${path}?${search}`, {
    ...(method !== 'GET' && { body: endpoint.body ? minimalBody(endpoint.body, samples, alsoSend) : {} }),
    ...(person !== 'guest' && { token: world.tokens[person] }),
  });
}

function idFor(key: EndpointKey, name: string, { shop, ...world }: World, person: Person): string {
  const known: [prefix: string, id: string][] = [
    ['/v1/menus/store/', shop.storeId],
    ['/v1/menus/', shop.menuId],
    ['/v1/stores/', shop.storeId],
    ['/v1/categories/', shop.categoryId],
    ['/v1/items/', shop.pizza],
    ['/v1/option-groups/', shop.topping.group],
    ['/v1/options/', shop.topping.olives],
    // The person with the session is the one who placed the order.
    ['/v1/orders/session/', person === 'owner' ? world.session : randomUUID()],
    ['/v1/orders/', world.orderId],
    ['/v1/offers/', world.offerId],
    ['/v1/prints/', world.printId],
    ['/v1/printers/', world.printerId],
    ['/v1/refunds/', world.refundId],
    ['/v1/mail/', world.mailId],
    ['/v1/complaints/', world.complaintId],
    ['/v1/app-releases/', world.releaseId],
    ['/v1/auth/sign-ins/', world.signInId],
    ['/v1/auth/identities/', world.identityId],
    // Nobody here has one.
    ['/v1/auth/passkeys/', randomUUID()],
    ['/v1/sign-in-providers/', world.providerId],
    ['/v1/push/devices/', world.pushDeviceId],
    ['/v1/devices/', world.deviceId],
    ['/v1/customers/', world.customerId],
    ['/v1/staff/', world.staffId],
    ['/v1/menu-imports/', world.importId],
    ['/v1/menu-drafts/', world.draftId],
    ['/v1/payments/webhooks/', 'sandbox'],
    ['/v1/payouts/', 'po_unknown'],
    // No shop here was restored.
    ['/v1/restored/payments/', randomUUID()],
  ];
  const found = known.find(([prefix]) => key.includes(` ${prefix}`));
  if (!found) throw new Error(`The test has no {${name}} for ${key}.`);
  return found[1];
}

function samplesFor(key: EndpointKey, world: World, person: Person): Samples {
  const { shop, emails, orderId, lineId } = world;
  const isNew = /register|setup|^POST \/v1\/staff$/.test(key);
  const { olives, chilli, cheese } = shop.topping;
  return {
    subscription: newSubscription(),
    endpoint: 'https://fcm.googleapis.com/fcm/send/unknown',
    email: isNew || person === 'guest' ? `${randomUUID()}@example.com` : emails[person],
    ...(key.endsWith('/login') && { email: emails.owner }),
    id: randomUUID(),
    password,
    current_password: password,
    name: `New ${randomUUID()}`,
    phone: '07700 900123',
    postcode: 'CV21 2AA',
    token: 'unknown',
    code: key.includes('/devices/') ? 'ABCD2345' : 'unknown',
    app_code: 'unknown',
    verifier: 'v'.repeat(43),
    store_id: shop.storeId,
    menu_id: shop.menuId,
    session: randomUUID(),
    sessions: [randomUUID()],
    key: randomUUID(),
    amount: 100,
    start_date: '2026-11-16',
    end_date: '2026-11-22',
    fulfilment_type: 'collection',
    payment_method: 'cash',
    lines: [
      key.endsWith('/lines/done')
        ? lineId
        : key.endsWith('/lines/remove')
          ? { line_id: lineId, quantity: 1 }
          : { item_id: shop.chips, quantity: 1 },
    ],
    ids: [shop.categoryId],
    order_ids: [orderId],
    items: [shop.pizza],
    itemIds: [shop.pizza, shop.chips],
    option_groups: [shop.topping.group],
    optionGroupIds: [shop.topping.group, shop.size.group],
    changes: [{ call: 'PATCH /v1/items/{id}', id: shop.pizza, body: {} }],
    options: [olives],
    optionIds: [cheese, olives, chilli],
    reason: 'other',
    minutes: 5,
    ...(key.endsWith('/close-early') && { at: null }),
    package: 'com.example.shop',
    signer: 'ab'.repeat(32),
    current_version: '3.10.18',
    version: '99.0.0',
    profile: 'star-mc-print',
    download_url: `/uploads/${'a'.repeat(64)}.apk`,
    sha256: 'a'.repeat(64),
    socket_id: '123.456',
    channel_name: `private-stores.${shop.storeId}.orders`,
  };
}

function expectNoLeak({ body, headers }: Response, person: Person, world: World): void {
  const told = JSON.stringify(body) + JSON.stringify([...headers]);
  expect(told, `a password's hash, told to ${person}`).not.toMatch(/argon2|password_hash|token_hash|request_hash/);
  const hidden = [
    ...(person === 'owner' ? [] : [world.session]),
    ...(readsWhole.has(person) ? [] : Object.values(secrets).flat()),
  ];
  for (const secret of hidden) expect(told, `told to ${person}`).not.toContain(secret);
}

/** Finishes the work that an earlier call has queued, such as an import or the money of an order. */
async function jobsDone(): Promise<void> {
  const open = async () => {
    const { rows } = await sql`
      select name from pgboss.job
      where state in ('created', 'retry', 'active') and start_after < now() + interval '5 seconds'`.execute(
      app.database.db,
    );
    return rows;
  };
  await expect.poll(open, { timeout: 15_000, interval: 20 }).toEqual([]);
}
