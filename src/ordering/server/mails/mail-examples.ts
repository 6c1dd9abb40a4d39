import { m } from '#messages';
import { mailKindOfOrderMail, type OrderMailKind, orderMailKinds } from '#database/mail-values.ts';
import type { MailContent } from '#mail/mail-content.ts';
import { accountLinkMail } from '#ordering/server/mails/account-links.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { writeOrderMail } from '#ordering/server/mails/write-order-mail.ts';
import { orderStatusTable } from '#ordering/order-status.ts';
import type { OrderStatus } from '#ordering/order.ts';
import { keysOf } from '#platform/keys-of.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

const id = '01a1fe5e-138f-751d-9f7f-7de7e3ad676c';
const minutes = 60_000;

const changes: Partial<Record<OrderMailKind, Partial<OrderRow>>> = {
  placed: { payment_status: 'authorised' },
  payment_failed: { payment_status: 'failed' },
  ready: { fulfilment_type: 'collection', address: null, fees: [] },
  rejected: { payment_status: 'authorised', reject_reason: 'item_unavailable' },
  cancelled: { payment_status: 'paid' },
  refunded: { payment_status: 'partially_refunded', refunded: 450 },
  late_hold: { payment_status: 'voided' },
  late_charge: { payment_status: 'paid' },
};

const exampleRefund = { kind: 'removed', amount: 450, status: 'pending', is_by_hand: false, problem: null } as const;

export function orderMailExamples(
  config: { APP_URL?: string | undefined; publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Record<ReturnType<typeof mailKindOfOrderMail> | 'account_link', (db: Db) => Promise<MailContent>> {
  const write = (kind: OrderMailKind) => async (db: Db) => {
    const store = await readStore(db);
    const row = exampleOrder(kind, store, now());
    const order = { row, history: [], charge: null, refunds: [exampleRefund], isProcessing: false };
    const status = kind === 'refund_failed' ? 'failed' : 'succeeded';
    const refund = { status, amount: 450, currency: store.currency, payment_id: id } as const;
    const shown = { ...config, APP_URL: config.APP_URL ?? config.publicUrl };
    const content = writeOrderMail({ kind, order, refund, store, isConfirmed: true, config: shown, now: now() });
    if (!content) throw new Error(`the example of ${kind} says nothing`);
    return content;
  };
  const written = orderMailKinds.map((kind) => [mailKindOfOrderMail(kind), write(kind)] as const);
  const link = `${config.publicUrl}/account-link#token=example`;
  return {
    // The cast is safe, because `written` has an entry for each of `orderMailKinds`.
    ...(Object.fromEntries(written) as Record<
      ReturnType<typeof mailKindOfOrderMail>,
      (db: Db) => Promise<MailContent>
    >),
    account_link: async (db: Db) =>
      accountLinkMail({ shop: (await readStore(db)).name, number: '57', name: 'Ada Byron', link }, 'new'),
  };
}

function exampleOrder(kind: OrderMailKind, store: Store, now: Date): OrderRow {
  const promised = new Date(now.getTime() + 35 * minutes);
  const status = statusOf(kind);
  const row: OrderRow = {
    id,
    store_id: store.id,
    trading_day: now.toISOString().slice(0, 10),
    number: 57,
    version: 1,
    channel: 'web',
    placed_by: null,
    customer_id: null,
    session: null,
    session_hash: Buffer.alloc(32),
    session_sealed: null,
    request_hash: Buffer.alloc(0),
    status,
    payment_status: 'paid',
    payment_method: 'card',
    paid_by: null,
    fulfilment_type: 'delivery',
    contact: { name: 'Ada Byron', phone: '07700 900123', email: 'ada@example.com' },
    address: {
      line1: '4 Castle Street',
      line2: '',
      city: 'Rugby',
      postcode: 'CV21 2AA',
      instructions: m.ordering_mail_example_door(),
    },
    requested_for: null,
    promised_at: promised,
    prep_minutes: 20,
    slot_at: null,
    note: '',
    allergy_note: m.ordering_mail_example_allergy(),
    allergies: [],
    if_sold_out: 'ring',
    cutlery: false,
    lines: [exampleLine('Margherita', 2, 950, [m.ordering_mail_example_large()]), exampleLine('Tiramisù', 1, 450)],
    subtotal: 2_350,
    discounts: [],
    fees: [{ code: 'delivery', amount: 250, vat_rate: null }],
    tip: 100,
    total: 2_700,
    vat: [{ rate: 2000, net: 2_167, vat: 433 }],
    removed: [
      {
        line_id: id,
        name: 'Tiramisù',
        kitchen_name: null,
        options: [],
        quantity: 1,
        amount: 450,
        reason: 'sold_out',
        actor: 'Mary',
        at: now.toISOString(),
      },
    ],
    removed_refunded: 450,
    refunded: 0,
    reject_reason: null,
    followed_up: null,
    arrived_at: null,
    rating_stars: null,
    rating_text: '',
    rated_at: null,
    locale: 'en',
    created_at: now,
    placed_at: now,
    accepted_at: now,
    packed_at: null,
    left_at: null,
    completed_at: now,
    closed_at: null,
    answer_by: null,
    expires_at: null,
    forgotten_at: null,
  } as OrderRow;
  return { ...row, ...changes[kind] };
}

/** The status of the order in an example mail: the status that the mail is about, otherwise a status in the kitchen. */
function statusOf(kind: OrderMailKind): OrderStatus {
  const found = keysOf(orderStatusTable).find((status) => orderStatusTable[status].mail === kind);
  const fallback = keysOf(orderStatusTable).find((status) => orderStatusTable[status].board === 'kitchen');
  return found ?? (fallback as OrderStatus);
}

function exampleLine(name: string, quantity: number, price: number, options: string[] = []): OrderRow['lines'][number] {
  const chosen = { option_group_id: id, option_id: id, group_name: '', quantity: 1, price: 0 };
  return {
    id,
    item_id: id,
    name,
    kitchen_name: null,
    quantity,
    unit_price: price,
    options: options.map((option) => ({ ...chosen, name: option })),
    note: '',
    vat_rate: 2000,
    allergens: { contains: [], may_contain: [] },
    total: quantity * price,
  };
}
